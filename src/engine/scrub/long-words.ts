const WORD = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  WORD[character.charCodeAt(0)] = 1;
}

function isWord(text: string, at: number): boolean {
  return WORD[text.charCodeAt(at)] === 1;
}

/**
 * Is there a word of at least `lengthMin` letters, digits, "_" and "-" of which `likely` is true? Words are looked at
 * from behind, so that of ordinary text most characters are never read.
 */
export function someLongWord(text: string, lengthMin: number, likely: (word: string) => boolean): boolean {
  let start = 0;
  while (start + lengthMin <= text.length) {
    let at = start + lengthMin - 1;
    while (at >= start && isWord(text, at)) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + lengthMin;
    while (end < text.length && isWord(text, end)) end += 1;
    if (likely(text.slice(start, end))) return true;
    start = end + 1;
  }
  return false;
}
