import path from 'node:path';
import { describe, test } from 'vitest';
import type { JobEvent } from '../../../src/core/job/job-messages.js';
import type { Turn } from '../../../src/testing/index.js';
import { allRows } from '../stage/examine-home.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import { missing } from '../stage/missing.js';
import { within } from '../stage/waiting.js';
import { AgentsStage, answer, bash, exec } from './agents-stage.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 180_000;
const PATIENCE_MS = 90_000;
const ESTIMATED_MAX = 40;
const NAP = 'test -e begun || { touch begun; sleep 303.5; }; echo mended >add.js';
const HANDS = { codex: exec, claude: bash };

async function eventsOf({ store }: AgentsStage) {
  const rows = (await allRows(store)).filter(({ run }) => run === 'j');
  return rows.map(({ type, data, epoch }) => ({ epoch, event: { ...JSON.parse(data), type } as JobEvent }));
}

describe.skipIf(missing('Linux', 'git', 'bwrap') !== undefined)(
  'a runner that is stopped for so long that another takes over',
  () => {
    // They wait for the silence of a runner more than for anything else.
    test.concurrent.for(['codex', 'claude'] as const)(
      'and then lives on: %s goes on once, one answer counts, what both used is counted',
      { timeout: LONG_MS },
      async (name, { expect, onTestFinished }) => {
        const turns: Turn[] = [{ steps: [HANDS[name](NAP), answer('add.js')] }];
        const stage = await AgentsStage.set({ root, keep: false, turns });
        onTestFinished(() => stage.clear());
        const how = ['--supervisor', 'none', '--check', 'grep -q mended add.js', '--activate'];
        await stage.run('job', 'create', 'Mend it', '--id', 'j', '--agent', name, ...how);
        const first = stage.start(['job', 'run', '--watch']);
        const naps = () => livingAgents(stage.token).some(({ command }) => command.startsWith('sleep 303.5'));
        expect(await within(PATIENCE_MS, naps), 'it works').toBe(true);
        const before = stage.model.served().length;
        first.signal('SIGSTOP');
        const second = stage.start(['job', 'run', '--watch']);
        // The second resumes the conversation that the first one still holds, as far as that one knows.
        expect(await within(PATIENCE_MS, () => stage.model.served().length > before), 'the other goes on').toBe(true);
        first.signal('SIGCONT');
        let ended = false;
        await within(PATIENCE_MS, () => {
          void stage.store.run('j').then((row) => {
            ended = row?.ended ?? false;
          });
          return ended;
        });
        const shown = await stage.show('j');
        expect(shown).toMatchObject({ status: 'SUCCESS', reason: null });

        const told = await eventsOf(stage);
        const asked = told.flatMap(({ event }) => (event.type === 'HandoffAsked' ? [event.attempt] : []));
        const answers = told.filter(({ event }) => event.type === 'HandoffAnswered');
        expect([asked, answers.length]).toEqual([[1, 2], 1]);
        const epochs = told.map(({ epoch }) => epoch ?? 0);
        expect(epochs, 'nothing of the first is written after the second took over').toEqual(
          [...epochs].sort((a, b) => a - b),
        );
        expect(stage.model.served()[before]?.replies, 'in the same conversation').toBeGreaterThan(0);
        const tokens = stage.model.served().reduce((sum, one) => sum + one.tokens.input + one.tokens.output, 0);
        // What a stream that was cut off had used is estimated by its letters.
        expect(Math.abs((shown?.metrics.tokens ?? 0) - tokens)).toBeLessThanOrEqual(ESTIMATED_MAX);
        for (const one of [first, second]) {
          one.signal('SIGTERM');
          await one.ended;
        }
        await within(10_000, () => livingAgents(stage.token).length === 0);
        expect(describeLiving(livingAgents(stage.token))).toEqual([]);
        expect(stage.problems).toEqual([]);
      },
    );
  },
);
