import type { RunId } from '../ports.js';
import type { EndedAttempt } from './ended-attempt.js';
import type { Files } from './file-writer.js';
import type { FoundHistory, HistoryFiles } from './history-files.js';
import type { HistoryFold } from './history-fold.js';
import { openingText, tailText } from './history-format.js';
import { endOf, type HistoryPart, INDEX_FILE, indexText, partName, readParts } from './history-parts.js';
import { headOf, interactionOf, type Texts, tailOf } from './job-history.js';

export const HISTORY_FILE = 'jobHistory.json';
/** Of the contract. A single interaction that is larger still gets its own file. */
export const HISTORY_BYTES_MAX = 100_000_000;

type Around = { files: Files; history: HistoryFiles; texts: Texts; bytesMax: number };

/**
 * Keeps one job's jobHistory.json, its parts and their index in step with its attempts.
 *
 * H1 What is on the disk is read once, when this is made. Missing, damaged, of another job or ahead: written anew.
 * H2 A part is durable before the index names it, and named before its interactions leave jobHistory.json.
 * H3 After a failure nothing is known any more: it is thrown away, and another begins with the store.
 */
export class HistoryWriter {
  private readonly around: Around;
  private readonly run: RunId;
  private readonly folder: string;
  private readonly file: string;
  private found: FoundHistory | undefined;
  private parts: readonly HistoryPart[] = [];

  constructor(around: Around, run: RunId, folder: string) {
    this.around = around;
    this.run = run;
    this.folder = folder;
    this.file = `${folder}/${HISTORY_FILE}`;
  }

  /** `attempts` are all that may be missing on the disk, in order; those that are there are passed over. */
  async write(fold: HistoryFold, attempts: readonly EndedAttempt[], total: number): Promise<void> {
    const { history } = this.around;
    const tail = tailText(tailOf(fold));
    if (this.found && !(await history.isKept(this.file))) {
      throw new Error(`${this.file} was changed by somebody else: it is written again from the store`);
    }
    this.found ??= await this.look(fold, total);
    let left = attempts.filter(({ sequence }) => sequence >= this.next);
    if (left.length === 0 && this.found?.tail === tail) return;
    for (;;) {
      const lines = this.lines(left, this.found);
      const first = endOf(this.parts);
      this.found = this.found
        ? await history.extend(this.file, lines, tail)
        : await history.begin(this.file, { first, opening: this.opening(fold, first) }, lines, tail);
      left = left.filter(({ sequence }) => sequence >= this.next);
      if (left.length === 0) return;
      await this.rotate(fold, this.found);
    }
  }

  forget(): void {
    this.around.history.forget(this.file);
  }

  private get next(): number {
    return this.found ? this.found.first + this.found.count : endOf(this.parts);
  }

  /** Undefined when the file must be begun anew. */
  private async look(fold: HistoryFold, total: number): Promise<FoundHistory | undefined> {
    const found = await this.around.history.examine(this.file);
    const parts = await readParts(this.around, this.folder, headOf(this.run, fold));
    this.parts = endOf(parts) <= total ? parts : [];
    const first = endOf(this.parts);
    const fits = found?.first === first && found.first + found.count <= total;
    return fits && found.opening === this.opening(fold, first) ? found : undefined;
  }

  private opening(fold: HistoryFold, first: number): string {
    return openingText({ ...headOf(this.run, fold), ...(first > 0 && { x_first: first, x_parts: INDEX_FILE }) });
  }

  /** Made one by one while they are written; ends where the file is full. */
  private async *lines(
    attempts: readonly EndedAttempt[],
    found: Pick<FoundHistory, 'bytes' | 'count'> = { bytes: 0, count: 0 },
  ): AsyncIterable<string> {
    const { texts, bytesMax } = this.around;
    let { bytes: size, count: inFile } = found;
    for (const attempt of attempts) {
      const line = JSON.stringify(await interactionOf(this.run, attempt, texts));
      size += new TextEncoder().encode(line).length + 2;
      if (size > bytesMax && inFile > 0) return;
      inFile += 1;
      yield line;
    }
  }

  /** The next file is begun by who writes into it. */
  private async rotate(fold: HistoryFold, { first, count, bytes }: FoundHistory): Promise<void> {
    const { history, files } = this.around;
    const last = first + count - 1;
    const file = partName(first, last);
    const { bytes: compressed_bytes, sha256 } = await history.pack(this.file, `${this.folder}/${file}`);
    this.parts = [...this.parts, { file, first, last, bytes, compressed_bytes, sha256 }];
    const { created_at } = headOf(this.run, fold);
    await files.replace(`${this.folder}/${INDEX_FILE}`, indexText(this.run, created_at, this.parts));
    this.found = undefined;
  }
}
