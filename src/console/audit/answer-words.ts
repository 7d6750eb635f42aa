import type { RunEvent } from '../../client/index.js';

type Data = Readonly<Record<string, unknown>>;

const WORDS: Readonly<Record<string, (data: Data) => string>> = {
  JobApproved: () => 'approved the work',
  JobResumed: ({ by }) =>
    by === 'raise' ? 'raised the limit' : by === 'reject' ? 'sent the work back' : 'resubmitted it',
  JobCanceled: () => 'ended the job',
  ApprovalAnswered: ({ verdict }) =>
    `${(verdict as { decision?: string } | undefined)?.decision ?? 'answered'} what was asked for`,
  LimitsRaised: () => 'set other limits',
  RollbackBegun: ({ point }) => `went back to ${String(point)}`,
  PhaseSet: ({ phase }) => `set the phase ${String(phase)}`,
  JobRanked: ({ rank }) => `moved it in the queue, to rank ${String(rank)}`,
  TokenAdded: ({ token }) => `made the token ${(token as { name?: string } | undefined)?.name ?? ''}`,
  TokenRevoked: ({ name }) => `revoked the token ${String(name)}`,
  RuleAdded: ({ id }) => `made the rule ${String(id)}`,
  RuleRemoved: ({ id }) => `removed the rule ${String(id)}`,
};

/** What somebody did, after their name. */
export function answerWords({ type, data }: Pick<RunEvent, 'type' | 'data'>): string {
  return WORDS[type]?.((data ?? {}) as Data) ?? type;
}
