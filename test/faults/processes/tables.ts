import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ProcessKey, ProcessRow } from '../../../src/engine/ports.js';
import type { ProcessRows } from '../../../src/sandbox/process-rows.js';

type Which = Parameters<ProcessRows['list']>[0];

/** A table on disk that several processes share: one file per row. */
export function fileTable(folder: string): ProcessRows {
  mkdirSync(folder, { recursive: true });
  const fileOf = ({ handoff, attempt, pid }: ProcessKey) => path.join(folder, `${handoff}-${attempt}-${pid}.row`);
  return {
    async add(row) {
      const file = openSync(fileOf(row), 'w');
      writeSync(file, JSON.stringify(row));
      fsyncSync(file);
      closeSync(file);
      return true;
    },
    async remove(key) {
      rmSync(fileOf(key), { force: true });
    },
    async list(which) {
      const rows = readdirSync(folder).map((file): ProcessRow => {
        return JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
      });
      return rows.filter((row) => isOf(row, which));
    },
  };
}

/** A table whose next write waits until it is let go, or fails. */
export class HeldTable implements ProcessRows {
  readonly rows: ProcessRow[] = [];
  readonly asked: ProcessRow[] = [];
  #letGo: ((failure?: Error) => void)[] = [];
  #owned = true;

  add(row: ProcessRow): Promise<boolean> {
    this.asked.push(row);
    return new Promise((resolve, reject) => {
      this.#letGo.push((failure) => {
        if (failure) return reject(failure);
        if (this.#owned) this.rows.push(row);
        resolve(this.#owned);
      });
    });
  }

  takeOver(): void {
    this.#owned = false;
  }

  letGo(failure?: Error): void {
    for (const one of this.#letGo.splice(0)) one(failure);
  }

  async remove({ pid, attempt }: ProcessKey): Promise<void> {
    const at = this.rows.findIndex((row) => row.pid === pid && row.attempt === attempt);
    if (at >= 0) this.rows.splice(at, 1);
  }

  async list(which: Which): Promise<readonly ProcessRow[]> {
    return this.rows.filter((row) => isOf(row, which));
  }
}

function isOf(row: ProcessRow, { run, handoff, worker }: Which): boolean {
  return (
    (run === undefined || row.run === run) &&
    (handoff === undefined || row.handoff === handoff) &&
    (worker === undefined || row.worker === worker)
  );
}
