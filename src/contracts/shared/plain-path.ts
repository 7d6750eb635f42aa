/**
 * Nearly all paths that agents send are plain: letters, digits, `_`, `-`, dots inside names, `/` between them. One
 * pass over the characters says so, and the slower rules are only asked about the others.
 */
const NAME = 1;
const DOT = 2;
const SLASH = 3;
const PLAIN_LENGTH_MAX = 255;

const KIND = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
  KIND[letter.charCodeAt(0)] = NAME;
KIND['.'.charCodeAt(0)] = DOT;
KIND['/'.charCodeAt(0)] = SLASH;

/** Relative, already normal, inside the workspace and outside every hidden folder. */
export function isPlainPath(text: string): boolean {
  return plainLength(text) === text.length;
}

/** How much of the text is a plain path: all of it, all but one trailing `/`, or -1 when it is none. */
export function plainLength(text: string): number {
  const { length } = text;
  if (length > PLAIN_LENGTH_MAX) return -1;
  // As if a slash stood before the first character: neither a dot nor a slash may follow it.
  let previous = SLASH;
  for (let index = 0; index < length; index += 1) {
    const kind = KIND[text.charCodeAt(index)];
    if (!kind || (kind !== NAME && previous !== NAME)) return -1;
    previous = kind;
  }
  if (previous === NAME) return length;
  return previous === SLASH && length > 1 ? length - 1 : -1;
}
