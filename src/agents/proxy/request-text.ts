const BLOCK_BYTES = 512;
/** The characters of base64. */
const INLINE = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-') {
  INLINE[character.charCodeAt(0)] = 1;
}

/**
 * Bytes of a request that are text. Images and files stand in it as base64 and cost far fewer tokens than bytes, so
 * blocks of nothing else are left out. Blocks are looked at from behind: of ordinary text few bytes are ever read.
 */
export function textBytes(chunk: Buffer): number {
  let bytes = chunk.length % BLOCK_BYTES;
  for (let end = chunk.length - bytes; end > 0; end -= BLOCK_BYTES) {
    if (!isInline(chunk, end - BLOCK_BYTES, end)) bytes += BLOCK_BYTES;
  }
  return bytes;
}

function isInline(chunk: Buffer, start: number, end: number): boolean {
  for (let at = end - 1; at >= start; at -= 1) if (INLINE[chunk[at] as number] === 0) return false;
  return true;
}

/** Of a key and its value, when a piece of the request ends between them. */
const OVERLAP_BYTES = 64;
const BACKGROUND = /"background"\s{0,20}:\s{0,20}true/;

/** Sees whether a request wants its work to go on after its answer, where nobody counts. Inside texts it is escaped. */
export class BackgroundWatch {
  #end = '';

  sees(chunk: Buffer): boolean {
    const text = this.#end + chunk.toString('latin1');
    this.#end = text.slice(-OVERLAP_BYTES);
    return BACKGROUND.test(text);
  }
}

const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;
const MODEL_BYTES_MAX = 4_096;

/** The model a request names, near an end of one of its pieces; the answer names it too, but may not come. */
export function modelHint(chunk: Buffer): string | undefined {
  const last = Math.max(MODEL_BYTES_MAX, chunk.length - MODEL_BYTES_MAX);
  return MODEL.exec(chunk.toString('latin1', 0, MODEL_BYTES_MAX) + chunk.toString('latin1', last))?.[1];
}
