import { expect, test } from 'vitest';
import { createScrub } from '../scrub.js';
import { type FileSeen, keepFiles } from './bridge-folder.js';

const SECRET = 'correct-horse-battery-staple';
const PORTS = {
  scrub: createScrub([SECRET]),
  hasher: { sha256: (data: string | Uint8Array) => `hash ${data.length}` },
};
const NONE = { request: null, response: null, state: null };

const file = (text: string | Uint8Array): FileSeen => ({
  ...{ bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text, atMs: 1, problem: null },
});

test('what lies there is kept; of what has a secret it is known that it is not the whole', () => {
  const { files, bodies } = keepFiles(PORTS, { ...NONE, request: file('{}'), state: file(`{"key": "${SECRET}"}`) });
  expect(files).toMatchObject({ request: { isMasked: false }, response: null, state: { isMasked: true } });
  expect(bodies).toHaveLength(2);
  for (const { bytes } of bodies) expect(new TextDecoder().decode(bytes)).not.toContain(SECRET);
});

test('what cannot be put back as it was is not kept', () => {
  const unreadable: FileSeen = { bytes: null, atMs: 1, problem: 'it is a link' };
  const notText = file(new Uint8Array([0xff, 0xfe]));
  const tooLarge = file(new Uint8Array(8 * 1024 * 1024 + 1));
  const seen = { request: unreadable, response: notText, state: tooLarge };
  expect(keepFiles(PORTS, seen)).toEqual({ files: NONE, bodies: [] });
});

test('a mark at the beginning of a text is part of it', () => {
  const { bodies } = keepFiles(PORTS, { ...NONE, state: file('\ufeff{}') });
  expect(bodies[0]?.bytes).toEqual(new TextEncoder().encode('\ufeff{}'));
});
