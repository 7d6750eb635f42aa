import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REQUEST_FILE, RESPONSE_FILE } from '../../src/contracts/bridge/bridge-file-names.js';
import { Played } from './played.js';

export const EXAMPLES = path.resolve(import.meta.dirname, '../../examples/bridge');
const KILL = path.join(import.meta.dirname, 'kill');

/** Long after any of them has ended. */
const STUCK_MS = 30_000;

export type Orchestrator = { command: readonly string[]; killer: { args: readonly string[]; env: NodeJS.ProcessEnv } };

export const LIBRARY: Orchestrator = {
  command: [process.execPath, path.join(EXAMPLES, 'orchestrator.mjs')],
  killer: { args: ['--import', path.join(KILL, 'kill-at.mjs')], env: {} },
};
export const PYTHON: Orchestrator = {
  command: ['python3', path.join(EXAMPLES, 'orchestrator.py')],
  killer: { args: [], env: { PYTHONPATH: KILL } },
};
export const SHELL: Orchestrator = {
  command: ['sh', path.join(EXAMPLES, 'orchestrator.sh')],
  killer: { args: [], env: {} },
};

/** What the agents of the examples answer. */
const SAYS: Readonly<Record<number, string>> = {
  1: '{"primary_language": "C#", "overall_confidence": 0.92}',
  6: 'reviewer: reads “C#”',
  7: 'reviewer: reads C#, with an example',
};
export const RESULT = `${JSON.stringify({ language: 'C#', agent: SAYS[6], enhanced: SAYS[7] }, null, 2)}\n`;

export type ProcessEnd = { code: number | null; signal: NodeJS.Signals | null; said: string };

/** A folder in which real programs run, one start at a time; the test is their handler. */
export class Orchestrated extends Played {
  /** How often an agent was asked, per request. */
  readonly asked = new Map<string, number>();

  run({ command, killer }: Orchestrator, args: readonly string[] = [], killAt?: number): ProcessEnd {
    const [program = '', ...script] = command;
    const killed = killAt !== undefined;
    const { status, signal, stdout, stderr } = spawnSync(
      program,
      [...(killed ? killer.args : []), ...script, ...args],
      {
        cwd: this.dir,
        encoding: 'utf8',
        timeout: STUCK_MS,
        env: {
          ...process.env,
          PYTHONDONTWRITEBYTECODE: '1',
          ...(killed && { ...killer.env, KILL_AT: `${killAt}`, KILL_LOG: this.file('changes') }),
        },
      },
    );
    return { code: status, signal, said: stdout + stderr };
  }

  /** A handler that remembers nothing: it asks for every request that has no response. */
  handle(): void {
    if (!existsSync(this.file(REQUEST_FILE)) || existsSync(this.file(RESPONSE_FILE))) return;
    const { request_id, phase } = this.request;
    this.asked.set(request_id, (this.asked.get(request_id) ?? 0) + 1);
    this.respond({ response: SAYS[phase as number] ?? '' });
  }

  /** From start to end, with `--resume` from the second start on; killed once, before the n-th change, when told so. */
  drive(orchestrator: Orchestrator, killAt?: number): ProcessEnd {
    let end = this.run(orchestrator, [], killAt);
    let killed = end.signal !== null;
    for (let starts = 1; end.code !== 0 && starts < 9; starts += 1) {
      this.handle();
      const counts = killAt !== undefined && !killed;
      end = this.run(orchestrator, ['--resume'], counts ? killAt - this.changes() : undefined);
      killed ||= end.signal !== null;
    }
    return end;
  }

  /** Up to the ask of a phase, which waits for its answer then. */
  driveTo(phase: number, orchestrator: Orchestrator): void {
    this.run(orchestrator);
    for (let starts = 1; this.request.phase !== phase && starts < 9; starts += 1) {
      this.handle();
      this.run(orchestrator, ['--resume']);
    }
  }

  /** How often names of files were changed so far, when it was counted. */
  changes(): number {
    return this.has('changes') ? this.text('changes').length / 2 : 0;
  }

  /** The files without what differs from start to start. */
  comparable(name: string): string {
    return readFileSync(this.file(name), 'utf8')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
      .replaceAll(this.dir, 'DIR');
  }
}
