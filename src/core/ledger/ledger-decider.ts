import type { Decider } from '../kernel/decider.js';
import type { InboxChange } from '../kernel/inbox.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { decideLedger } from './ledger-decide.js';
import { ledgerEffects, mayBegin, nextDueMs, owesSomething } from './ledger-effects.js';
import { evolveLedger } from './ledger-evolve.js';
import type { Halt, LedgerCommand, LedgerEvent } from './ledger-messages.js';
import { decodeLedger, encodeLedger } from './ledger-snapshot.js';
import type { Ledger, LiveLedger } from './ledger-state.js';

/** Contract 003: tasks of one objective, who has which paths, and what each has come to. */
export const ledgerDecider: Decider<LedgerCommand, LedgerEvent, Ledger> = {
  kind: 'ledger',
  version: 1,
  initialState: () => ({ status: 'new' }),
  decide: decideLedger,
  evolve: evolveLedger,
  outstanding: (ledger) => (ledger.status === 'new' ? [] : ledgerEffects(ledger)),
  summary,
  inbox,
  snapshot: {
    encode: encodeLedger,
    decode: decodeLedger,
    // Written whole each time, so the more there is the seldomer.
    every: (ledger) => (ledger.status === 'new' ? 0 : ledger.tasks.size),
  },
};

export type LedgerStatus = 'todo' | 'running' | 'done' | 'blocked' | 'failed';

export function statusOf(ledger: LiveLedger): LedgerStatus {
  const { counts, tasks, active, merging, delayed, going, halt, plan } = ledger;
  // What waits to be merged is not at work while nothing is merged.
  const atWork = active.size - (halt ? merging.size : 0);
  if (plan.underWay) return 'running';
  if (tasks.size > 0 && counts.done + counts.canceled === tasks.size) return 'done';
  if (atWork > 0 || (going && !halt && (delayed.size > 0 || mayBegin(ledger)))) return 'running';
  if (counts.failed > 0) return 'failed';
  if (counts.blocked > 0 || halt) return 'blocked';
  return going && counts.todo > 0 ? 'blocked' : 'todo';
}

function summary(ledger: Readonly<Ledger>): RunSummary {
  if (ledger.status === 'new') throw new Error('a ledger has no row before it is opened');
  const { order, spent, watch, counts, tasks, questions } = ledger;
  const owes = owesSomething(ledger);
  const dueMs = ledger.going ? nextDueMs(ledger) : null;
  const lookMs = watch && !watch.looking ? watch.atMs : null;
  const isOver = tasks.size > 0 && counts.done + counts.failed + counts.canceled === tasks.size;
  const status = statusOf(ledger);
  return {
    status,
    title: order.objective.split('\n', 1)[0]?.slice(0, TITLE_LENGTH_MAX) ?? '',
    agent: order.agent,
    project: order.project,
    parent: null,
    owes,
    wakeAtMs: dueMs === null || lookMs === null ? (dueMs ?? lookMs) : Math.min(dueMs, lookMs),
    waitingFor: questions.size > 0 ? 'blocker' : null,
    ended: isOver && !owes,
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: spent.asks,
  };
}

const TITLE_LENGTH_MAX = 100;

const HALTS: Readonly<Record<Halt['why'], string>> = {
  limit: 'Raise the limit, or leave it?',
  merge: 'Repair what is said, then go on?',
  plan: 'The plan cannot be used. Ask for another one?',
};

function inbox(event: LedgerEvent): InboxChange | undefined {
  switch (event.type) {
    case 'BlockerAsked': {
      const question = `${event.reason}. Give it to another agent, try again with more time, or give it up?`;
      return {
        open: { key: questionKey(event.question), kind: 'blocker', title: `${event.task} is blocked`, question },
      };
    }
    case 'LedgerHalted': {
      const kind = event.why === 'limit' ? 'limit' : 'intervention';
      const question = HALTS[event.why];
      return { open: { key: questionKey(event.question), kind, title: event.reason, question } };
    }
    case 'BlockerAnswered':
    case 'LedgerResumed':
      return { close: questionKey(event.question) };
    default:
      return undefined;
  }
}

export function questionKey(question: number): string {
  return `blocker-${question}`;
}
