/**
 * Finds JSON objects in prose, by their braces alone: whether one is valid is the reader's to say.
 *
 * O1. One pass: no unit is looked at more than twice, whatever the text holds.
 * O2. A brace begins an object only when a quote or the closing brace follows it; all other braces are prose or code.
 * O3. Braces inside the strings of an object do not count; quotes outside of objects do not begin strings.
 */

export type Span = { from: number; to: number };
export type Found = {
  /** No more than asked for: nobody needs to know how many there are beyond that. */
  spans: readonly Span[];
  /** The text ends inside an object. */
  unclosed: boolean;
};

const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function objectsInText(text: string, spansMax: number): Found {
  const spans: Span[] = [];
  let at = text.indexOf('{');
  while (at !== -1 && spans.length < spansMax) {
    const inside = skipSpace(text, at + 1);
    const next = text.charCodeAt(inside);
    if (next === QUOTE || next === CLOSE) {
      const to = endOfObject(text, inside);
      if (to === undefined) return { spans, unclosed: true };
      spans.push({ from: at, to });
      at = text.indexOf('{', to);
    } else {
      at = text.indexOf('{', inside);
    }
  }
  return { spans, unclosed: false };
}

/** `at` lies behind the opening brace; the answer lies behind the closing one. */
function endOfObject(text: string, at: number): number | undefined {
  let depth = 1;
  let inString = false;
  for (let index = at; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === BACKSLASH) index += 1;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) {
      inString = true;
    } else if (unit === OPEN) {
      depth += 1;
    } else if (unit === CLOSE) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at += 1;
  }
}
