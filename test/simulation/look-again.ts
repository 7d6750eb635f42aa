import { jobDecider } from '../../src/core/job/job-decider.js';
import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { Job, LiveJob } from '../../src/core/job/job-state.js';
import type { EventRow } from '../../src/engine/ports.js';
import type { Rule, Step } from './job-rule.js';

/** Every rule looks on while a job is told again, event by event; each says at most once that it was broken. */
export function lookAgain(
  rules: Readonly<Record<string, Rule>>,
  run: string,
  rows: readonly EventRow[],
  body: Step['body'] = () => undefined,
): string[] {
  const looking = Object.entries(rules).map(([name, rule]) => ({ name, look: rule() }));
  const problems = new Map<string, string>();
  let job: Job = jobDecider.initialState();
  rows.forEach((row, index) => {
    const event = { ...JSON.parse(row.data), type: row.type } as JobEvent;
    const before = job;
    job = jobDecider.evolve(job, event);
    if (before.status === 'NEW') return;
    const step = { run, before, event, after: job as LiveJob, row, last: index === rows.length - 1, body };
    for (const { name, look } of looking) {
      const problem = look(step);
      if (problem !== undefined && !problems.has(name)) {
        problems.set(name, `event ${row.seq}, ${row.type}: ${name}: ${problem}`);
      }
    }
  });
  return [...problems.values()];
}
