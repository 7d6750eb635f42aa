import type { JobCard } from '../../client/index.js';
import { lookOf } from '../parts/status.js';

export type Column = 'queue' | 'working' | 'reviewing' | 'you' | 'halted' | 'done';

export const COLUMNS: readonly { id: Column; name: string; empty: string; look: ReturnType<typeof lookOf> }[] = [
  { id: 'queue', name: 'Queue', empty: 'Nothing waits for an agent.', look: lookOf('PENDING') },
  { id: 'working', name: 'Working', empty: 'No agent works.', look: lookOf('RUNNING') },
  { id: 'reviewing', name: 'Reviewing', empty: 'Nothing is reviewed.', look: lookOf('REVIEWING') },
  { id: 'you', name: 'Needs you', empty: 'Nothing waits for you.', look: lookOf('INTERVENTION_REQUIRED') },
  { id: 'halted', name: 'Halted', empty: 'No limit was reached.', look: lookOf('HALTED_COST') },
  { id: 'done', name: 'Done', empty: 'Nothing has ended yet.', look: lookOf('SUCCESS') },
];

export function columnOf({ status, waiting_for }: Pick<JobCard, 'status' | 'waiting_for'>): Column {
  if (status.startsWith('HALTED')) return 'halted';
  if (waiting_for !== null || status === 'INTERVENTION_REQUIRED') return 'you';
  if (status === 'RUNNING') return 'working';
  if (status === 'REVIEWING') return 'reviewing';
  return status === 'SUCCESS' || status === 'CANCELED' ? 'done' : 'queue';
}

/** In the queue lower ranks first, then first come; who waits for people longest first; else what changed last. */
export function inOrder(column: Column, cards: readonly JobCard[]): readonly JobCard[] {
  const mine = cards.filter((card) => columnOf(card) === column);
  if (column === 'queue') return mine.sort(byRank);
  // Items are numbered as they were asked.
  if (column === 'you') return mine.sort((one, other) => (one.waiting_for ?? 0) - (other.waiting_for ?? 0));
  return mine.sort((one, other) => (one.updated_at > other.updated_at ? -1 : 1));
}

type Ranked = Pick<JobCard, 'run_id' | 'rank' | 'created_at'>;

export function byRank(one: Ranked, other: Ranked): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? -1 : 1;
  return one.run_id < other.run_id ? -1 : 1;
}

/**
 * Which ranks bring a card to a place among the others: one change where that is enough, else as few as follow from it.
 * `queue` is in order, with the card where it stands now.
 */
export function ranksFor(queue: readonly Ranked[], id: string, to: number): readonly { id: string; rank: number }[] {
  const card = queue.find(({ run_id }) => run_id === id);
  if (!card) return [];
  const others = queue.filter(({ run_id }) => run_id !== id);
  const [before, after] = [others[to - 1], others[to]];
  const fits = (rank: number): boolean =>
    (!before || byRank(before, { ...card, rank }) < 0) && (!after || byRank({ ...card, rank }, after) < 0);
  const near = [card.rank, before?.rank, after?.rank, (before?.rank ?? 0) + 1, (after?.rank ?? 0) - 1];
  const one = near.find((rank) => rank !== undefined && fits(rank));
  if (one !== undefined) return one === card.rank ? [] : [{ id, rank: one }];
  return pushed([...others.slice(0, to), card, ...others.slice(to)]);
}

function pushed(order: readonly Ranked[]): readonly { id: string; rank: number }[] {
  const changes: { id: string; rank: number }[] = [];
  let last: Ranked | undefined;
  for (const card of order) {
    const stands = !last || byRank(last, card) < 0;
    const same = last && byRank(last, { ...card, rank: last.rank }) < 0 ? last.rank : (last?.rank ?? 0) + 1;
    const placed = stands ? card : { ...card, rank: same };
    if (!stands) changes.push({ id: card.run_id, rank: placed.rank });
    last = placed;
  }
  return changes;
}
