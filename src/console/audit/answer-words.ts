import type { RunEvent } from '../../client/index.js';

type Data = Readonly<Record<string, unknown>>;

const RESOLVED: Readonly<Record<string, string>> = {
  approved: 'approved once',
  approved_for_session: 'approved for the session',
  denied: 'denied',
  abort: 'stopped, and with it its task,',
};

const WORDS: Readonly<Record<string, (data: Data) => string>> = {
  JobApproved: () => 'approved the work',
  JobResumed: ({ by }) =>
    by === 'raise' ? 'raised the limit' : by === 'reject' ? 'sent the work back' : 'resubmitted it',
  JobCanceled: () => 'ended the job',
  ApprovalAnswered: ({ verdict }) =>
    `${(verdict as { decision?: string } | undefined)?.decision ?? 'answered'} what was asked for`,
  ApprovalResolved: ({ decision }) => `${RESOLVED[String(decision)] ?? 'answered'} what a session asked for`,
  HandoffAnswered: () => 'answered in the place of an agent',
  RequestAnswered: () => 'answered what an orchestrator asked',
  EnvelopeResumed: () => 'said what an envelope waited for',
  BlockerAnswered: ({ answer }) =>
    (answer as { type?: string } | null)?.type === 'give-up' ? 'gave a task up' : 'let a task be tried again',
  LedgerResumed: () => 'let an operator go on',
  LandingBegun: () => 'took the work home',
  LandingSentBack: () => 'sent the work back',
  LandingDropped: () => 'left the work where it is',
  LimitsRaised: () => 'set other limits',
  RollbackBegun: ({ point }) => `went back to ${String(point)}`,
  PhaseSet: ({ phase }) => `set the phase ${String(phase)}`,
  JobRanked: ({ rank }) => `moved it in the queue, to rank ${String(rank)}`,
  TokenAdded: ({ token }) => `made the token ${(token as { name?: string } | undefined)?.name ?? ''}`,
  TokenRevoked: ({ name }) => `revoked the token ${String(name)}`,
  RuleAdded: ({ id }) => `made the rule ${String(id)}`,
  RuleRemoved: ({ id }) => `removed the rule ${String(id)}`,
  BudgetSet: () => 'set a budget',
  BudgetRemoved: () => 'removed a budget',
  NotifierAdded: ({ notifier }) => `made the notifier ${(notifier as { name?: string } | undefined)?.name ?? ''}`,
  NotifierRemoved: ({ name }) => `removed the notifier ${String(name)}`,
};

/** What somebody did, after their name. */
export function answerWords({ type, data }: Pick<RunEvent, 'type' | 'data'>): string {
  return WORDS[type]?.((data ?? {}) as Data) ?? type;
}
