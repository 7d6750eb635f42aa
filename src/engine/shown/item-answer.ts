import type { ItemAnswer } from '../../contracts/api/inbox-shapes.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { LandingEvent } from '../../core/landing/landing-decider.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import type { Machines } from '../machines.js';
import type { EventStore, InboxRow } from '../ports.js';

const PAGE = 500;

/** The event that closed an item says it. Null while it is open. */
export async function itemAnswer(
  { store, machines }: { store: EventStore; machines: Machines },
  { run, key, askedAt, answeredAt }: InboxRow,
): Promise<ItemAnswer | null> {
  if (answeredAt === null) return null;
  const row = await store.run(run);
  const machine = row && machines.get(row.kind);
  // Most answers are near the end, and events are read forwards: from the last page back.
  for (let end = row?.version ?? 0; machine && end > 0; end -= PAGE) {
    const events = await store.events(run, Math.max(0, end - PAGE), Math.min(PAGE, end));
    const found = events.findLast(({ type, data, at }) => {
      if (at !== answeredAt) return false;
      const change = machine.inbox({ ...JSON.parse(data), type });
      return change !== undefined && 'close' in change && change.close === key;
    });
    if (found) return { by: found.actor, at: found.at, did: deedOf({ ...JSON.parse(found.data), type: found.type }) };
    if ((events[0]?.at ?? '') < askedAt) break;
  }
  return { by: 'somebody', at: answeredAt, did: 'answered this' };
}

const DEEDS: Readonly<Partial<Record<JobEvent['type'] | LandingEvent['type'], string>>> = {
  JobApproved: 'approved this',
  JobCanceled: 'ended the job',
  HandoffAnswered: 'answered this',
  RollbackBegun: 'rolled the job back',
  PhaseSet: 'sent the job to another phase',
  LandingSentBack: 'sent this back',
  LandingDropped: 'dropped this',
};

const SESSION_DEEDS = {
  approved: 'approved this',
  approved_for_session: 'approved this for the session',
  denied: 'denied this',
  abort: 'aborted the task',
  withdrawn: 'ended the task that asked this',
} as const;

function deedOf(event: JobEvent | LandingEvent | Extract<SessionEvent, { type: 'ApprovalResolved' }>): string {
  if (event.type === 'ApprovalResolved') return SESSION_DEEDS[event.decision];
  if (event.type === 'ApprovalAnswered') return `${event.verdict.decision} this`;
  if (event.type !== 'JobResumed') return DEEDS[event.type] ?? 'answered this';
  return { resubmit: 'resubmitted this', reject: 'rejected this', raise: 'raised the limit' }[event.by];
}
