import { addSpent, type Spent } from '../kernel/budget.js';
import { unreachable } from '../kernel/unreachable.js';
import type { BridgeEvent, KeptFiles } from './bridge-messages.js';
import {
  type BridgeRun,
  type BridgeStage,
  isAtRest,
  type LiveBridge,
  newBridge,
  type OpenRequest,
} from './bridge-state.js';

type Event<Type extends BridgeEvent['type']> = Extract<BridgeEvent, { type: Type }>;

export function evolveBridge(run: BridgeRun, event: BridgeEvent): BridgeRun {
  if (event.type === 'BridgeBegun') return begun(run, event);
  if (event.type === 'BridgeWatched') return { ...newBridge(event.order, stageOfWatched(run)), ...kept(run) };
  if (run.status === 'new') throw new Error(`${event.type} before the bridge was begun`);
  return evolve(run, event);
}

/** What is known of a bridge stays known when it is begun again. */
function kept(run: BridgeRun): Partial<LiveBridge> {
  if (run.status === 'new') return {};
  const { order: _order, stage: _stage, handler: _handler, ...rest } = run;
  return rest;
}

/** What was asked and not answered is gone on with, unless another request follows. */
function stageOfWatched(run: BridgeRun): BridgeStage {
  return { name: run.status === 'open' && run.request ? 'queued' : 'watching' };
}

function begun(run: BridgeRun, { order, handler, answerer }: Event<'BridgeBegun'>): LiveBridge {
  if (run.status === 'new') return { ...newBridge(order, { name: 'interrupted', reason: 'not begun yet' }), handler };
  const { stage } = run;
  const waits = isAtRest(run) ? run.request : null;
  const request = waits && answerer ? { ...waits, answerer } : run.request;
  const next: BridgeStage = waits ? { name: 'queued' } : stage;
  // The same handler only goes on: it has seen no progress either.
  const idleRounds = handler === run.handler ? run.idleRounds : 0;
  const end = stage.name === 'cleaning' ? run.end : null;
  return { ...run, order, handler, request, stage: next, idleRounds, end };
}

type Later = Exclude<BridgeEvent, { type: 'BridgeBegun' | 'BridgeWatched' }>;

function evolve(bridge: LiveBridge, event: Later): LiveBridge {
  switch (event.type) {
    case 'RoundStarted':
      return {
        ...bridge,
        rounds: event.round,
        undelivered: null,
        stage: { name: 'orchestrating', resume: event.resume },
      };
    case 'RoundEnded':
      return { ...bridge, lastExit: event.exit, files: withLastState(bridge, event.files) };
    case 'RoundLost':
    case 'BridgePaused':
      return { ...bridge, stage: { name: 'interrupted', reason: event.reason } };
    case 'RequestTaken':
      return taken(bridge, event);
    case 'RequestRepeated': {
      const reply = bridge.replies[event.request_id] ?? null;
      const idleRounds = bridge.idleRounds + 1;
      return { ...bridge, files: event.files, reply, request: null, idleRounds, stage: { name: 'delivering' } };
    }
    case 'HandoffAsked': {
      const { attempt, atMs, deadlineMs } = event;
      const spent = addSpent(bridge.spent, { asks: 1 });
      return ofRequest({ ...bridge, spent }, { attempt }, { name: 'asking', askedAtMs: atMs, deadlineMs });
    }
    case 'HandoffParked':
      return { ...bridge, stage: { name: 'parked', untilMs: event.untilMs } };
    case 'HandoffUnparked':
    case 'PauseEnded':
      return { ...bridge, stage: { name: 'queued' } };
    case 'HandoffEnded':
      return handoffEnded(bridge, event);
    case 'PersonAsked': {
      const { question } = event;
      return { ...bridge, questions: question, stage: { name: 'waiting', question, notified: false } };
    }
    case 'StewardNotified':
      return bridge.stage.name === 'waiting' ? { ...bridge, stage: { ...bridge.stage, notified: true } } : bridge;
    case 'RequestAnswered':
      return answered(bridge, event);
    case 'ResponseDelivered': {
      const isRun = bridge.order.argv !== null;
      const stage: BridgeStage = isRun ? ANSWERED : { name: 'watching' };
      return { ...bridge, undelivered: null, stage };
    }
    case 'DeliveryFailed':
      return { ...bridge, undelivered: event.reason, stage: { name: 'interrupted', reason: event.reason } };
    case 'BridgeEnded': {
      const { exitCode, problem } = event;
      const isNew = bridge.stage.name === 'orchestrating';
      return { ...bridge, request: null, end: { exitCode, problem }, stage: { name: isNew ? 'cleaning' : 'over' } };
    }
    case 'FilesRemoved':
      return { ...bridge, stage: { name: 'over' } };
    default:
      return unreachable(event);
  }
}

/** One that removes its files when it fails is still gone on with from what it had saved before. */
function withLastState({ files: last }: LiveBridge, files: KeptFiles): KeptFiles {
  return { ...files, state: files.state ?? last.state };
}

function taken(bridge: LiveBridge, { request, handoff, files, isNew, atMs }: Event<'RequestTaken'>): LiveBridge {
  // Every one is kept: a run of many rounds asks as many times, and each is looked up here.
  if (isNew) bridge.fingerprints.push(request.fingerprint);
  return {
    ...bridge,
    files,
    request: { ...request, handoff, takenMs: atMs, attempt: 0, tries: { failed: 0, timeout: 0 } },
    handoffs: bridge.handoffs + 1,
    idleRounds: isNew ? 0 : bridge.idleRounds + 1,
    stage: { name: 'queued' },
    end: null,
  };
}

function answered(bridge: LiveBridge, { reply }: Event<'RequestAnswered'>): LiveBridge {
  bridge.replies[reply.request_id] = reply;
  return { ...bridge, reply, request: null, stage: { name: 'delivering' } };
}

function handoffEnded(bridge: LiveBridge, event: Event<'HandoffEnded'>): LiveBridge {
  const { cause, againMs, atMs } = event;
  const spent = spentBy(bridge, event);
  const { request } = bridge;
  if (!request || againMs === null) return { ...bridge, spent };
  const stage: BridgeStage = againMs > atMs ? { name: 'pausing', untilMs: againMs } : { name: 'queued' };
  return ofRequest({ ...bridge, spent }, { tries: triesAfter(request, cause) }, stage);
}

/** Waiting for a provider, and what nobody saw the end of, is no try. */
function triesAfter({ tries }: OpenRequest, cause: Event<'HandoffEnded'>['cause']): OpenRequest['tries'] {
  if (cause === 'lost' || cause === 'paused' || cause === 'login' || cause === 'limit') return tries;
  return cause === 'timeout' ? { ...tries, timeout: tries.timeout + 1 } : { ...tries, failed: tries.failed + 1 };
}

/** Time is counted while an agent is asked. */
function spentBy({ spent, stage }: LiveBridge, { usage, atMs }: Event<'HandoffEnded'>): Spent {
  const { costMicroUsd, inputTokens, outputTokens } = usage;
  const activeMs = stage.name === 'asking' ? Math.max(0, atMs - stage.askedAtMs) : 0;
  return addSpent(spent, { costMicroUsd, tokens: inputTokens + outputTokens, activeMs });
}

function ofRequest(bridge: LiveBridge, change: Partial<OpenRequest>, stage: BridgeStage): LiveBridge {
  return bridge.request ? { ...bridge, request: { ...bridge.request, ...change }, stage } : bridge;
}

const ANSWERED: BridgeStage = {
  ...{ name: 'interrupted', reason: 'its request was answered; whoever runs the orchestrator goes on' },
  isAnswered: true,
};
