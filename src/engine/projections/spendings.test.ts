import { expect, test } from 'vitest';
import type { EventRow } from '../ports.js';
import { Spendings } from './spendings.js';

const USAGE = { inputTokens: 10, outputTokens: 5, costMicroUsd: 7 };
const NOTHING = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
const ended = { type: 'HandoffEnded', atMs: 2, handoff: 'h1', response: 'SUCCESS', action: 'COMPLETED', usage: USAGE };

function rowsOf(events: readonly { type: string }[]): EventRow[] {
  return events.map(({ type, ...data }, index) => ({
    ...{ position: index + 1, run: 'b', seq: index + 1, type, data: JSON.stringify(data), at: '', actor: '' },
    ...{ key: null, epoch: null, hash: '' },
  }));
}

test('what the agents of a bridge have used is counted, also when it is gone on with', async () => {
  const rows = rowsOf([
    { type: 'BridgeBegun', order: { project: 'shop' } } as { type: string },
    { type: 'HandoffAsked', handoff: 'h1', agent: 'claude' } as { type: string },
    ended,
    { type: 'BridgeBegun', order: { project: 'shop' } } as { type: string },
    { type: 'HandoffAsked', handoff: 'h2', agent: 'codex' } as { type: string },
    { ...ended, handoff: 'h2', response: 'ERROR', action: 'RETRY' },
  ]);
  const spendings = new Spendings({ feed: async (after) => rows.filter(({ position }) => position > after) });
  expect(await spendings.all()).toMatchObject([
    { run: 'b', kind: 'bridge', project: 'shop', agent: 'claude', usage: USAGE, kept: true },
    { run: 'b', kind: 'bridge', project: 'shop', agent: 'codex', usage: USAGE, kept: false },
  ]);
});

test('what a session has used is counted turn by turn, by whom it asks then, and what led nowhere as that', async () => {
  const asks = (agent: string) =>
    ({ type: 'SessionConfigured', order: { agent, project: 'shop' } }) as { type: string };
  const used = (type: string) => ({ type, usage: USAGE }) as { type: string };
  const rows = rowsOf([
    ...[asks('large'), used('ResponseReceived'), used('RetryPlanned'), used('TurnRestarted'), used('Compacted')],
    ...[{ type: 'CompactionBegun' }, { type: 'CompactionBegun', spent: { usage: USAGE } } as { type: string }],
    ...[asks('small'), used('TaskFailed'), { type: 'TaskFailed', usage: { ...USAGE, ...NOTHING } } as { type: string }],
  ]);
  const spendings = new Spendings({ feed: async (after) => rows.filter(({ position }) => position > after) });
  const found = (await spendings.all()).map(({ agent, kept, kind, project }) => [agent, kept, kind, project]);
  const of = (agent: string, kept: boolean) => [agent, kept, 'session', 'shop'];
  expect(found).toEqual([
    ...[of('large', true), of('large', false), of('large', false), of('large', true), of('large', false)],
    of('small', false),
  ]);
});
