import type { Denial } from '../../contracts/shared/verdict.js';
import { deny } from '../../contracts/shared/verdict.js';

export type Payload = { line?: number; bytes: Uint8Array } | { line?: number; denial: Denial };

/** The whole input as one payload. Stops reading one byte past the limit. */
export async function onePayload(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Payload> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) return { denial: tooLarge(bytesMax) };
    parts.push(chunk);
  }
  return { bytes: parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts) };
}

const LINE_FEED = 0x0a;

/** One payload a line, split at line feeds only; the last line counts even without one. */
export async function* linePayloads(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncIterable<Payload> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let size = 0;
  const finish = (): Payload => {
    const payload = size > bytesMax ? { line, denial: tooLarge(bytesMax) } : { line, bytes: Buffer.concat(parts) };
    line += 1;
    parts = [];
    size = 0;
    return payload;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (size > 0 || line === 1) yield finish();

  function keep(part: Uint8Array): void {
    size += part.length;
    // An endless line is counted but not kept, so that memory stays bounded.
    if (size <= bytesMax) parts.push(part);
  }
}

function tooLarge(bytesMax: number): Denial {
  return deny('PAYLOAD_TOO_LARGE', `the payload has more than ${bytesMax} bytes`, { bytes_max: bytesMax });
}
