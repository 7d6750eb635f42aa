import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const LINES_KEPT_MAX = 30;

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** One process of a bundled program and what it says, line by line. */
export class ProgramProcess {
  readonly name: string;
  readonly child: ChildProcess;
  /** After the last line was read. */
  readonly ended: Promise<Exit>;
  exit: Exit | undefined;
  isReady = false;
  /** The last things it said, for a report. */
  readonly last: string[] = [];

  constructor(
    name: string,
    argv: readonly [program: string, ...args: string[]],
    onLine: (verb: string, rest: string) => void,
    where: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
  ) {
    this.name = name;
    const [program, ...args] = argv;
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], ...where });
    this.child.stdin?.on('error', () => {}); // it is gone, as its exit tells
    const hear = (line: string): void => {
      this.last.push(line);
      if (this.last.length > LINES_KEPT_MAX) this.last.shift();
      const space = line.indexOf(' ');
      const [verb, rest] = space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
      if (verb === 'ready') this.isReady = true;
      onLine(verb, rest);
    };
    const heard = this.listen(hear);
    this.ended = Promise.all([heard, this.exited()]).then(([, exit]) => exit);
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  private exited(): Promise<Exit> {
    return new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', (code, signal) => {
        this.exit = { code, signal };
        resolve(this.exit);
      });
    });
  }

  private async listen(hear: (line: string) => void): Promise<void> {
    const { stdout, stderr } = this.child;
    if (!stdout || !stderr) throw new Error('a program without pipes');
    createInterface({ input: stderr }).on('line', (line) => hear(`stderr ${line}`));
    const lines = createInterface({ input: stdout });
    lines.on('line', hear);
    await new Promise<void>((resolve) => lines.once('close', resolve));
  }
}
