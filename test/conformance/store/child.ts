import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LINE_MS_MAX = 20_000;

export type Child = {
  process: ChildProcess;
  lines: string[];
  until(line: (line: string) => boolean): Promise<void>;
  kill(): Promise<void>;
};

/** A real process of a bundled entry, and what it has said so far. */
export function startChild(entry: URL, args: readonly string[]): Child {
  const child = spawn(process.execPath, [fileURLToPath(entry), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let check: () => void = () => {};
  const reader = createInterface({ input: child.stdout });
  const ended = new Promise<void>((done) => reader.on('close', done));
  reader.on('line', (line) => {
    lines.push(line);
    check();
  });
  return {
    process: child,
    lines,
    until: (wanted) =>
      new Promise((done, fail) => {
        const late = setTimeout(() => fail(new Error(`the child said ${lines.at(-1)} last`)), LINE_MS_MAX);
        check = () => {
          if (!lines.some(wanted)) return;
          clearTimeout(late);
          done();
        };
        check();
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended; // all that it said before is read
    },
  };
}
