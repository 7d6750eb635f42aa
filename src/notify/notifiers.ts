import { SYSTEM_RUN } from '../core/kernel/system-run.js';
import type { KeptNotifier } from '../core/system/notifier.js';
import type { SystemState } from '../core/system/system-messages.js';
import type { Machines } from '../engine/machines.js';
import type { Clock, EventStore, Notifier } from '../engine/ports.js';
import { readRun } from '../engine/read-run.js';
import { type Notice, sendNotice } from './send-notice.js';

const PAUSES_MS = [1_000, 5_000];
const REASON_LENGTH_MAX = 500;

type Around = {
  store: EventStore;
  machines: Machines;
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  scrub(text: string): string;
  /** Nobody could be told this way. */
  onFailed(name: string, run: string, reason: string): Promise<void>;
};

/** Tells everybody who wants to know that something waits. What is told again after a crash has the same id. */
export function createNotifier(around: Around): Notifier {
  return {
    async notify(run, { key, title }) {
      const state = (await readRun(around.store, around.machines, SYSTEM_RUN))?.state as SystemState | undefined;
      const at = new Date(around.clock.nowMs()).toISOString();
      const notice: Notice = {
        id: `${run}/${key}`,
        run_id: run,
        title: around.scrub(title),
        at,
        answer: 'baton inbox',
      };
      await Promise.all([...(state?.notifiers.values() ?? [])].map((one) => tell(around, one, notice)));
    },
  };
}

async function tell(around: Around, to: KeptNotifier, notice: Notice): Promise<void> {
  for (const pause of [...PAUSES_MS, undefined]) {
    try {
      await sendNotice(to, notice, around.env);
      return;
    } catch (problem) {
      if (pause === undefined) {
        const reason = around.scrub(problem instanceof Error ? problem.message : String(problem));
        await around.onFailed(to.name, notice.run_id, reason.slice(0, REASON_LENGTH_MAX));
        return;
      }
      await new Promise<void>((resolve) => around.clock.after(pause, resolve));
    }
  }
}
