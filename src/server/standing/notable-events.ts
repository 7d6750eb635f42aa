import type { EventRow } from '../../engine/ports.js';
import { eventObject } from '../../engine/shown/event-object.js';

const KEPT_MAX = 200;

/** What people have decided, by the events that say so. */
const ANSWERS: ReadonlySet<string> = new Set([
  ...['JobApproved', 'JobResumed', 'JobCanceled', 'ApprovalAnswered', 'LimitsRaised', 'RollbackBegun', 'PhaseSet'],
  ...['JobRanked', 'HandoffAnswered', 'LandingBegun', 'LandingSentBack', 'LandingDropped'],
  ...['ApprovalResolved', 'RequestAnswered', 'EnvelopeResumed', 'BlockerAnswered', 'LedgerResumed'],
  ...['TokenAdded', 'TokenRevoked', 'RuleAdded', 'RuleRemoved', 'BudgetSet', 'BudgetRemoved'],
  ...['NotifierAdded', 'NotifierRemoved'],
]);
/** Whoever writes what follows by itself. */
const NOBODY: ReadonlySet<string> = new Set(['engine', 'server', 'notifier']);

/** The newest of what an auditor looks for: who decided what, and which answers of agents broke the contract. */
export class NotableEvents {
  private readonly answers: EventRow[] = [];
  private readonly violations: EventRow[] = [];

  see(row: EventRow): void {
    if (row.type === 'protocol_violation' || isUnreadable(row)) keep(this.violations, row);
    else if (ANSWERS.has(row.type) && isSomebody(row.actor) && !isUnasked(row)) keep(this.answers, row);
  }

  /** The newest first. */
  list() {
    const shown = (rows: readonly EventRow[]) => rows.toReversed().map(eventObject);
    return { answers: shown(this.answers), violations: shown(this.violations) };
  }
}

/** An attempt that ended because its answer was not of the agreed form. */
function isUnreadable({ type, data }: EventRow): boolean {
  return type === 'HandoffEnded' && /"cause":"(?:schema|action|summary|path|evidence)"/.test(data);
}

function isSomebody(actor: string): boolean {
  return !NOBODY.has(actor) && !actor.startsWith('run:');
}

/** An agent's own answer, or a question that nobody has to answer any more as its task was called off. */
const UNASKED: Readonly<Record<string, string>> = {
  HandoffAnswered: '"question":null',
  RequestAnswered: '"question":null',
  BlockerAnswered: '"answer":null',
  ApprovalResolved: '"decision":"withdrawn"',
};

function isUnasked({ type, data }: EventRow): boolean {
  const sign = UNASKED[type];
  return sign !== undefined && data.includes(sign);
}

function keep(rows: EventRow[], row: EventRow): void {
  rows.push(row);
  if (rows.length > KEPT_MAX) rows.shift();
}
