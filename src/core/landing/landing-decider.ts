import type { CheckResult } from '../job/job-deeds.js';
import { type Decider, type Decision, refuse } from '../kernel/decider.js';
import type { Effect, EffectResult } from '../kernel/effect.js';
import type { InboxChange } from '../kernel/inbox.js';
import { projectOf } from '../kernel/project.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { unreachable } from '../kernel/unreachable.js';

/** What is to be brought home, and how. */
export type LandingOrder = {
  job: string;
  title: string;
  folder: string;
  /** Of the job. */
  project?: string;
  /** Null is the branch the folder has checked out. */
  into: string | null;
  squash: boolean;
  checks: readonly (readonly string[])[];
  env: readonly string[];
};

/** What the deed `landing.land` says. */
export type LandOutcome =
  | { type: 'landed'; from: string; to: string; ref: string; files: number }
  | { type: 'conflict'; files: readonly string[] }
  | { type: 'checks-failed'; results: readonly CheckResult[] }
  | { type: 'moved' }
  | { type: 'refused'; reason: string };

export type LandingCommand =
  | { type: 'Land'; atMs: number; order: LandingOrder }
  | { type: 'SendBack'; atMs: number; job: string }
  | { type: 'Drop'; atMs: number }
  | EffectResult;

export type LandingEvent = { atMs: number } & (
  | { type: 'LandingBegun'; order: LandingOrder; number: number }
  | { type: 'BranchMoved'; number: number }
  | { type: 'Landed'; from: string; to: string; ref: string; files: number }
  | { type: 'LandingConflicted'; files: readonly string[]; number: number }
  | { type: 'LandingUnproven'; results: readonly CheckResult[]; number: number }
  | { type: 'LandingRefused'; reason: string }
  | { type: 'LandingSentBack'; job: string; number: number }
  | { type: 'LandingDropped'; number: number }
);

type Status = 'landing' | 'landed' | 'conflict' | 'unproven' | 'refused' | 'sent-back' | 'dropped';
export type LandingState =
  | { status: 'new' }
  | { status: Status; order: LandingOrder; number: number; asked: number; outcome: LandOutcome | null };
type Live = Exclude<LandingState, { status: 'new' }>;

/** Bringing a finished job home: merged and checked beside the user's tree, then one ref moves. */
export const landingDecider: Decider<LandingCommand, LandingEvent, LandingState> = {
  kind: 'landing',
  version: 1,
  initialState: () => ({ status: 'new' }),
  decide,
  evolve,
  outstanding: (landing) => (landing.status === 'landing' ? [landEffect(landing)] : []),
  summary,
  inbox,
};

export const landKey = (number: number): string => `land-${number}`;

function landEffect({ order, number }: Live): Effect {
  return { type: 'Perform', key: landKey(number), deed: 'landing.land', input: order };
}

function decide(landing: Readonly<LandingState>, command: LandingCommand): Decision<LandingEvent> {
  const { atMs } = command;
  const number = landing.status === 'new' ? 0 : landing.number;
  switch (command.type) {
    case 'Land':
      if (landing.status === 'landing' || landing.status === 'landed') {
        return refuse('INVALID_TRANSITION', `${command.order.job} is ${landing.status} already`, {
          status: landing.status,
        });
      }
      return {
        events: [...closeOf(landing, atMs), { type: 'LandingBegun', atMs, order: command.order, number: number + 1 }],
      };
    case 'SendBack':
      if (!isAsking(landing)) return refuse('INVALID_TRANSITION', 'nothing of this landing waits for an answer');
      return { events: [{ type: 'LandingSentBack', atMs, job: command.job, number: landing.asked }] };
    case 'Drop':
      if (!isAsking(landing)) return refuse('INVALID_TRANSITION', 'nothing of this landing waits for an answer');
      return { events: closeOf(landing, atMs) };
    case 'Performed':
    case 'Failed': {
      if (landing.status !== 'landing' || command.key !== landKey(landing.number)) return { events: [] };
      const outcome: LandOutcome =
        command.type === 'Failed' ? { type: 'refused', reason: command.reason } : (command.result as LandOutcome);
      return { events: [eventOf(outcome, landing, atMs)] };
    }
    default:
      return { events: [] };
  }
}

