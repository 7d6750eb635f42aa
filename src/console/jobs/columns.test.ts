import { describe, expect, test } from 'vitest';
import type { JobCard } from '../../client/index.js';
import { byRank, columnOf, ranksFor } from './columns.js';

const card = (run_id: string, rank: number, second: number) => ({
  ...{ run_id, rank, created_at: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z` },
});

/** The order that follows from the changes. */
function moved(queue: ReturnType<typeof card>[], id: string, to: number) {
  const changes = ranksFor(queue, id, to);
  const ranks = new Map(changes.map((change) => [change.id, change.rank]));
  const order = queue.map((one) => ({ ...one, rank: ranks.get(one.run_id) ?? one.rank })).sort(byRank);
  return { order: order.map(({ run_id }) => run_id).join(''), changes: changes.length };
}

describe('a card that is moved in the queue', () => {
  const alike = ['a', 'b', 'c', 'd'].map((id, index) => card(id, 0, index));

  test('needs one change to the front, to the end and where ranks leave room', () => {
    expect(moved(alike, 'd', 0)).toEqual({ order: 'dabc', changes: 1 });
    expect(moved(alike, 'a', 3)).toEqual({ order: 'bcda', changes: 1 });
    expect(moved([card('a', 0, 0), card('b', 5, 1), card('c', 9, 2)], 'c', 1)).toEqual({ order: 'acb', changes: 1 });
  });

  test('pushes those behind it where there is no room', () => {
    expect(moved(alike, 'd', 1)).toEqual({ order: 'adbc', changes: 2 });
  });

  test('changes nothing where it stands already', () => {
    expect(ranksFor(alike, 'b', 1)).toEqual([]);
    expect(ranksFor(alike, 'gone', 1)).toEqual([]);
  });
});

test('a job that waits for a person stands there, whatever else it is', () => {
  const of = (status: string, waiting_for: number | null = null) => columnOf({ status, waiting_for } as JobCard);
  expect([of('RUNNING', 4), of('RUNNING'), of('REVIEWING'), of('HALTED_COST', 3), of('DRAFT'), of('CANCELED')]).toEqual(
    [...(['you', 'working', 'reviewing', 'halted', 'queue', 'done'] as const)],
  );
});
