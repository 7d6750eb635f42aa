import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventData, SseBlocks } from './sse-blocks.js';

const anyEvent = fc
  .record({
    name: fc.constantFrom('', 'event: ping', ': a comment'),
    data: fc.array(fc.constantFrom('{"a":1}', '好', '', 'x'.repeat(50)), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ name, data, end }) => ({
    text: [...(name === '' ? [] : [name]), ...data.map((line) => `data:${line}`), '', ''].join(end),
    data: data.join('\n'),
  }));

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

test('however events are cut into chunks, blocks hold whole ones, and every byte goes out in order', () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('', 'data: half'),
      (events, sizes, half) => {
        const bytes = Buffer.from(events.map(({ text }) => text).join('') + half);
        const blocks = new SseBlocks();
        const out = cut(bytes, sizes).flatMap((chunk) => blocks.add(chunk) ?? []);
        const rest = blocks.rest();
        expect(rest.toString()).toBe(half);
        expect(Buffer.concat([...out.map((block) => block.bytes), rest])).toEqual(bytes);
        expect(out.flatMap((block) => [...eventData(block.bytes)])).toEqual(events.map(({ data }) => data));
        expect([blocks.atBoundary, out.every(({ whole }) => whole)]).toEqual([true, true]);
      },
    ),
  );
});

test('an event that is too long goes out in pieces, and the next one is whole again', () => {
  const blocks = new SseBlocks();
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  const out = Array.from({ length: 20 }, () => blocks.add(mebibyte));
  expect(out.map((block) => block?.bytes.length ?? 0).slice(15)).toEqual(
    [0, 17, 1, 1, 1].map((size) => size * 1024 * 1024),
  );
  expect([blocks.atBoundary, out.at(-1)?.whole]).toEqual([false, false]);
  expect(blocks.add(Buffer.from('x\n'))?.whole).toBe(false);
  expect(blocks.add(Buffer.from('\ndata: 1'))).toEqual({ bytes: Buffer.from('\n'), whole: false });
  expect([blocks.atBoundary, blocks.add(Buffer.from('\n\n'))]).toEqual([
    true,
    { bytes: Buffer.from('data: 1\n\n'), whole: true },
  ]);
});
