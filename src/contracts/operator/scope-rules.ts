/** Rules on paths that several packets of contract 003 share. Each names the place in the payload. */

import { findOverlap } from '../shared/lock-overlap.js';
import { normaliseResource, overlaps, resourceOf } from '../shared/resource.js';
import { type Denial, deny } from '../shared/verdict.js';

type Lock = { task_id: string; resource: string; active: boolean };

/** Every resource has a normal form inside the workspace. */
export function normalisable(resources: readonly string[], path: string): true | Denial {
  for (const [index, text] of resources.entries()) {
    const normalised = normaliseResource(text);
    if ('problem' in normalised) {
      return deny('SCHEMA_INVALID', `${path}/${index} ${normalised.problem}`, { path: `${path}/${index}` });
    }
  }
  return true;
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
  const overlap = findOverlap(locks.filter(({ active }) => active));
  return (
    overlap === undefined ||
    deny(
      'LOCK_CONFLICT',
      `${path}: ${overlap.other.resource} of ${overlap.other.task_id} overlaps ${overlap.one.resource} of ${overlap.one.task_id}`,
      { path, locks: [overlap.one, overlap.other].map(({ task_id, resource }) => ({ task_id, resource })) },
    )
  );
}

function firstOverlap(some: readonly string[], others: readonly string[]): [string, string] | undefined {
  const overlap = findOverlap([
    ...dedupe(some).map((resource) => ({ task_id: 'some', resource })),
    ...dedupe(others).map((resource) => ({ task_id: 'others', resource })),
  ]);
  if (!overlap) return undefined;
  return overlap.one.task_id === 'some'
    ? [overlap.one.resource, overlap.other.resource]
    : [overlap.other.resource, overlap.one.resource];
}

function dedupe(resources: readonly string[]): string[] {
  return [...new Set(resources)];
}

/** Others' active locks against the scope a task asks for. */
export function freeOfOthers(taskId: string, lockScope: readonly string[], locks: readonly Lock[]): true | Denial {
  const others = locks.filter((lock) => lock.active && lock.task_id !== taskId);
  const overlap = findOverlap([...others, ...lockScope.map((resource) => ({ task_id: taskId, resource }))]);
  if (!overlap) return true;
  const { one: held, other: wanted } = overlap;
  return deny('LOCK_CONFLICT', `${wanted.resource} is locked by ${held.task_id} through ${held.resource}`, {
    path: '/active_locks',
    task_id: held.task_id,
    resource: held.resource,
    wanted: wanted.resource,
  });
}

export function touches(resource: string, scope: string): boolean {
  return overlaps(resourceOf(resource), resourceOf(scope));
}
