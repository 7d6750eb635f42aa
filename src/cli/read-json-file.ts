import path from 'node:path';
import { BatonError } from '../contracts/shared/errors.js';
import { BYTES_MAX, readJson } from '../contracts/shared/read-json.js';
import type { Io } from './io.js';
import { readWhole } from './read-whole.js';

/** The JSON in a file or on standard input (`-`). */
export async function readJsonFile(file: string, io: Io): Promise<unknown> {
  const read = readJson(await readWhole(file === '-' ? file : path.resolve(io.cwd, file), io, BYTES_MAX));
  if ('value' in read) return read.value;
  const { code, reason, details } = read.denial;
  throw new BatonError(code, file === '-' ? reason : `${file}: ${reason}`, details);
}
