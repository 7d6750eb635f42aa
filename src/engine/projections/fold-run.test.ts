import { describe, expect, test } from 'vitest';
import type { InboxChange } from '../../core/kernel/inbox.js';
import type { AnyEvent, Machine } from '../machines.js';
import type { EventRow } from '../ports.js';
import { FoldedLists } from './fold-run.js';

/** A machine that does nothing but ask and be answered. */
const asking = {
  initialState: () => ({}),
  evolve: (state: object) => state,
  inbox: (event: AnyEvent) => (event as unknown as { change?: InboxChange }).change,
} as unknown as Machine;

function fold(...changes: (InboxChange | undefined)[]): FoldedLists['questions'] {
  const lists = new FoldedLists('run-1', asking);
  changes.forEach((change, index) => {
    const row = { seq: index + 1, type: 'Moved', data: JSON.stringify({ change }), at: `at ${index + 1}` };
    lists.add(row as EventRow);
  });
  return lists.questions;
}

const ask = (key: string, question: string, expiresAtMs?: number): InboxChange => ({
  open: { key, kind: 'approval', title: 'T', question, ...(expiresAtMs !== undefined && { expiresAtMs }) },
});
const asked = { run: 'run-1', kind: 'approval', title: 'T', expiresAtMs: null, answeredAt: null };

describe('the questions of a run, folded', () => {
  test('are those asked and not yet answered, and those that were', () => {
    expect(fold(ask('a', 'One?'), undefined, ask('b', 'Two?', 5), { close: 'a' })).toEqual([
      { ...asked, key: 'a', question: 'One?', askedAt: 'at 1', answeredAt: 'at 4' },
      { ...asked, key: 'b', question: 'Two?', askedAt: 'at 3', expiresAtMs: 5 },
    ]);
  });

  test('change when they are asked again while open, and stay one', () => {
    expect(fold(ask('a', 'One?'), ask('a', 'Two?', 7))).toEqual([
      { ...asked, key: 'a', question: 'Two?', askedAt: 'at 1', expiresAtMs: 7 },
    ]);
  });

  test('are new ones when they were answered before', () => {
    expect(fold(ask('a', 'One?'), { close: 'a' }, ask('a', 'Two?')).map(({ askedAt }) => askedAt)).toEqual([
      'at 1',
      'at 3',
    ]);
  });
});
