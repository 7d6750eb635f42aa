import { bridgeDecider, statusOf, titleOf } from '../../core/bridge/bridge-decider.js';
import type {
  BridgeEvent,
  BridgeProblem,
  BridgeReply,
  Exit,
  FileName,
  KeptFile,
} from '../../core/bridge/bridge-messages.js';
import type { BridgeRun, LiveBridge } from '../../core/bridge/bridge-state.js';
import type { EventRow, EventStore } from '../ports.js';
import { ticksOf } from '../shown/timeline/job-view.js';
import { markOf } from '../shown/timeline/moment.js';
import { type BridgeHolder, bridgeCard } from './bridge-card.js';

/** One start of the orchestrator. */
export type BridgeRound = {
  round: number;
  resume: boolean;
  started_at: string;
  ended_at: string | null;
  exit: Exit | null;
  lost: string | null;
};

/** One crossing: what was asked, and what came back. */
export type BridgeCrossing = {
  request_id: string;
  phase: number;
  phase_name: string;
  agent_name: string;
  agent: string | null;
  handoff: string;
  round: number;
  asked_at: string;
  answered_at: string | null;
  attempts: number;
  /** How often it was answered again from the log. */
  repeats: number;
  status: BridgeReply['status'] | null;
  error: BridgeReply['error'];
  confidence: number | null;
  tokens: number | null;
  by: string | null;
  /** Bodies that can be read. */
  request: string;
  answer: string | null;
};

/** A file as it was seen last. `id`: the request that it belongs to, as it says itself. */
export type BridgeFile = { sha256: string; bytes: number; seen_at: string; is_masked: boolean; id: string | null };
export type BridgePhaseRow = { phase: number; phase_name: string | null; standing: 'done' | 'now' | 'due' };

/** Everything the page of a bridge shows. */
export type BridgeBoard = {
  run_id: string;
  event: number;
  events: number;
  at: string;
  ticks: { per: number; marks: string };
  status: string;
  title: string;
  holder: BridgeHolder;
  why: string | null;
  dir: string;
  command: readonly string[] | null;
  agents: Readonly<Record<string, string>>;
  profile: string | null;
  rounds: readonly BridgeRound[];
  idle_rounds: { used: number; max: number };
  crossings: readonly BridgeCrossing[];
  files: Readonly<Record<FileName, BridgeFile | null>>;
  /** The request that an answer is due for. */
  pending: string | null;
  phases: readonly BridgePhaseRow[];
  end: { exit_code: number; problem: BridgeProblem | null } | null;
  item: number | null;
  cost_usd: number;
  tokens: number;
};

type Told = { seq: number; at: string; event: BridgeEvent };
type Parts = { run: string; rows: readonly EventRow[]; event: number; item: number | null };
const MICRO_PER_USD = 1_000_000;
const PHASES_MAX = 9;

export async function bridgeBoard(
  store: Pick<EventStore, 'body'>,
  live: LiveBridge,
  parts: Parts,
): Promise<BridgeBoard> {
  const { run, rows, event, item } = parts;
  const told = rows
    .slice(0, event)
    .map(({ seq, at, type, data }): Told => ({ seq, at, event: { ...JSON.parse(data), type } }));
  const { order, spent, end, stage } = live;
  const card = bridgeCard({ run, version: event }, live);
  return {
    ...{ run_id: run, event, events: rows.length, at: told.at(-1)?.at ?? '', item },
    ticks: ticksOf(rows.map(markOf).join('')),
    ...{ status: statusOf(live), title: titleOf(live), holder: card.holder, dir: order.dir, command: order.argv },
    why: stage.name === 'interrupted' ? stage.reason : (end?.problem?.reason ?? null),
    ...{ agents: order.agents, profile: order.profile, idle_rounds: card.idle_rounds },
    rounds: roundsIn(told),
    crossings: crossingsIn(told),
    files: await filesOf(store, live, told),
    pending: live.request?.request_id ?? null,
    phases: await phasesOf(store, live),
    end: end && { exit_code: end.exitCode, problem: end.problem },
    ...{ cost_usd: spent.costMicroUsd / MICRO_PER_USD, tokens: spent.tokens },
  };
}

/** The run as it was behind its first events. */
export function foldedAt(rows: readonly EventRow[]): LiveBridge {
  const folded = rows.reduce<BridgeRun>(
    (state, { type, data }) => bridgeDecider.evolve(state, { ...JSON.parse(data), type } as BridgeEvent),
    bridgeDecider.initialState(),
  );
  if (folded.status === 'new') throw new Error('a bridge has no state before its first event');
  return folded;
}

