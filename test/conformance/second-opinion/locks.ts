import { generated, known, resource, taskId } from './common-shapes.js';
import { conflict, knownPath, normal } from './paths.js';
import { type Finding, first, flag, listOf, record, unless } from './shapes.js';

export type Lock = { task_id: string; resource: string; active: boolean };

export const lock = record({ task_id: taskId, resource, active: flag });

export const lockTableShape = record({ ...known, locks: listOf(lock), ...generated });

export function lockTableOpinion({ locks }: { locks: Lock[] }): Finding {
  return first(
    () => locksNormal(locks),
    () => locksApart(locks),
  );
}

export function locksNormal(locks: readonly Lock[]): Finding {
  return normal(locks.map((held) => held.resource));
}

/** Every pair is looked at. Only active locks of different tasks can conflict. */
export function locksApart(locks: readonly Lock[]): Finding {
  const held = locks.filter((one) => one.active).map((one) => ({ task: one.task_id, path: knownPath(one.resource) }));
  const clash = held.some((one) => held.some((other) => one.task !== other.task && conflict(one.path, other.path)));
  return unless(!clash, 'LOCK_CONFLICT');
}

/** Inside one scope every entry must stand apart from every other one. */
export function scopeApart(scope: readonly string[]): Finding {
  const paths = scope.map(knownPath);
  const clash = paths.some((one, index) => paths.some((other, at) => at !== index && conflict(one, other)));
  return unless(!clash, 'LOCK_CONFLICT');
}
