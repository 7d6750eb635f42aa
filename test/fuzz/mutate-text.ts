/** Changes to the bytes of a payload, blind to its structure. */

import type { Random } from './random.js';

const MARKS = [...'"\\{}[],:0-.eE+ \n\r\t'].map((mark) => mark.charCodeAt(0));
const EVIL: readonly (readonly number[])[] = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0xbd],
  [0xef, 0xbb, 0xbf],
  [0xe2, 0x80, 0xa8],
  [0x00],
  [0xf0, 0x9f],
  [0x5c, 0x75, 0x64, 0x38, 0x33, 0x64],
];

type Change = (bytes: number[], random: Random, other: Uint8Array) => void;

const CHANGES: readonly Change[] = [
  (bytes, random) => {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
  },
  (bytes, random) => {
    bytes[random.below(bytes.length)] = random.pick(MARKS);
  },
  (bytes, random) => void bytes.splice(random.below(bytes.length + 1), 0, random.pick(MARKS)),
  (bytes, random) => void bytes.splice(random.below(bytes.length + 1), 0, ...random.pick(EVIL)),
  (bytes, random) => void bytes.splice(random.below(bytes.length), 1 + random.below(4)),
  (bytes, random) => {
    bytes.length = random.below(bytes.length);
  },
  (bytes, random) => {
    const from = random.below(bytes.length);
    bytes.splice(random.below(bytes.length), 0, ...bytes.slice(from, from + 1 + random.below(16)));
  },
  (bytes, random, other) => {
    bytes.splice(random.below(bytes.length), bytes.length, ...other.subarray(random.below(other.length)));
  },
  (bytes, _random, other) => void bytes.push(...other.subarray(0, 200)),
];

export function mutateBytes(base: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const bytes = [...base];
  for (let step = random.pick([1, 1, 1, 2, 3]); step > 0 && bytes.length > 0; step -= 1) {
    random.pick(CHANGES)(bytes, random, other);
  }
  return Uint8Array.from(bytes);
}

const WORDS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"task_id"',
  '1',
  '-0',
  '1e5',
  'true',
  'null',
  ' ',
  '"',
  '\\',
  '😀',
];

/** Bytes, or words of JSON, thrown together. */
export function garbage(random: Random): string | Uint8Array {
  const length = random.below(40);
  if (random.chance(0.3)) return Uint8Array.from({ length }, () => random.below(256));
  return Array.from({ length }, () => random.pick(WORDS)).join('');
}
