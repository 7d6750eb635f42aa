import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

export type Codec = 'none' | 'brotli';

const QUALITY = 4;
/** Below this the effort costs more than the bytes. */
export const COMPRESS_BYTES_MIN = 1_024;
/** What must remain of the size for compressing to be worth it. */
const WORTH_IT = 0.8;

export function compress(bytes: Uint8Array): { codec: Codec; stored: Uint8Array } {
  if (bytes.length < COMPRESS_BYTES_MIN) return { codec: 'none', stored: bytes };
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const stored = brotliCompressSync(bytes, { params });
  return stored.length <= bytes.length * WORTH_IT ? { codec: 'brotli', stored } : { codec: 'none', stored: bytes };
}

/** `size` is what it was before; more than that is damage and is not unpacked. */
export function decompress(codec: string, stored: Uint8Array, size: number): Uint8Array {
  return codec === 'brotli' ? brotliDecompressSync(stored, { maxOutputLength: Math.max(size, 1) }) : stored;
}
