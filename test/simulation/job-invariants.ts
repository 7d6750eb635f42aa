import { jobDecider } from '../../src/core/job/job-decider.js';
import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { Job, LiveJob } from '../../src/core/job/job-state.js';
import type { Machine } from '../../src/engine/machines.js';
import type { EventRow } from '../../src/engine/ports.js';
import { HANDOFF_RULES } from './job-handoff-rules.js';
import type { Rule } from './job-rule.js';
import { STATE_RULES } from './job-state-rules.js';
import type { KindInvariants } from './told.js';

const RULES: Readonly<Record<string, Rule>> = { ...HANDOFF_RULES, ...STATE_RULES };

/** Every rule looks on while the job is told again, event by event. */
export const jobInvariants: KindInvariants = {
  machine: jobDecider as unknown as Machine,
  problems({ run, rows, events, journal }) {
    const rules = Object.entries(RULES).map(([name, rule]) => ({ name, look: rule() }));
    const problems: string[] = [];
    const broken = new Set<string>();
    let job: Job = jobDecider.initialState();
    (events as readonly JobEvent[]).forEach((event, index) => {
      const before = job;
      job = jobDecider.evolve(job, event);
      if (before.status === 'NEW') return;
      const last = index === events.length - 1;
      const step = { run, before, event, after: job as LiveJob, row: rows[index] as EventRow, last, journal };
      for (const { name, look } of rules) {
        const problem = look(step);
        if (problem !== undefined && !broken.has(name)) {
          problems.push(`event ${index + 1}, ${event.type}: ${name}: ${problem}`);
        }
        if (problem !== undefined) broken.add(name);
      }
    });
    return problems;
  },
};
