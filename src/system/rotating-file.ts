import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

export const LOG_BYTES_MAX = 10 * 1024 * 1024;
/** Of the older ones so many are kept: .1 is the newest. */
const OLDER_KEPT = 3;

/** A log for its owner alone that never takes more than a few times its size. */
export class RotatingFile {
  private readonly file: string;
  private readonly bytesMax: number;
  private descriptor: number | undefined;
  private bytes = 0;

  constructor(file: string, bytesMax = LOG_BYTES_MAX) {
    this.file = file;
    this.bytesMax = bytesMax;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    this.open();
  }

  /** A line that cannot be written is lost: a full disk stops jobs elsewhere, and must not stop the server here. */
  write(line: string): void {
    try {
      const length = Buffer.byteLength(line);
      if (this.bytes > 0 && this.bytes + length > this.bytesMax) this.rotate();
      if (this.descriptor === undefined) this.open();
      writeSync(this.descriptor as number, line);
      this.bytes += length;
    } catch {
      this.close();
    }
  }

  close(): void {
    if (this.descriptor === undefined) return;
    try {
      closeSync(this.descriptor);
    } catch {
      // it is gone either way
    }
    this.descriptor = undefined;
  }

  private open(): void {
    this.descriptor = openSync(this.file, 'a', 0o600);
    fchmodSync(this.descriptor, 0o600);
    this.bytes = fstatSync(this.descriptor).size;
  }

  private rotate(): void {
    this.close();
    rmSync(`${this.file}.${OLDER_KEPT}`, { force: true });
    for (let number = OLDER_KEPT - 1; number >= 0; number -= 1) {
      const from = number === 0 ? this.file : `${this.file}.${number}`;
      try {
        renameSync(from, `${this.file}.${number + 1}`);
      } catch (problem) {
        if ((problem as NodeJS.ErrnoException).code !== 'ENOENT') throw problem;
      }
    }
  }
}
