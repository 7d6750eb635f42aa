import { expect, test } from 'vitest';
import type { EventRow } from '../../engine/ports.js';
import { NotableEvents } from './notable-events.js';

const row = (type: string, data: object, actor = 'kim'): EventRow => ({
  ...{ position: 1, run: 'a', seq: 1, type, data: JSON.stringify(data) },
  ...{ at: '2026-01-01T00:00:00.000Z', actor, key: null, epoch: null, hash: 'x' },
});

const seen = (...rows: EventRow[]): string[] => {
  const notable = new NotableEvents();
  for (const one of rows) notable.see(one);
  return notable.list().answers.map(({ type }) => type);
};

test.each([
  ['ApprovalResolved', { call: 'c', decision: 'approved', by: 'kim' }],
  ['HandoffAnswered', { handoff: 'h1', question: 2 }],
  ['RequestAnswered', { by: 'kim', question: 3 }],
  ['EnvelopeResumed', {}],
  ['BlockerAnswered', { question: 1, answer: { type: 'give-up' } }],
  ['LandingBegun', {}],
  ['BudgetSet', {}],
])('%s of a person is what an auditor looks for, and of nobody else', (type, data) => {
  expect(seen(row(type, data))).toEqual([type]);
  expect(seen(...['engine', 'server', 'notifier', 'run:b'].map((actor) => row(type, data, actor)))).toEqual([]);
});

test.each([
  ['ApprovalResolved', { decision: 'withdrawn' }],
  ['BlockerAnswered', { question: 1, answer: null }],
  ['HandoffAnswered', { handoff: 'h1', question: null }],
  ['RequestAnswered', { by: 'reviewer', question: null }],
])('%s was decided by nobody when no person was asked', (type, data) => {
  expect(seen(row(type, data))).toEqual([]);
});
