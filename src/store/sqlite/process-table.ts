import type { ProcessKey, ProcessRow } from '../../engine/ports.js';
import type { Reader } from './reader.js';
import type { Writer } from './write-tasks.js';

/** Which processes of agents may be running, written before they do anything, so that a new owner can end them. */
export class ProcessTable {
  readonly #writer: Pick<Writer, 'write'>;
  readonly #read: <T>(work: (reader: Reader) => T) => T;

  constructor(writer: Pick<Writer, 'write'>, read: <T>(work: (reader: Reader) => T) => T) {
    this.#writer = writer;
    this.#read = read;
  }

  /** Resolves when the row is durable; false when the run is no longer held with this epoch. */
  add(row: ProcessRow, epoch: number): Promise<boolean> {
    return this.#writer.write('addProcess', { ...row, epoch });
  }

  async remove(key: ProcessKey): Promise<void> {
    await this.#writer.write('removeProcess', key);
  }

  async list(of: { run?: string; handoff?: string; worker?: string }): Promise<readonly ProcessRow[]> {
    return this.#read((reader) => reader.processes(of));
  }
}
