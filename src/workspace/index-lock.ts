import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * The lock of a user's index, as git itself takes it, with Baton's name in it: so that one that was left over can be
 * told from one that somebody else holds. The new index is made beside the old one and takes its place whole.
 */
export class IndexLock {
  /** Where the next index is made. */
  readonly next: string;
  readonly #lock: string;
  readonly #index: string;

  private constructor(gitDir: string) {
    this.#index = path.join(gitDir, 'index');
    this.#lock = path.join(gitDir, 'index.lock');
    this.next = path.join(gitDir, 'index.baton');
  }

  /** Or who holds it. One that this job left over is taken over: whatever it started has been ended. */
  static take(gitDir: string, job: string): IndexLock | { heldBy: string } {
    const lock = new IndexLock(gitDir);
    const name = `baton: landing ${job}\n`;
    try {
      const file = openSync(lock.#lock, 'wx', 0o644);
      writeSync(file, name);
      closeSync(file);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
      const holder = readFileSync(lock.#lock, 'latin1').slice(0, 200);
      if (holder !== name) return { heldBy: /^baton: landing (\S+)\n$/.exec(holder)?.[1] ?? 'another git' };
    }
    for (const rest of [lock.next, `${lock.next}.lock`]) rmSync(rest, { force: true });
    return lock;
  }

  /** Puts the next index in the place of the old one. */
  replace(): void {
    renameSync(this.next, this.#index);
  }

  get index(): string {
    return this.#index;
  }

  release(): void {
    for (const rest of [this.next, `${this.next}.lock`, this.#lock]) rmSync(rest, { force: true });
  }
}
