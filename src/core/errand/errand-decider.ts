import type { Decider } from '../kernel/decider.js';
import type { Effect } from '../kernel/effect.js';
import type { InboxChange } from '../kernel/inbox.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { unreachable } from '../kernel/unreachable.js';
import { decideErrand } from './errand-decide.js';
import { evolveErrand } from './errand-evolve.js';
import type { ErrandCommand, ErrandEvent } from './errand-messages.js';
import { askKey, type Errand, hasEnded } from './errand-state.js';

/**
 * The worked example of a machine: some steps asked of an agent, with retries, a time limit, a check, a human, and
 * other runs before and after it. It uses every effect there is.
 */
export const errandDecider: Decider<ErrandCommand, ErrandEvent, Errand> = {
  kind: 'errand',
  version: 1,
  initialState: () => ({ status: 'new' }),
  decide: decideErrand,
  evolve: evolveErrand,
  outstanding,
  summary,
  inbox,
};

function* outstanding(errand: Readonly<Errand>): Iterable<Effect> {
  switch (errand.status) {
    case 'new':
      return;
    case 'waiting':
      yield { type: 'Await', key: `await-${errand.after}`, run: errand.after };
      return;
    case 'queued': {
      const { asked, questions, tries, order } = errand;
      yield { type: 'Admit', key: `admit-${asked}-${questions}-${tries}`, lane: order.agent, rank: order.rank };
      return;
    }
    case 'asking': {
      const { order, asked, attempt, deadlineMs } = errand;
      const { agent, request } = order;
      yield { type: 'Ask', key: askKey(asked), agent, lane: agent, request, attempt, deadlineMs };
      return;
    }
    case 'backing-off':
      yield { type: 'Wake', key: `wake-${errand.asked}`, atMs: errand.untilMs };
      return;
    case 'checking': {
      const { check } = errand.order;
      if (check) yield { type: 'Exec', key: `check-${errand.checked}`, ...check, deadlineMs: errand.deadlineMs };
      return;
    }
    case 'needs-human':
      if (!errand.notified) {
        yield { type: 'Notify', key: `notify-${errand.questions}`, title: `${errand.order.title}: ${errand.why}` };
      }
      return;
    case 'done':
    case 'failed':
    case 'canceled': {
      const { report } = errand.order;
      if (report !== null && !errand.reported) {
        const command = { type: 'Report', from: errand.order.title, status: errand.status };
        yield { type: 'Tell', key: 'report', run: report, command };
      }
      return;
    }
    default:
      unreachable(errand);
  }
}

function summary(errand: Readonly<Errand>): RunSummary {
  if (errand.status === 'new') throw new Error('an errand has no row before it is submitted');
  const { order, spent } = errand;
  const effects = [...outstanding(errand)];
  return {
    status: errand.status,
    title: order.title,
    agent: order.agent,
    project: null,
    parent: null,
    owes: effects.some(({ type }) => type !== 'Wake'),
    wakeAtMs: errand.status === 'backing-off' ? errand.untilMs : null,
    waitingFor: errand.status === 'needs-human' ? errand.why : null,
    ended: hasEnded(errand),
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: spent.asks,
  };
}

function inbox(event: ErrandEvent): InboxChange | undefined {
  if (event.type === 'HumanAnswered') return { close: `human-${event.number}` };
  if (event.type !== 'HumanAsked') return undefined;
  const kind = event.why === 'review' ? 'approval' : event.why === 'limit' ? 'limit' : 'intervention';
  return { open: { key: `human-${event.number}`, kind, title: event.why, question: QUESTIONS[kind] } };
}

const QUESTIONS = {
  approval: 'All steps are answered. Is it done?',
  limit: 'A limit is reached. Raise it, or cancel?',
  intervention: 'It cannot go on by itself. Try again, or give up?',
} as const;
