import { BatonError } from '../contracts/shared/errors.js';
import type { Io } from './io.js';
import { readInput } from './validate/read-input.js';

/** A file or standard input (`-`) to its end, unless that is too far. */
export async function readWhole(file: string, io: Io, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readInput(file, io)) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const name = file === '-' ? 'standard input' : file;
      throw new BatonError('PAYLOAD_TOO_LARGE', `${name} has more than ${bytesMax} bytes`, { bytes_max: bytesMax });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
