import type { WatchdogInput } from '../generated/types/watchdog.js';
import { validate, validateStrict } from '../generated/validators/watchdog.js';
import type { Contract } from '../shared/contract.js';
import { dateTimeMs } from '../shared/formats.js';
import { type Denial, deny } from '../shared/verdict.js';

const FUTURE_SECONDS_MAX = 30;

/** Contract 003: heartbeats must be there, be believable, and be young enough. */
export const watchdog: Contract<WatchdogInput> = {
  name: 'watchdog',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [believableBeats, beatsInTime],
};

type Watched = WatchdogInput['tasks'][number];

function believableBeats({ now, tasks }: WatchdogInput): true | Denial {
  const nowMs = dateTimeMs(now);
  for (let index = 0; index < tasks.length; index += 1) {
    const because = unbelievable(nowMs, tasks[index] as Watched);
    const path = because && `/tasks/${index}/last_heartbeat_at`;
    if (path) return deny('SCHEMA_INVALID', `${path} ${because}`, { path });
  }
  return true;
}

function unbelievable(nowMs: number, { task_id, status, last_heartbeat_at: beat }: Watched): string | undefined {
  if (beat === null) return status === 'in_progress' ? `is null while ${task_id} is in progress` : undefined;
  const aheadSeconds = (dateTimeMs(beat) - nowMs) / 1000;
  if (aheadSeconds <= FUTURE_SECONDS_MAX) return undefined;
  return `of ${task_id} lies ${Math.round(aheadSeconds)} s in the future`;
}

function beatsInTime({ now, tasks }: WatchdogInput): true | Denial {
  const nowMs = dateTimeMs(now);
  const names = tasks.filter((task) => ageSeconds(nowMs, task) > task.timeout_seconds).map(({ task_id }) => task_id);
  if (names.length === 0) return true;
  const reason = `${names.length} without a heartbeat in time: ${names.slice(0, 10).join(', ')}`;
  return deny('TASK_TIMEOUT', reason, { timed_out: names });
}

function ageSeconds(nowMs: number, { status, last_heartbeat_at: beat }: Watched): number {
  return status !== 'in_progress' || beat === null ? 0 : (nowMs - dateTimeMs(beat)) / 1000;
}
