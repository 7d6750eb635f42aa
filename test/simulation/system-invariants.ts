import { overlaps } from '../../src/contracts/shared/resource.js';
import { jobDecider } from '../../src/core/job/job-decider.js';
import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { Job } from '../../src/core/job/job-state.js';
import { systemDecider } from '../../src/core/system/system-decider.js';
import type { Machine } from '../../src/engine/machines.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { kindOf } from './kinds.js';
import type { KindInvariants } from './told.js';

export const systemInvariants: KindInvariants = {
  machine: systemDecider as unknown as Machine,
  problems: ({ journal }) => lockProblems(journal),
};

/** No two jobs that lock the same paths are ever at work at once. */
function lockProblems(journal: MemoryJournal): string[] {
  const jobs = new Map<string, Job>();
  for (const { run, type, data } of journal.rows) {
    if (kindOf(run) !== 'job') continue;
    const event = { ...JSON.parse(data), type } as JobEvent;
    const job = jobDecider.evolve(jobs.get(run) ?? jobDecider.initialState(), event);
    jobs.set(run, job);
    if (event.type !== 'HandoffAsked' || lockedBy(job).length === 0 || isByHand(job)) continue;
    for (const [other, beside] of jobs) {
      if (other === run || !isAsking(beside) || isByHand(beside)) continue;
      const taken = scopeOf(beside) === scopeOf(job) ? lockedBy(beside) : [];
      const both = lockedBy(job).find((path) => taken.some((other) => overlaps(path, other)));
      if (both !== undefined) return [`${run} and ${other} both work on ${both}`];
    }
  }
  return [];
}

function lockedBy(job: Job): readonly string[] {
  return job.status === 'NEW' ? [] : (job.order.locks ?? []);
}

function scopeOf(job: Job): string | undefined {
  return job.status === 'NEW' ? undefined : job.order.repository?.folder;
}

function isAsking(job: Job): boolean {
  return job.status !== 'NEW' && job.stage.name === 'asking';
}

/** Whoever hands in an answer does not wait for paths. */
function isByHand(job: Job): boolean {
  return job.status !== 'NEW' && 'handoff' in job.stage && 'byHand' in job.stage.handoff && job.stage.handoff.byHand;
}
