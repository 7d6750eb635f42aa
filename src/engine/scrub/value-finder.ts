import type { Span } from './mask.js';

/** A text to be found. `before` and `after` say how many characters of base64 around it belong to it in part. */
export type Needle = { text: string; before: 0 | 1; after: 0 | 1 };

/** The window that is looked at; a shorter needle could not be found. */
export const NEEDLE_LENGTH_MIN = 8;

const PAIRS = 1 << 14;
const LAST_PAIR = NEEDLE_LENGTH_MIN - 2;
const NOTHING: readonly Span[] = [];

/**
 * Finds all needles in one pass (Wu and Manber): two characters say how far the window may jump, whatever the number of
 * needles, so that most characters are never looked at. Every place is found; needles that overlap are one.
 */
export function createValueFinder(needles: readonly Needle[]): (text: string) => readonly Span[] {
  if (needles.length === 0) return () => NOTHING;
  const jumps = new Uint8Array(PAIRS).fill(LAST_PAIR + 1);
  const endingIn = new Map<number, Needle[]>();
  // The longest first: what it covers need not be compared with the shorter ones.
  for (const needle of [...needles].sort((one, other) => other.text.length - one.text.length)) {
    for (let at = 0; at <= LAST_PAIR; at += 1) {
      const pair = pairAt(needle.text, at);
      jumps[pair] = Math.min(jumps[pair] ?? 0, LAST_PAIR - at);
    }
    const last = pairAt(needle.text, LAST_PAIR);
    endingIn.set(last, [...(endingIn.get(last) ?? []), needle]);
  }
  return (text) => {
    const spans: [start: number, end: number][] = [];
    for (let at = LAST_PAIR; at < text.length - 1; ) {
      const pair = pairAt(text, at);
      const jump = jumps[pair] ?? 0;
      if (jump === 0) {
        const start = at - LAST_PAIR;
        for (const needle of endingIn.get(pair) ?? []) {
          const isCovered = start + needle.text.length < (spans.at(-1)?.[1] ?? 0);
          if (!isCovered && text.startsWith(needle.text, start)) addSpan(spans, spanOf(text, needle, start));
        }
      }
      at += jump || 1;
    }
    return spans;
  };
}

/** The last place up to `at` where a text that goes on can be cut, and no needle in it, whole or begun, is cut in two. */
export function createCutter(needles: readonly Needle[]): (text: string, at: number) => number {
  const beginningWith = new Map<string, string[]>();
  const longest = Math.max(0, ...needles.map(({ text }) => text.length));
  for (const { text } of needles) {
    const first = text.charAt(0);
    beginningWith.set(first, [...(beginningWith.get(first) ?? []), text]);
  }
  return (text, at) => {
    for (let start = Math.max(0, at - longest + 1); start < at; start += 1) {
      const likely = beginningWith.get(text.charAt(start)) ?? [];
      if (likely.some((needle) => reachesOver(needle, text, start, at))) return start;
    }
    return at;
  };
}

function reachesOver(needle: string, text: string, start: number, at: number): boolean {
  const seen = text.length - start;
  if (needle.length > seen) return text.endsWith(needle.slice(0, seen));
  return start + needle.length > at && text.startsWith(needle, start);
}

/** What overlaps is one, lest a text of nothing but overlaps become a list longer than itself. */
function addSpan(spans: [start: number, end: number][], [start, end]: Span): void {
  const last = spans.at(-1);
  if (last && start < last[1]) last[1] = Math.max(last[1], end);
  else spans.push([start, end]);
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 7) ^ text.charCodeAt(at + 1)) & (PAIRS - 1);
}

const BASE64 = /[A-Za-z0-9+/_-]/;

function spanOf(text: string, { text: { length }, before, after }: Needle, start: number): Span {
  const end = start + length;
  return [
    before && BASE64.test(text.charAt(start - 1)) ? start - 1 : start,
    after && BASE64.test(text.charAt(end)) ? end + 1 : end,
  ];
}
