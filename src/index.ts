/** The public library: the contracts, and Baton itself as an object. Later contracts add their services here. */

import type { EnvelopeBoard } from './contracts/api/envelope-shapes.js';
import type { JobObject } from './contracts/api/job-shapes.js';
import type { Claim as ClaimedTask, LedgerBoard, LedgerObject } from './contracts/api/ledger-shapes.js';
import type { AgentRegistration } from './contracts/generated/types/agent.js';
import type { FailureKind } from './core/kernel/effect.js';
import type { EnvelopeOptions } from './engine/envelope/envelope-service.js';
import type { Claimed, Taker, Unanswered } from './engine/handoffs/handoff-queue.js';
import type { Answer } from './engine/inbox/answer.js';
import { JOB_ACTS, type JobAct, type Said } from './engine/job/job-acts.js';
import type { JobOptions, LimitOptions } from './engine/job/job-options.js';
import type { Baton } from './engine/opened-baton.js';
import type { LedgerOptions } from './engine/operator/open-ledger.js';
import type { EventRow, InboxRow } from './engine/ports.js';
import type { SessionClient } from './engine/session/session-client.js';
import type { SessionCaller, WireEvent } from './engine/session/session-desk.js';

export * from './contracts/index.js';
export type {
  Answer,
  Claimed,
  ClaimedTask,
  EnvelopeBoard,
  EnvelopeOptions,
  EventRow,
  FailureKind,
  InboxRow,
  JobObject,
  JobOptions,
  LedgerBoard,
  LedgerObject,
  LedgerOptions,
  LimitOptions,
  SessionClient,
  Taker,
  WireEvent,
};

export type OpenOptions = {
  /** Where everything is kept; default `BATON_HOME`, else `~/.baton`. */
  home?: string;
  /** Who is said to have given the commands. */
  actor?: string;
  env?: Readonly<Record<string, string | undefined>>;
};

const PAGE = 500;
const ITEMS_MAX = 1_000;

/** Opens a home in this process: what it is told to run it drives itself. */
export async function openBaton({ home, actor = 'library', env = process.env }: OpenOptions = {}) {
  const [{ openBaton: open }, { homeFolder }] = await Promise.all([
    import('./wiring.js'),
    import('./settings/home.js'),
  ]);
  const folder = home ?? homeFolder({ env, cwd: process.cwd() });
  const baton = await open({ home: folder, env, cwd: process.cwd(), writer: 'thread', drives: true });
  return {
    jobs: jobsOf(baton, actor),
    ledgers: ledgersOf(baton, actor),
    envelopes: envelopesOf(baton, actor),
    sessions: sessionsOf(baton, actor),
    agents: {
      register: (registration: AgentRegistration) => baton.registerAgent(registration, actor),
      list: () => baton.agents(),
    },
    inbox: {
      list: () => baton.inbox.open(0, ITEMS_MAX),
      details: (row: InboxRow) => baton.inbox.details(row),
      answer: async (item: number, answer: Answer) =>
        baton.inbox.answer(await baton.inbox.item(item), answer, { actor }),
    },
    /** For agents of the adapter `queue`: their work is taken, kept with signs of life, and handed in by its token. */
    handoffs: {
      claim: (taker: Taker): Promise<Claimed | undefined> => baton.queue.claim(taker, new AbortController().signal),
      heartbeat: (token: string) => baton.queue.heartbeat(token),
      log: (token: string, text: string) => baton.queue.tell(token, text),
      answer: (token: string, text: string) => baton.queue.answer(token, text),
      fail: (token: string, why: Unanswered) => baton.queue.fail(token, why),
    },
    events: (from: { after?: number } = {}) => eventsOf(baton, from.after ?? 0),
    close: () => baton.close(),
  };
}

