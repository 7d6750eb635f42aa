import { expect, test } from 'vitest';
import { boundedText } from './bounded-text.js';

test('a short text stays as it is', () => {
  expect(boundedText('short', 100)).toBe('short');
});

test('of a long one beginning and end stay, whole characters, with a line that says how much is missing', () => {
  const text = `a${'é'.repeat(1_000)}z`;
  const bounded = boundedText(text, 100);
  const [, head = '', missing, tail = ''] = /^(.*)\n\[(\d+) bytes left out\]\n(.*)$/.exec(bounded) ?? [];
  expect(text.startsWith(head)).toBe(true);
  expect(text.endsWith(tail)).toBe(true);
  expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + Number(missing)).toBe(Buffer.byteLength(text));
  expect(bounded).not.toContain('\ufffd');
});
