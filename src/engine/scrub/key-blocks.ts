import type { Span } from './mask.js';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const DASHES = '-----';

/** Code that names both marks has nothing like this between them. */
const KEY_MATERIAL = /[A-Za-z0-9+/=]{20}/;
/** A key whose end was cut off: headers and lines of base64, with whatever separates lines in JSON or in code. */
const CUT_OFF =
  /(?:[\s\\nr]{0,8}[A-Z][A-Za-z-]{1,20}: [^\s\\]{1,80}){0,4}[\s\\nr"'+,]{0,16}[A-Za-z0-9+/=]{40,9999}(?:[\s\\nr"'+,]{0,16}[A-Za-z0-9+/=]{16,999}){0,499}/y;

/** Private keys as text: PEM, encrypted or not, OpenSSH, PGP. Headers hold dashes (Proc-Type), but never five. */
export function findKeyBlocks(text: string): Span[] {
  if (!text.includes('BEGIN ')) return [];
  const spans: Span[] = [];
  for (const { 0: mark, index } of text.matchAll(BEGIN)) {
    const inside = index + mark.length;
    const end = blockEnd(text, inside) ?? endOf(CUT_OFF, text, inside);
    if (end !== undefined) spans.push([index, end]);
  }
  return spans;
}

const END_MARK = /END [A-Z0-9 ]{0,60}-----/;
const KEY_LINE = /^\s*(?:[A-Za-z0-9+/=]{0,200}|[A-Z][A-Za-z-]{1,30}: .{0,200})\s*$/;

/** Where a key begins of which only whole lines of key follow, and no end; the length of the text when none does. */
export function openKeyAt(text: string): number {
  if (!text.includes('BEGIN ')) return text.length;
  for (const { 0: mark, index } of text.matchAll(BEGIN)) {
    const lines = text.slice(index + mark.length).split('\n');
    const last = lines.pop() ?? '';
    if (lines.every((line) => KEY_LINE.test(line)) && !END_MARK.test(last)) return index;
  }
  return text.length;
}

function blockEnd(text: string, inside: number): number | undefined {
  const dashes = text.indexOf(DASHES, inside);
  if (dashes === -1) return undefined;
  const end = endOf(END, text, dashes);
  return end !== undefined && KEY_MATERIAL.test(text.slice(inside, dashes)) ? end : undefined;
}

function endOf(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}
