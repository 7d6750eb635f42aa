import path from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { pause, within } from '../stage/waiting.js';
import { EnvelopeStage } from './envelope-stage.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 120_000;
const END_MS_MAX = 60_000;
const STARTED_MS = 3_000;

test.skipIf(missing('Linux', 'git', 'flock') !== undefined)(
  'whoever waits for an envelope goes on with it when the one who worked on it is killed',
  { timeout: LONG_MS },
  async () => {
    const stage = await EnvelopeStage.set({ root, keep: false });
    try {
      const envelope = stage.add('halves');
      const first = stage.startCommand([envelope]);
      await within(END_MS_MAX, () => stage.agents.said().length > 1);
      const second = stage.startCommand([envelope]);
      await pause(STARTED_MS);
      expect(first.exit).toBeUndefined();
      await first.kill();
      expect(await within(END_MS_MAX, () => second.exit !== undefined)).toBe(true);
      await second.ended;
      expect(JSON.parse(envelope.result ?? '{}')).toMatchObject({ terminal_reason: 'completed_successfully' });
      expect(stage.problems).toEqual([]);
    } finally {
      await stage.clear();
    }
  },
);
