import { expect, test } from 'vitest';
import type { RunEvent } from '../../client/index.js';
import { foldJob } from './fold-job.js';

const PHASES = [
  { name: 'work', role: 'Worker', agent: 'w' },
  { name: 'review', role: 'Supervisor', agent: 's' },
];
const order = { title: 'T', prompt: { sha256: '', bytes: 0 }, phases: PHASES, limits: { asks: 5 } };
const usage = { inputTokens: 2, outputTokens: 3, costMicroUsd: 7 };

function events(...told: readonly [type: string, data: object][]): RunEvent[] {
  return told.map(([type, data], index) => ({
    ...{ position: index + 1, run_id: 'j', seq: index + 1, type, at: '', actor: 'anna', hash: '' },
    data: { atMs: index * 10, ...data },
  }));
}

test('a job is folded from its events: who had it, what it cost, how often it went where', () => {
  const view = foldJob(
    events(
      ['JobSubmitted', { order }],
      ['JobActivated', {}],
      ['HandoffAsked', { handoff: 'h1', attempt: 1, sequence: 0, phase: 'work', agent: 'w' }],
      ['HandoffEnded', { handoff: 'h1', response: 'ERROR', cause: 'lost', action: 'RETRY', usage, status: 'PENDING' }],
      ['HandoffAsked', { handoff: 'h1', attempt: 2, sequence: 1, phase: 'work', agent: 'w' }],
      ['HandoffAnswered', { handoff: 'h1', usage }],
      ['HandoffEnded', { handoff: 'h1', response: 'SUCCESS', action: 'COMPLETED', status: 'REVIEWING' }],
      ['HandoffAsked', { handoff: 'h2', attempt: 1, sequence: 2, phase: 'review', agent: 's' }],
      ['LimitsRaised', { limits: { tokens: 9 } }],
      ['HandoffEnded', { handoff: 'h2', response: 'SUCCESS', action: 'STUCK', status: 'INTERVENTION_REQUIRED' }],
      ['JobRested', { status: 'INTERVENTION_REQUIRED', handoff: 'h2' }],
    ),
  );
  expect(view.handoffs.map(({ sequence, role, verdict, tokens }) => [sequence, role, verdict, tokens])).toEqual([
    [0, 'Worker', 'LOST', 5],
    [1, 'Worker', 'COMPLETED', 5],
    [2, 'Supervisor', 'STUCK', 0],
  ]);
  expect(view).toMatchObject({ author: 'anna', status: 'INTERVENTION_REQUIRED', restsSinceMs: 100 });
  expect(view.limits).toEqual({ asks: 5, tokens: 9 });
  expect(Object.fromEntries(view.moves)).toEqual({
    'DRAFT PENDING': 1,
    'PENDING RUNNING': 2,
    'RUNNING PENDING': 1,
    'RUNNING REVIEWING': 1,
    'REVIEWING INTERVENTION_REQUIRED': 1,
  });
});
