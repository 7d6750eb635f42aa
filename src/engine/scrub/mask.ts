/** From where to where, the end not included. */
export type Span = readonly [start: number, end: number];

export const MASK = '[secret]';

/**
 * Replaces the spans; those that overlap as one. The text may be JSON, and a match may begin or end in the middle of an
 * escape ("\nightingale"): a mask takes in the whole escape, else what is left of it would spoil the text.
 */
export function maskSpans(text: string, spans: readonly Span[]): string {
  let clean = '';
  let done = 0;
  for (const [first, last] of joined(spans)) {
    const start = escapeStart(text, Math.max(first, done), done);
    const end = escapeEnd(text, start, Math.max(last, done));
    clean += text.slice(done, start) + maskFor(end - start);
    done = end;
  }
  return clean + text.slice(done);
}

/** Never longer than what it replaces. */
function maskFor(length: number): string {
  return length >= MASK.length ? MASK : '*'.repeat(length);
}

function joined(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort(([one], [other]) => one - other);
  const result: [number, number][] = [];
  for (const [start, end] of sorted) {
    const before = result.at(-1);
    if (before && start < before[1]) before[1] = Math.max(before[1], end);
    else result.push([start, end]);
  }
  return result;
}

const UNICODE_ESCAPE_LENGTH = 6; // \u0000
const BEGUN_UNICODE = /\\u[0-9a-fA-F]{0,3}$/;
const AFTER_BACKSLASH = /u[0-9a-fA-F]{4}|[ -~]/y;

/** All backslashes go, not only an odd one: in JSON inside JSON an even number may be half an escape. */
function escapeStart(text: string, start: number, floor: number): number {
  const begun = BEGUN_UNICODE.exec(text.slice(Math.max(floor, start - UNICODE_ESCAPE_LENGTH), start));
  let at = start - (begun?.[0].length ?? 0);
  while (at > floor && text[at - 1] === '\\') at -= 1;
  return at;
}

function escapeEnd(text: string, start: number, end: number): number {
  const begun = BEGUN_UNICODE.exec(text.slice(Math.max(start, end - UNICODE_ESCAPE_LENGTH), end));
  const inside = begun ? end - begun[0].length + 1 : end;
  let first = inside;
  while (first > start && text[first - 1] === '\\') first -= 1;
  if (first === inside) return end;
  let last = inside;
  while (text[last] === '\\') last += 1;
  if ((last - first) % 2 === 0) return Math.max(end, last);
  AFTER_BACKSLASH.lastIndex = last;
  return Math.max(end, AFTER_BACKSLASH.test(text) ? AFTER_BACKSLASH.lastIndex : last);
}
