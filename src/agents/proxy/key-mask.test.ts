import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyMask } from './key-mask.js';

const KEY = 'sk-sk-sk-abc';

test('a key is blotted out wherever chunks are cut, and nothing else is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(KEY, 'sk-', 'sk-sk-', 'plain ', '\n\n'), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
      (parts, sizes) => {
        const text = parts.join('');
        const mask = new KeyMask(KEY);
        let out = '';
        for (let at = 0, index = 0; at < text.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          out += mask.add(Buffer.from(text.slice(at, at + size)));
          at += size;
        }
        out += mask.rest();
        expect(out).toBe(text.replaceAll(KEY, '*'.repeat(KEY.length)));
      },
    ),
  );
});

test('what may begin a key is kept back no longer than needed', () => {
  const mask = new KeyMask(KEY);
  expect(mask.add(Buffer.from('data: sk-s')).toString()).toBe('data: ');
  expect(mask.add(Buffer.from('o\n\n')).toString()).toBe('sk-so\n\n');
});

test('a key too short to be one is not looked for', () => {
  expect(new KeyMask('none').add(Buffer.from('none')).toString()).toBe('none');
});
