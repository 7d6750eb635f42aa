import { expect, test } from 'vitest';
import type { Run } from '../../client/index.js';
import { byAttention, classOf } from './attention.js';

function run(run_id: string, status: string, minute: number, more: Partial<Run> = {}): Run {
  const at = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  return {
    ...{ run_id, kind: 'job', status, title: '', agent: null, project: null, parent: null, owes: false },
    ...{
      ended: false,
      waiting_for: null,
      waits_for: null,
      metrics: { cost_usd: 0, tokens: 0, seconds: 0, handoffs: 0 },
      wake_at: null,
    },
    ...{ version: 1, head: '', epoch: 0, owner: null, created_at: at, updated_at: at },
    ...more,
  };
}

test('who waits comes first and the oldest of them first; then what moves, is queued, halted and over', () => {
  const runs = [
    run('done', 'SUCCESS', 9, { ended: true }),
    run('halted', 'HALTED_COST', 8, { waiting_for: 3 }),
    run('young', 'INTERVENTION_REQUIRED', 7, { waiting_for: 2 }),
    run('queued', 'PENDING', 6),
    run('earlier', 'RUNNING', 4),
    run('later', 'REVIEWING', 5),
    run('old', 'RUNNING', 1, { waiting_for: 1 }),
  ];
  expect(runs.sort(byAttention).map(({ run_id }) => run_id)).toEqual([
    ...['old', 'young', 'later', 'earlier', 'queued', 'halted', 'done'],
  ]);
});

test('a session without a task is not queued: it waits for nothing but words', () => {
  const status = (name: string) => classOf(run('s', name, 1, { kind: 'session' }));
  expect(['idle', 'running', 'closed'].map(status)).toEqual(['finished', 'moving', expect.any(String)]);
});
