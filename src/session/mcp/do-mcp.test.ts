import { expect, test } from 'vitest';
import { createScrub } from '../../engine/scrub.js';
import { nodeClock } from '../../system/node-clock.js';
import { nodeHasher } from '../../system/node-hasher.js';
import type { SessionHands } from '../session-hands.js';
import { doMcp } from './do-mcp.js';

const SECRET = 'hunter2-hunter2-hunter2';
const TOLD_HALF = 16 * 1024;
const SHOWN_HALF = 128 * 1024;

test.each([TOLD_HALF, SHOWN_HALF])('no half of a secret is left where an answer is cut, at %i', async (half) => {
  for (const by of [10, 30, 50, 70]) {
    const text = `${'x'.repeat(half - by)}${SECRET}${'y'.repeat(2 * SHOWN_HALF)}`;
    const answer = { content: [{ type: 'text', text }], isError: false };
    const hands = {
      clock: nodeClock,
      hasher: nodeHasher,
      scrub: createScrub([SECRET]),
      servers: { call: async () => answer },
    };
    const plan = { kind: 'mcp', server: 's', tool: 't', arguments: {} } as const;
    const asked = { held: { run: 'r', epoch: 1 }, msMax: 1_000, signal: new AbortController().signal };
    const { bodies } = await doMcp(hands as unknown as SessionHands, plan, asked);
    expect(bodies).toHaveLength(2);
    for (const { bytes } of bodies) expect(new TextDecoder().decode(bytes)).not.toMatch(/xh|hunter|nter2|2y/);
  }
});
