import type { Io } from './io.js';
import { isUtf8 } from './locale.js';

const MARKS = { ok: { utf8: '✓', ascii: 'ok' }, bad: { utf8: '✗', ascii: 'FAIL' }, note: { utf8: '!', ascii: '!' } };

/** The sign before a line; always beside a word that says the same. */
export function mark(io: Pick<Io, 'env'>, kind: keyof typeof MARKS): string {
  return isUtf8(io.env) ? MARKS[kind].utf8 : MARKS[kind].ascii;
}
