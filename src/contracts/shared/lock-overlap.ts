import { foldedOverlap, foldedResource, ROOT } from './resource.js';

export type Held = { task_id: string; resource: string };
export type Overlap = { one: Held; other: Held };

/** Below this many a look at every pair is faster than building an index. */
const PAIRS_MAX = 8;

/** The first two locks of different tasks that overlap; O(path depth) per lock. Locks of one task never conflict. */
export function findOverlap(locks: readonly Held[]): Overlap | undefined {
  if (locks.length < 2) return undefined;
  if (locks.length <= PAIRS_MAX) return findPair(locks);
  const byTask = new OverlapFinder();
  for (const lock of locks) {
    const other = byTask.add(lock);
    if (other) return { one: other, other: lock };
  }
  return undefined;
}

function findPair(locks: readonly Held[]): Overlap | undefined {
  const folded = locks.map(({ resource }) => foldedResource(resource));
  for (let later = 1; later < locks.length; later += 1) {
    for (let earlier = 0; earlier < later; earlier += 1) {
      const one = locks[earlier] as Held;
      const other = locks[later] as Held;
      if (one.task_id !== other.task_id && foldedOverlap(folded[earlier] as string, folded[later] as string)) {
        return { one, other };
      }
    }
  }
  return undefined;
}

/**
 * A trie of path segments. Each node remembers up to two locks of different tasks on it and below it, which is
 * enough to find a foreign one without a search.
 */
class OverlapFinder {
  private readonly root: TwoTaskNode = emptyNode();

  add(lock: Held): Held | undefined {
    const resource = foldedResource(lock.resource);
    const segments = resource === ROOT ? [] : resource.split('/');
    const path = [this.root];
    for (const segment of segments) {
      const here = path.at(-1) as TwoTaskNode;
      const foreign = foreignTo(here.held, lock);
      if (foreign) return foreign;
      let next = here.below.get(segment);
      if (!next) {
        next = emptyNode();
        here.below.set(segment, next);
      }
      path.push(next);
    }
    const last = path.at(-1) as TwoTaskNode;
    const foreign = foreignTo(last.held, lock) ?? foreignTo(last.within, lock);
    if (foreign) return foreign;
    remember(last.held, lock);
    for (const node of path) remember(node.within, lock);
    return undefined;
  }
}

type TwoTaskNode = { held: Held[]; within: Held[]; below: Map<string, TwoTaskNode> };

function emptyNode(): TwoTaskNode {
  return { held: [], within: [], below: new Map() };
}

function foreignTo(held: readonly Held[], lock: Held): Held | undefined {
  return held.find((other) => other.task_id !== lock.task_id);
}

function remember(held: Held[], lock: Held): void {
  if (held.length < 2 && !held.some((other) => other.task_id === lock.task_id)) held.push(lock);
}