function eventOf(outcome: LandOutcome, { number, asked }: Live, atMs: number): LandingEvent {
  switch (outcome.type) {
    case 'landed':
      return { ...outcome, type: 'Landed', atMs };
    case 'conflict':
      return { type: 'LandingConflicted', atMs, files: outcome.files, number: asked + 1 };
    case 'checks-failed':
      return { type: 'LandingUnproven', atMs, results: outcome.results, number: asked + 1 };
    case 'moved':
      return { type: 'BranchMoved', atMs, number: number + 1 };
    case 'refused':
      return { type: 'LandingRefused', atMs, reason: outcome.reason };
    default:
      return unreachable(outcome);
  }
}

function isAsking(landing: Readonly<LandingState>): landing is Live {
  return landing.status === 'conflict' || landing.status === 'unproven';
}

function closeOf(landing: Readonly<LandingState>, atMs: number): LandingEvent[] {
  return isAsking(landing) ? [{ type: 'LandingDropped', atMs, number: landing.asked }] : [];
}

function evolve(landing: LandingState, event: LandingEvent): LandingState {
  if (event.type === 'LandingBegun') {
    const asked = landing.status === 'new' ? 0 : landing.asked;
    return { status: 'landing', order: event.order, number: event.number, asked, outcome: null };
  }
  if (landing.status === 'new') throw new Error(`${event.type} before the landing began`);
  switch (event.type) {
    case 'BranchMoved':
      return { ...landing, number: event.number };
    case 'Landed': {
      const { from, to, ref, files } = event;
      return { ...landing, status: 'landed', outcome: { type: 'landed', from, to, ref, files } };
    }
    case 'LandingConflicted':
      return { ...landing, status: 'conflict', asked: event.number, outcome: { type: 'conflict', files: event.files } };
    case 'LandingUnproven':
      return {
        ...landing,
        status: 'unproven',
        asked: event.number,
        outcome: { type: 'checks-failed', results: event.results },
      };
    case 'LandingRefused':
      return { ...landing, status: 'refused', outcome: { type: 'refused', reason: event.reason } };
    case 'LandingSentBack':
      return { ...landing, status: 'sent-back' };
    case 'LandingDropped':
      return { ...landing, status: 'dropped' };
    default:
      return unreachable(event);
  }
}

function summary(landing: Readonly<LandingState>): RunSummary {
  if (landing.status === 'new') throw new Error('a landing has no row before it began');
  const { status, order } = landing;
  return {
    status,
    title: `land ${order.title}`,
    agent: null,
    project: projectOf(order.project, order.folder),
    parent: order.job,
    owes: status === 'landing',
    wakeAtMs: null,
    waitingFor: isAsking(landing) ? status : null,
    ended: status === 'landed',
    costMicroUsd: 0,
    tokens: 0,
    activeMs: 0,
    handoffs: 0,
  };
}

function inbox(event: LandingEvent): InboxChange | undefined {
  switch (event.type) {
    case 'LandingConflicted': {
      const question = `It conflicts in ${event.files.slice(0, 5).join(', ')}. Send it back to the agent, or drop it?`;
      return { open: { key: `landing-${event.number}`, kind: 'landing', title: 'landing conflicts', question } };
    }
    case 'LandingUnproven': {
      const failed = event.results.filter(({ exitCode }) => exitCode !== 0).map(({ argv }) => argv.join(' '));
      const question = `On the merged tree ${failed.join(', ')} fails. Send it back to the agent, or drop it?`;
      return {
        open: { key: `landing-${event.number}`, kind: 'landing', title: 'checks fail after merging', question },
      };
    }
    case 'LandingSentBack':
    case 'LandingDropped':
      return { close: `landing-${event.number}` };
    default:
      return undefined;
  }
}
