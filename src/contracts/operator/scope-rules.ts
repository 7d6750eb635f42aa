/** Rules on paths that several packets of contract 003 share. Each names the place in the payload. */

import { findOverlap, type Held, type Overlap } from '../shared/lock-overlap.js';
import { foldedOverlap, foldedResource, resourceProblem } from '../shared/resource.js';
import { type Denial, deny } from '../shared/verdict.js';

type Lock = { task_id: string; resource: string; active: boolean };

/** Up to this many a look at every pair is faster than building an index. */
const PAIRS_MAX = 64;

/** Every resource has a normal form inside the workspace. The path is only built for the one that has none. */
export function normalisable(resources: readonly string[], path: (index: number) => string): true | Denial {
  for (let index = 0; index < resources.length; index += 1) {
    const problem = resourceProblem(resources[index] as string);
    if (problem) return notNormal(path(index), problem);
  }
  return true;
}

export function resourcesNormalise(items: readonly { resource: string }[], path: string): true | Denial {
  for (let index = 0; index < items.length; index += 1) {
    const problem = resourceProblem((items[index] as { resource: string }).resource);
    if (problem) return notNormal(`${path}/${index}/resource`, problem);
  }
  return true;
}

function notNormal(path: string, problem: string): Denial {
  return deny('SCHEMA_INVALID', `${path} ${problem}`, { path });
}

export function apart(lockScope: readonly string[], forbiddenScope: readonly string[], path: string): true | Denial {
  const pair = firstOverlap(lockScope, forbiddenScope);
  return (
    pair === undefined ||
    deny('SCOPE_VIOLATION', `${path}: lock_scope ${pair[0]} overlaps forbidden_scope ${pair[1]}`, {
      path,
      lock: pair[0],
      forbidden: pair[1],
    })
  );
}

export function withoutSelfOverlap(lockScope: readonly string[], path: string): true | Denial {
  // Every entry stands for a task of its own here, since one task's own locks may not overlap either.
  const overlap = findOverlap(lockScope.map((resource, index) => ({ task_id: String(index), resource })));
  return (
    overlap === undefined ||
    deny('LOCK_CONFLICT', `${path} holds ${overlap.one.resource} and ${overlap.other.resource}, which overlap`, {
      path,
      resources: [overlap.one.resource, overlap.other.resource],
    })
  );
}

/** Active locks of different tasks never overlap. */
export function locksApart(locks: readonly Lock[], path: string): true | Denial {
  if (locks.length < 2) return true;
  const overlap = findOverlap(locks.filter(({ active }) => active));
  if (!overlap) return true;
  const { one, other } = overlap;
  const reason = `${path}: ${other.resource} of ${other.task_id} overlaps ${one.resource} of ${one.task_id}`;
  const locksNamed = [one, other].map(({ task_id, resource }) => ({ task_id, resource }));
  return deny('LOCK_CONFLICT', reason, { path, locks: locksNamed });
}

/** Others' active locks against the scope a task asks for. */
export function freeOfOthers(taskId: string, lockScope: readonly string[], locks: readonly Lock[]): true | Denial {
  const overlap =
    lockScope.length * locks.length <= PAIRS_MAX
      ? pairWithOthers(taskId, lockScope, locks)
      : findOverlap([
          ...locks.filter((lock) => lock.active && lock.task_id !== taskId),
          ...lockScope.map((resource) => ({ task_id: taskId, resource })),
        ]);
  if (!overlap) return true;
  const { one: held, other: wanted } = overlap;
  return deny('LOCK_CONFLICT', `${wanted.resource} is locked by ${held.task_id} through ${held.resource}`, {
    path: '/active_locks',
    task_id: held.task_id,
    resource: held.resource,
    wanted: wanted.resource,
  });
}

function pairWithOthers(taskId: string, lockScope: readonly string[], locks: readonly Lock[]): Overlap | undefined {
  for (let index = 0; index < locks.length; index += 1) {
    const held = locks[index] as Lock;
    if (!held.active || held.task_id === taskId) continue;
    const resource = overlapping(held.resource, lockScope);
    if (resource !== undefined) return { one: held, other: { task_id: taskId, resource } };
  }
  return undefined;
}

function firstOverlap(some: readonly string[], others: readonly string[]): [string, string] | undefined {
  if (some.length * others.length > PAIRS_MAX) return indexedOverlap(some, others);
  for (let index = 0; index < some.length; index += 1) {
    const other = overlapping(some[index] as string, others);
    if (other !== undefined) return [some[index] as string, other];
  }
  return undefined;
}

function overlapping(one: string, others: readonly string[]): string | undefined {
  const folded = foldedResource(one);
  for (let index = 0; index < others.length; index += 1) {
    if (foldedOverlap(folded, foldedResource(others[index] as string))) return others[index];
  }
  return undefined;
}

function indexedOverlap(some: readonly string[], others: readonly string[]): [string, string] | undefined {
  const as =
    (task_id: string) =>
    (resource: string): Held => ({ task_id, resource });
  const overlap = findOverlap([...some.map(as('some')), ...others.map(as('others'))]);
  if (!overlap) return undefined;
  return overlap.one.task_id === 'some'
    ? [overlap.one.resource, overlap.other.resource]
    : [overlap.other.resource, overlap.one.resource];
}