function jobsOf(baton: Baton, actor: string) {
  const { jobs } = baton;
  const act =
    (name: JobAct) =>
    async (id: string, said: Said = {}): Promise<JobObject> => {
      await JOB_ACTS[name](jobs, id, said, { actor });
      return jobs.show(id);
    };
  return {
    create: (options: JobOptions) => jobs.create(options, { actor }),
    /** Until nothing but a person can move it on. */
    async run(id: string): Promise<JobObject> {
      await jobs.go(id, null, { actor });
      const { driveUntilRest } = await import('./cli/job/drive.js');
      await driveUntilRest(baton, id, new AbortController().signal);
      return jobs.show(id);
    },
    show: (id: string) => jobs.show(id),
    diff: (id: string) => baton.diff(id),
    activate: act('activate'),
    cancel: act('cancel'),
    approve: act('approve'),
    terminate: act('terminate'),
    rerun: act('rerun'),
    resubmit: act('resubmit'),
    reject: act('reject'),
    raise: (id: string, limits: LimitOptions) => act('raise')(id, { limits }),
    tell: (id: string, text: string, { now = false } = {}) => act('tell')(id, { text, now }),
  };
}

function ledgersOf(baton: Baton, actor: string) {
  const { operator } = baton;
  const by = { actor };
  /** What was done, then the ledger as it is. */
  const after = async (run: string, act: Promise<unknown>): Promise<LedgerObject> => {
    await act;
    return operator.object(run);
  };
  const driven = async (run: string): Promise<LedgerObject> => {
    const { driveUntilRest } = await import('./cli/job/drive.js');
    await driveUntilRest(baton, run, new AbortController().signal);
    return operator.object(run);
  };
  return {
    /** From a plan. Nothing is begun. */
    create: async (plan: unknown, options: LedgerOptions) => operator.object(await operator.init(plan, options, by)),
    /** From a handoff bundle. */
    takeOver: async (bundle: unknown, options: LedgerOptions) =>
      operator.object(await operator.takeOver(bundle, options, by)),
    /** Until nothing but a person can move it on. */
    async run(run: string, pace: Pick<LedgerOptions, 'agent' | 'fallback' | 'concurrency'> = {}) {
      await operator.go(run, pace, by);
      return driven(run);
    },
    show: (run: string) => operator.object(run),
    board: (run: string) => operator.board(run),
    worklog: (run: string, task: string | null = null) => operator.worklog(run, task),
    handoff: (run: string) => operator.handoff(run),
    assign: (run: string, task: string, owner: string) => operator.assign(run, task, owner, by),
    /** Everything is null when nothing can be begun now. */
    claim: (run: string, owner: string) => operator.claim(run, owner, by),
    /** `epoch`: the number of the claim, or null after an assignment by name. */
    heartbeat: (run: string, task: string, epoch: number | null) =>
      after(run, operator.heartbeat(run, task, { epoch })),
    result: (run: string, result: unknown, epoch: number | null) =>
      after(run, operator.result(run, result, { epoch }, by)),
    delta: (run: string, deltas: unknown) => after(run, operator.delta(run, deltas, by)),
    tick: (run: string) => after(run, operator.tick(run, by)),
    reconcile: (run: string) => after(run, operator.reconcile(run)),
  };
}

function envelopesOf({ envelopes }: Baton, actor: string) {
  const by = { actor };
  return {
    /** Until it ends, waits for a person, or a bound is reached. */
    process: (envelope: unknown, options: EnvelopeOptions = {}) => envelopes.handle(envelope, options, 'process', by),
    /** One stage. */
    step: (envelope: unknown, options: EnvelopeOptions = {}) => envelopes.handle(envelope, options, 'step', by),
    show: (id: string) => envelopes.current(id),
    board: (id: string): Promise<EnvelopeBoard> => envelopes.board(id),
    pipelines: () => envelopes.pipelines(),
  };
}

/** Every event behind a position that there is now. */
async function* eventsOf({ store }: Baton, after: number): AsyncGenerator<EventRow> {
  for (let position = after; ; ) {
    const rows = await store.feed(position, PAGE);
    yield* rows;
    if (rows.length < PAGE) return;
    position = rows.at(-1)?.position ?? position;
  }
}

/** Sessions in this process: the same submissions and events as over any transport. */
function sessionsOf(baton: Baton, actor: string) {
  return {
    /** Submissions in, events out. Needs no token: whoever calls is this process. */
    async connect(): Promise<SessionClient> {
      const { connectInProcess } = await import('./transports/in-process.js');
      const local: SessionCaller = { actor, role: 'admin', agent: null, client: '', isLocal: true };
      return connectInProcess({ desk: baton.sessions, local, authenticate: async () => local });
    },
    /** What clients were told so far, behind a seq. */
    events: (session: string, after = 0): ReturnType<Baton['sessions']['events']> =>
      baton.sessions.events(session, after, PAGE),
  };
}
