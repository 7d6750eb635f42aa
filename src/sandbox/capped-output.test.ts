import { describe, expect, test } from 'vitest';
import { CappedOutput } from './capped-output.js';

const CAP = 128;

function written(...chunks: (string | Buffer)[]): CappedOutput {
  const output = new CappedOutput(CAP);
  for (const chunk of chunks) output.write(Buffer.from(chunk));
  return output;
}

describe('output below the cap', () => {
  test.each([0, 1, 63, 64, 65, 127, 128])('of %i bytes is kept whole', (bytes) => {
    const text = Array.from({ length: bytes }, (_, index) => String(index % 10)).join('');
    const output = written(text);
    expect([output.text(), output.bytes, output.droppedBytes]).toEqual([text, bytes, 0]);
  });

  test('is the same in one piece and byte by byte, also inside a character', () => {
    const text = 'aä€😀'.repeat(12);
    expect(written(...Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))).text()).toBe(text);
  });
});

describe('output above the cap', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join('');

  test.each([1, 7, 64, 1_000, 100_000])('keeps head and tail and says what is missing, in chunks of %i', (size) => {
    const chunks = lines.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const output = written(...chunks);
    expect(output.bytes).toBe(lines.length);
    expect(output.droppedBytes).toBe(lines.length - CAP);
    const text = output.text();
    expect(text.startsWith('line 0\nline 1\n')).toBe(true);
    expect(text).toContain(`\n[${lines.length - CAP} bytes left out]\n`);
    expect(text.endsWith(lines.slice(-CAP / 2))).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CAP);
  });

  test('is never cut inside a character', () => {
    for (let shift = 0; shift < 4; shift++) {
      expect(written('x'.repeat(shift) + '😀'.repeat(1_000)).text()).not.toContain('\uFFFD');
    }
  });

  test('is not longer as text than as bytes, even when no byte of it is text', () => {
    for (const bytes of [100, 10_000]) {
      expect(Buffer.byteLength(written(Buffer.alloc(bytes, 0xff)).text())).toBeLessThanOrEqual(CAP);
    }
  });
});

test('a listener gets every chunk, also those that are dropped, until it leaves', () => {
  const output = new CappedOutput(CAP);
  let heard = 0;
  const leave = output.onChunk(({ length }) => {
    heard += length;
  });
  for (let index = 0; index < 10; index++) output.write(Buffer.alloc(100));
  leave();
  output.write(Buffer.alloc(100));
  expect([heard, output.bytes]).toEqual([1_000, 1_100]);
});

test('a cap without room for the missing-bytes line is a mistake of the caller', () => {
  expect(() => new CappedOutput(127)).toThrow('below 128');
});

describe('output without secrets', () => {
  const secret = 'hunter2-hunter2';
  const clean = (text: string) => text.replaceAll(secret, '[secret]');

  test('below the cap is all of it', () => {
    const { text, droppedBytes } = written(`a ${secret} b`).cleanText(clean);
    expect([text, droppedBytes]).toEqual(['a [secret] b', 0]);
  });

  test.each(Array.from({ length: 40 }, (_, index) => index))('above the cap has none in halves, moved by %i', (by) => {
    const output = written(`${'a'.repeat(30 + by)}${secret}${'b'.repeat(500)}${secret}${'c'.repeat(30 + by)}`);
    const { text, droppedBytes } = output.cleanText(clean);
    expect(text).not.toMatch(/hunter|nter2-/);
    expect(text).toMatch(/^a+.*\n\[\d+ bytes left out\]\n.*c+$/);
    expect(droppedBytes).toBeGreaterThan(output.droppedBytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CAP);
  });
});
