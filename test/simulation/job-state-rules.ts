import { TRIES_MAX } from '../../src/core/job/job-attempt.js';
import { jobDecider } from '../../src/core/job/job-decider.js';
import type { JobEvent } from '../../src/core/job/job-messages.js';
import { openQuestion } from '../../src/core/job/job-state.js';
import { isFinal } from '../../src/core/job/job-status.js';
import { addSpent, exhausted, NOTHING_SPENT, type Spent } from '../../src/core/kernel/budget.js';
import type { Rule, Step } from './job-rule.js';

/** Only these send a phase back; the matrix and lost owners do not. */
const COUNTED: readonly unknown[] = [null, 'check', 'evidence'];

/** What is spent, tried, asked of people and ended. */
export const STATE_RULES: Readonly<Record<string, Rule>> = {
  'an end is final and comes once': () => {
    return ({ before, event, after }) => {
      if (!isFinal(before.status)) return undefined;
      // The point after the last phase, and what it used, are told with its end; what became of the work later.
      const told = ['PointTaken', 'LimitNear', 'PullRequestNoted'].includes(event.type);
      const still = told && after.status === before.status;
      return still ? undefined : `it was ${before.status} and is ${after.status}`;
    };
  },

  'a phase is sent back three times at most, and only by what counts': () => {
    let tries = new Map<string, number>();
    return ({ before, event, after }) => {
      const { phase } = before;
      if (event.type === 'PhaseSet' && event.zeroed) tries = new Map();
      if (event.type === 'JobResumed' && event.by !== 'raise') tries.set(phase, 0).set(event.phase, 0);
      if (isCompleted(before, event)) tries.set(phase, 0);
      if (isSentBack(event)) tries.set(phase, (tries.get(phase) ?? 0) + 1);
      const differs = after.order.phases.find(({ name }) => (tries.get(name) ?? 0) !== (after.tries[name] ?? 0));
      if (differs) return `${differs.name} has ${tries.get(differs.name) ?? 0} tries, not ${after.tries[differs.name]}`;
      const goesOn = isSentBack(event) && event.type === 'HandoffEnded' && event.next.to !== 'rest';
      return goesOn && (tries.get(phase) ?? 0) >= TRIES_MAX ? `${phase} goes on after ${tries.get(phase)}` : undefined;
    };
  },

  'what is spent is what was used, and only a rerun forgets it': () => {
    let used = NOTHING_SPENT;
    return ({ before, event, after }) => {
      if (event.type === 'PhaseSet' && event.zeroed) used = NOTHING_SPENT;
      else if (after.spent.activeMs < before.spent.activeMs) return 'time was taken back';
      used = addSpent(used, usedBy(event));
      const wrong = (['costMicroUsd', 'tokens', 'asks'] as const).find((name) => used[name] !== after.spent[name]);
      return wrong && `${after.spent[wrong]} ${wrong} instead of ${used[wrong]}`;
    };
  },

  'nobody is asked when a limit is reached': () => {
    return ({ before, event }) => {
      if (event.type !== 'HandoffAsked' || event.byHand) return undefined;
      const dimension = exhausted(before.order.limits, before.spent);
      return dimension && `${before.spent[dimension]} ${dimension} are spent`;
    };
  },

  'an open question belongs to a job that rests': () => {
    const open = new Set<string>();
    return ({ event, after, last }) => {
      const change = jobDecider.inbox(event);
      if (change && 'open' in change) open.add(change.open.key);
      if (change && 'close' in change) open.delete(change.close);
      // What is handed in is answered with the next event, which closes what was asked meanwhile.
      if (event.type === 'HandoffAsked' && event.byHand && event.question === undefined) return undefined;
      const question = openQuestion(after);
      const own = question === null ? undefined : `steward-${question}`;
      const stray = [...open].find((key) => key !== own);
      if (stray !== undefined) return `${stray} is asked by a job that is ${after.status}`;
      return last && own !== undefined && !open.has(own) ? `it rests and ${own} is not asked` : undefined;
    };
  },
};

function isSentBack(event: JobEvent): boolean {
  return event.type === 'HandoffEnded' && event.action === 'RETRY' && COUNTED.includes(event.cause);
}

/** At once, or after a person has allowed what was changed. */
function isCompleted({ stage }: Step['before'], event: JobEvent): boolean {
  if (event.type === 'JobApproved') return stage.name === 'resting' && stage.why === 'protected';
  return event.type === 'HandoffEnded' && event.action === 'COMPLETED' && event.cause === null;
}

function usedBy(event: JobEvent): Partial<Spent> {
  if (event.type === 'HandoffAsked') return { asks: 1 };
  if (event.type !== 'HandoffAnswered' && event.type !== 'HandoffEnded') return {};
  const { costMicroUsd, inputTokens, outputTokens } = event.usage;
  return { costMicroUsd, tokens: inputTokens + outputTokens };
}
