import type { WatchdogInput } from '../generated/types/watchdog.js';
import { validate, validateStrict } from '../generated/validators/watchdog.js';
import type { Contract } from '../shared/contract.js';
import { firstDenial } from '../shared/untrusted-text.js';
import { type Denial, deny } from '../shared/verdict.js';

const FUTURE_SECONDS_MAX = 30;

/** Contract 003: heartbeats must be there, be believable, and be young enough. */
export const watchdog: Contract<WatchdogInput> = {
  name: 'watchdog',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [
    ({ now, tasks }) => firstDenial(tasks.map((task, index) => believable(Date.parse(now), task, `/tasks/${index}`))),
    ({ now, tasks }) => {
      const timedOut = tasks.filter((task) => ageSeconds(Date.parse(now), task) > task.timeout_seconds);
      if (timedOut.length === 0) return true;
      const names = timedOut.map(({ task_id }) => task_id);
      return deny('TASK_TIMEOUT', `${names.length} without a heartbeat in time: ${names.slice(0, 10).join(', ')}`, {
        timed_out: names,
      });
    },
  ],
};

type Watched = WatchdogInput['tasks'][number];

function believable(nowMs: number, task: Watched, at: string): true | Denial {
  const path = `${at}/last_heartbeat_at`;
  if (task.last_heartbeat_at === null) {
    return (
      task.status !== 'in_progress' ||
      deny('SCHEMA_INVALID', `${path} is null while ${task.task_id} is in progress`, { path })
    );
  }
  const ahead = (Date.parse(task.last_heartbeat_at) - nowMs) / 1000;
  return (
    ahead <= FUTURE_SECONDS_MAX ||
    deny('SCHEMA_INVALID', `${path} of ${task.task_id} lies ${Math.round(ahead)} s in the future`, { path })
  );
}

function ageSeconds(nowMs: number, { status, last_heartbeat_at }: Watched): number {
  if (status !== 'in_progress' || last_heartbeat_at === null) return 0;
  return (nowMs - Date.parse(last_heartbeat_at)) / 1000;
}
