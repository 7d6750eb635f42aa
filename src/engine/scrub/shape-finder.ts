import { findKeyBlocks } from './key-blocks.js';
import { someLongWord } from './long-words.js';
import type { Span } from './mask.js';
import { IN_CONTEXT, TOKEN_WORD_LENGTH_MIN, TOKENS, type TokenShape } from './shapes.js';

/** What a letter before a token may belong to without being a part of its word: \n in JSON, %20 in a URL, a colour. */
const ENCODED = '\\\\[bfnrt]|\\\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\\[[0-9;]{0,9}m';

const IN_WORD = new RegExp(TOKENS.map(({ begins, goesOn, inWord }) => inWord ?? begins + goesOn).join('|'));
const TOKEN = new RegExp(TOKENS.map(tokenSource).join('|'), 'dg');
const CONTEXTS = IN_CONTEXT.map(({ hints, shapes }) => ({
  hints,
  shapes: shapes.map((shape) => new RegExp(shape, 'dg')),
}));

const isLikely = (word: string) => IN_WORD.test(word);

/** Where credentials stand, in text or in serialised JSON: there at least wherever one is in one of its strings. */
export function findShapes(text: string): Span[] {
  const spans = findKeyBlocks(text);
  if (someLongWord(text, TOKEN_WORD_LENGTH_MIN, isLikely)) addMatches(spans, text, TOKEN);
  for (const { hints, shapes } of CONTEXTS) {
    if (hasAll(text, hints)) for (const shape of shapes) addMatches(spans, text, shape);
  }
  return spans;
}

function hasAll(text: string, hints: readonly string[]): boolean {
  for (const hint of hints) if (!text.includes(hint)) return false;
  return true;
}

function addMatches(spans: Span[], text: string, shape: RegExp): void {
  for (const { indices } of text.matchAll(shape)) {
    const secret = indices?.[1] ?? indices?.[0];
    if (secret) spans.push(secret);
  }
}

/** The look back stands behind the beginning: before it, every place of the text would be looked back from. */
function tokenSource({ begins, notAfter, goesOn }: TokenShape): string {
  const alone = notAfter ? `(?<=(?:^|[^${notAfter}]|${ENCODED})${begins})` : '';
  return `${begins}${alone}${goesOn}`;
}