function roundsIn(told: readonly Told[]): BridgeRound[] {
  const rounds: BridgeRound[] = [];
  const end = (change: Partial<BridgeRound>): void => {
    const last = rounds.pop();
    if (last) rounds.push({ ...last, ...change });
  };
  for (const { at, event } of told) {
    if (event.type === 'RoundStarted') {
      const { round, resume } = event;
      rounds.push({ round, resume, started_at: at, ended_at: null, exit: null, lost: null });
    }
    if (event.type === 'RoundEnded') end({ ended_at: at, exit: event.exit });
    if (event.type === 'RoundLost') end({ ended_at: at, lost: event.reason });
    if (event.type === 'BridgePaused' && rounds.at(-1)?.ended_at === null) end({ ended_at: at, lost: event.reason });
  }
  return rounds;
}

function crossingsIn(told: readonly Told[]): BridgeCrossing[] {
  const byId = new Map<string, BridgeCrossing>();
  let round = 0;
  let open: string | null = null;
  const change = (id: string | null, more: (crossing: BridgeCrossing) => Partial<BridgeCrossing>): void => {
    const crossing = id === null ? undefined : byId.get(id);
    if (crossing) byId.set(crossing.request_id, { ...crossing, ...more(crossing) });
  };
  for (const { at, event } of told) {
    if (event.type === 'RoundStarted') round = event.round;
    if (event.type === 'RequestTaken') {
      open = event.request.request_id;
      byId.set(open, begunCrossing(event, round, at));
    }
    if (event.type === 'RequestRepeated') change(event.request_id, ({ repeats }) => ({ repeats: repeats + 1 }));
    if (event.type === 'HandoffAsked') change(open, () => ({ attempts: event.attempt, agent: event.agent }));
    if (event.type === 'RequestAnswered') {
      const { reply, by } = event;
      const { status, error, confidence, tokens, answer } = reply;
      const said = { status, error, confidence, tokens, by, answered_at: at, answer: answer?.sha256 ?? null };
      change(reply.request_id, () => said);
    }
  }
  return [...byId.values()];
}

function begunCrossing(
  { request, handoff }: Extract<BridgeEvent, { type: 'RequestTaken' }>,
  round: number,
  at: string,
): BridgeCrossing {
  const { request_id, phase, phase_name, agent_name, answerer, document } = request;
  return {
    ...{ request_id, phase, phase_name, agent_name, agent: answerer?.agent ?? null, handoff, round, asked_at: at },
    ...{
      answered_at: null,
      attempts: 0,
      repeats: 0,
      status: null,
      error: null,
      confidence: null,
      tokens: null,
      by: null,
    },
    ...{ request: document.sha256, answer: null },
  };
}

async function filesOf(
  store: Pick<EventStore, 'body'>,
  { files }: LiveBridge,
  told: readonly Told[],
): Promise<BridgeBoard['files']> {
  const seenAt = told.findLast(({ event }) => 'files' in event)?.at ?? '';
  const one = async (file: KeptFile | null): Promise<BridgeFile | null> => {
    if (!file) return null;
    const id = (await fieldsIn(store, file)).request_id;
    const { sha256, bytes } = file.body;
    return { sha256, bytes, seen_at: seenAt, is_masked: file.isMasked, id: typeof id === 'string' ? id : null };
  };
  const [request, response, state] = await Promise.all([one(files.request), one(files.response), one(files.state)]);
  return { request: request ?? null, response: response ?? null, state: state ?? null };
}

/** As the checkpoint says; it is the orchestrator's word. */
async function phasesOf(store: Pick<EventStore, 'body'>, { files, request }: LiveBridge): Promise<BridgePhaseRow[]> {
  const state = files.state ? await fieldsIn(store, files.state) : {};
  const completed = Array.isArray(state.completed_phases) ? state.completed_phases : [];
  const names = new Map<number, string>();
  for (const row of completed as { phase?: number; phase_name?: string }[]) {
    if (typeof row?.phase === 'number' && typeof row.phase_name === 'string') names.set(row.phase, row.phase_name);
  }
  const now = request?.phase ?? (typeof state.phase === 'number' ? state.phase : 0);
  return Array.from({ length: PHASES_MAX }, (_, index): BridgePhaseRow => {
    const phase = index + 1;
    const isNow = phase === now && !names.has(phase);
    const name = names.get(phase) ?? (isNow ? (request?.phase_name ?? String(state.phase_name ?? '')) : null);
    return {
      phase,
      phase_name: name,
      standing: names.has(phase) ? 'done' : isNow ? 'now' : phase < now ? 'done' : 'due',
    };
  });
}

async function fieldsIn(store: Pick<EventStore, 'body'>, { body }: KeptFile): Promise<Record<string, unknown>> {
  const bytes = await store.body(body.sha256);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
