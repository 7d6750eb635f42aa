import type { RelayRow, RelayVerdict } from '../../../contracts/api/job-shapes.js';
import type { JobEvent } from '../../../core/job/job-messages.js';
import type { LiveJob } from '../../../core/job/job-state.js';
import { wholeMicros } from '../cost-report.js';

const MICRO_PER_USD = 1_000_000;

type Event<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;
/** An attempt as its events tell it; the words of its summary lie elsewhere. */
export type Attempt = Omit<RelayRow, 'summary_text'>;

/** Where an event stands, and who had the run when it was written. */
export type Stand = { seq: number; epoch: number | null };

export function beginRow(event: Event<'HandoffAsked'>, role: string, { seq, epoch }: Stand): Attempt {
  const { sequence, handoff, attempt, phase, agent, byHand, atMs } = event;
  return {
    ...{ sequence, handoff, attempt, phase, role, agent, by_hand: byHand, epoch, event: seq, last_event: seq },
    ...{ asked_at: timeOf(atMs), ended_at: null, verdict: null, reason: null, tokens: 0, cost_usd: 0, thread: null },
    ...{ request: null, answer: null, summary: null, checks: [], evidence: [], missing: [] },
    ...{ changed: null, commits: null },
  };
}

/** The row with one more of its events; `before` and `after` are the job around it. */
export function moveRow(
  row: Attempt,
  event: JobEvent,
  seq: number,
  around: { before: LiveJob; after: LiveJob },
): Attempt {
  if (!('handoff' in event) || event.handoff !== row.handoff) return row;
  return { ...row, ...told(row, event, around.before.commit), ...spent(row, around), last_event: seq };
}

function told(row: Attempt, event: JobEvent, before: string | null): Partial<Attempt> {
  switch (event.type) {
    case 'HandoffAnswered':
      return { ...threadIn(event), answer: event.answer, request: event.request };
    case 'HandoffCollected': {
      const { evidence, missing, summary, changed, commit } = event.reading;
      const moved = commit !== null && before !== null && commit !== before;
      const commits = moved ? { from: before, to: commit } : null;
      return { evidence, missing, summary, changed, commits };
    }
    case 'ChecksEnded':
      return { checks: event.checked.results };
    case 'HandoffEnded': {
      const ended = { ended_at: timeOf(event.atMs), verdict: verdictOf(event), reason: event.reason };
      return { ...threadIn(event), ...ended, request: row.request ?? event.request };
    }
    default:
      return {};
  }
}

function threadIn({ thread }: { thread?: string }): Partial<Attempt> {
  return thread === undefined ? {} : { thread };
}

function spent(row: Attempt, { before, after }: { before: LiveJob; after: LiveJob }): Partial<Attempt> {
  return {
    tokens: row.tokens + after.spent.tokens - before.spent.tokens,
    cost_usd: wholeMicros(row.cost_usd + (after.spent.costMicroUsd - before.spent.costMicroUsd) / MICRO_PER_USD),
  };
}

function verdictOf({ response, action, cause }: Event<'HandoffEnded'>): RelayVerdict {
  if (cause === 'lost') return 'LOST';
  if (cause === 'asked') return 'ASKED';
  return response === 'SUCCESS' ? action : 'FAILED';
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
