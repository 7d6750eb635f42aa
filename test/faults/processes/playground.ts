import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Gate, ProcessRows } from '../../../src/sandbox/process-rows.js';
import { type SpawnRequest, spawnGated } from '../../../src/sandbox/spawn-gated.js';
import { fileTable } from './tables.js';

export const PATH = '/usr/local/bin:/usr/bin:/bin';
const TRIES_MAX = 1_000;
const TRY_EVERY_MS = 10;

/**
 * A folder, a table and a number that every process of one test carries, as part of its run's name or of its command
 * line (`sleep 300.<token>`). Who survives is found by that number, not by the code under test.
 */
export class Playground {
  readonly token = String(randomInt(1e11, 1e12));
  readonly run = `run-${this.token}`;
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'baton-processes-'));
  readonly rows = path.join(this.home, 'rows');
  readonly table: ProcessRows = fileTable(this.rows);
  readonly gate: Gate = { table: this.table, worker: 'worker-1', scope: 'test', oneMachine: true };
  readonly abort = new AbortController();
  readonly nap = `sleep 300.${this.token}`;

  request(argv: readonly string[], more: Partial<SpawnRequest> = {}): SpawnRequest {
    const { run, gate, home, abort } = this;
    const limits = { graceMs: 300 };
    return {
      gate,
      run,
      epoch: 1,
      handoff: 'ask-1',
      attempt: 1,
      argv,
      cwd: home,
      env: { PATH },
      signal: abort.signal,
      limits,
      ...more,
    };
  }

  async start(script: string, more: Partial<SpawnRequest> = {}) {
    const spawned = await spawnGated(this.request(['sh', '-c', script], more));
    if (spawned.type !== 'started') throw new Error(`not started: ${JSON.stringify(spawned)}`);
    return spawned.process;
  }

  file(name: string): string {
    return path.join(this.home, name);
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  survivors(): Survivor[] {
    return processesWith(this.token);
  }

  clear(): void {
    for (let round = 0; round < 50 && this.survivors().length > 0; round++) {
      for (const { pid } of this.survivors()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // it ended meanwhile
        }
      }
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}

export type Survivor = { pid: number; ppid: number; group: number; session: number; command: string };

export function processesWith(token: string): Survivor[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
        const carried = command.includes(token) || readFileSync(`/proc/${name}/environ`, 'latin1').includes(token);
        const [, state, ppid, group, session] =
          /\) (\S) (\d+) (\d+) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'latin1')) ?? [];
        if (!carried || state === 'Z' || command === '') return [];
        return { pid: Number(name), ppid: Number(ppid), group: Number(group), session: Number(session), command };
      } catch {
        return [];
      }
    });
}

export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  throw new Error(`waited in vain until ${what}`);
}

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
