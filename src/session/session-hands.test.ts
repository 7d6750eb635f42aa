import { expect, test } from 'vitest';
import { createScrub } from '../engine/scrub.js';
import { nodeHasher } from '../system/node-hasher.js';
import { endOf } from './session-hands.js';

test('what clients are shown stays JSON when the shape of a secret reaches over two of its texts', () => {
  const said = {
    success: true,
    first: '-----BEGIN PRIVATE KEY-----',
    rest: ['A'.repeat(64), '-----END PRIVATE KEY-----'],
  };
  const hands = { scrub: createScrub([]), hasher: nodeHasher };
  const { result, bodies } = endOf(hands, { said, output: 'ok', success: true, isDenied: false, activeMs: 1 });
  const body = bodies.find(({ sha256 }) => sha256 === result.end.said.sha256);
  expect(JSON.parse(new TextDecoder().decode(body?.bytes))).toMatchObject({ success: true });
});
