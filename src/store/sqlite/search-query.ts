/** More words do not make a search better, only slower. */
const WORDS_MAX = 16;

/**
 * What a person typed, as a query of FTS5 that cannot fail and means nothing but words: each a quoted prefix, all of
 * them wanted. Undefined when there is no word in it.
 */
export function searchQuery(typed: string): string | undefined {
  const words = typed.match(/[\p{L}\p{N}\p{Co}]+/gu)?.slice(0, WORDS_MAX);
  return words?.map((word) => `"${word}"*`).join(' ');
}
