import { describe, expect, test } from 'vitest';
import { BatonError } from '../contracts/shared/errors.js';
import { LineReader } from './line-reader.js';

const MIB = 1024 * 1024;

/** What comes out of these pieces: text, or the code of a problem. */
function read(...pieces: (string | Uint8Array)[]): string[] {
  const reader = new LineReader();
  const out = pieces.flatMap((piece) => [...reader.push(Buffer.from(piece))]);
  return [...out, ...reader.end()].map((line) =>
    line instanceof BatonError ? line.code : Buffer.from(line).toString(),
  );
}

describe('bytes become lines', () => {
  const cases: [what: string, pieces: (string | Uint8Array)[], lines: string[]][] = [
    ['one piece, two lines', ['a\nb\n'], ['a', 'b']],
    ['a line in three pieces', ['a', 'b', 'c\n'], ['abc']],
    ['CR LF keeps its CR, which is space to JSON', ['{}\r\n'], ['{}\r']],
    ['a bare CR splits nothing', ['a\rb\n'], ['a\rb']],
    ['U+2028 and U+2029 split nothing', ['a\u2028b\u2029c\n'], ['a\u2028b\u2029c']],
    ['an empty line is a line', ['\n\n'], ['', '']],
    ['half a line at the end is a line', ['a\nb'], ['a', 'b']],
    ['nothing is nothing', [], []],
    ['exactly as long as may be', ['x'.repeat(MIB), '\n'], ['x'.repeat(MIB)]],
    ['one byte too long', ['x'.repeat(MIB), 'x\nb\n'], ['PAYLOAD_TOO_LARGE', 'b']],
    ['endless and then over', [...Array(20).fill('x'.repeat(MIB)), '\nb'], ['PAYLOAD_TOO_LARGE', 'b']],
    ['endless to the end', ['x'.repeat(MIB), 'xx'], ['PAYLOAD_TOO_LARGE']],
  ];

  test.each(cases)('%s', (_, pieces, lines) => {
    expect(read(...pieces)).toEqual(lines);
  });

  test('however they are cut, characters of several bytes stay whole', () => {
    const text = 'é€😀 \u2028 end';
    const bytes = Buffer.from(`${text}\n${text}\n`);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual([text, text]);
    }
  });

  test('byte by byte it is the same, and costs no more than twice its length', () => {
    const reader = new LineReader();
    const line = Buffer.alloc(100_000, 'é');
    for (const byte of line) expect([...reader.push(Uint8Array.of(byte))]).toEqual([]);
    expect((reader as unknown as { held: Buffer }).held.length).toBeLessThanOrEqual(2 * line.length);
    expect([...reader.push(Buffer.from('\n'))]).toEqual([line]);
  });

  test('of an endless line nothing is kept', () => {
    const reader = new LineReader();
    const piece = Buffer.alloc(MIB, 'x');
    for (let count = 0; count < 100; count += 1) expect([...reader.push(piece)]).toEqual([]);
    expect((reader as unknown as { held: Buffer }).held).toHaveLength(0);
  });
});
