/** Contract 003: heartbeats must be there, be believable, and be young enough. */

import { generated, known, status, taskId } from './common-shapes.js';
import { momentMs } from './moments.js';
import { type Finding, first, firstAmong, listOf, moment, momentOrNull, record, unless, whole } from './shapes.js';

type Task = { status: string; timeout_seconds: number; last_heartbeat_at: string | null };
type Watch = { now: string; tasks: Task[] };

const FUTURE_MS = 30_000;

export const watchdogShape = record({
  ...known,
  now: moment,
  tasks: listOf(record({ task_id: taskId, status, timeout_seconds: whole(30), last_heartbeat_at: momentOrNull })),
  ...generated,
});

export function watchdogOpinion(value: unknown): Finding {
  const { now, tasks } = value as Watch;
  const ageMs = (beat: string): number => (momentMs(now) as number) - (momentMs(beat) as number);
  const believable = (task: Task): boolean =>
    task.last_heartbeat_at === null ? task.status !== 'in_progress' : ageMs(task.last_heartbeat_at) >= -FUTURE_MS;
  const inTime = ({ last_heartbeat_at: beat, ...task }: Task): boolean =>
    task.status !== 'in_progress' || beat === null || ageMs(beat) <= task.timeout_seconds * 1000;
  return first(
    () => firstAmong(tasks, (task) => unless(believable(task), 'SCHEMA_INVALID')),
    () => firstAmong(tasks, (task) => unless(inTime(task), 'TASK_TIMEOUT')),
  );
}
