import { CHECKPOINT_EXIT_CODE } from '../../contracts/bridge/bridge-file-names.js';
import { type Decision, refuse } from '../kernel/decider.js';
import type { EffectResult } from '../kernel/effect.js';
import { cleanKey, deliverKey, notifyKey, roundKey } from './bridge-effects.js';
import type {
  BridgeCommand,
  BridgeEvent,
  BridgeProblem,
  ByHand,
  Delivery,
  Exit,
  KeptFiles,
  RoundResult,
  TakenRequest,
} from './bridge-messages.js';
import { type BridgeRun, isAtRest, isDelivered, type LiveBridge, newBridge } from './bridge-state.js';
import { decideAskResult, endOf } from './decide-ask.js';
import { answeredWith, nextRound, REASON_LENGTH_MAX, replyTo } from './reply.js';

type Outcome = Decision<BridgeEvent>;
type Command<Type extends BridgeCommand['type']> = Extract<BridgeCommand, { type: Type }>;

/** So many rounds in a row may ask what was asked before. */
export const IDLE_ROUNDS_MAX = 5;

export function decideBridge(run: Readonly<BridgeRun>, command: BridgeCommand): Outcome {
  if (command.type === 'Begin') return begin(run, command);
  if (command.type === 'Take') return take(run, command);
  if (run.status === 'new') return refuse('RUN_NOT_FOUND', 'there is no such bridge yet');
  switch (command.type) {
    case 'Pause':
      return { events: command.handler === run.handler ? paused(run, command.atMs) : [] };
    case 'Respond':
      return respond(run, command);
    case 'Abandon':
      return abandon(run, command.atMs);
    case 'Gone':
      return { events: isDelivered(run) ? [endedWith({ atMs: command.atMs, exitCode: 0 })] : [] };
    default:
      return { events: decideResult(run, command) };
  }
}

function begin(run: Readonly<BridgeRun>, { atMs, order, handler, answerer }: Command<'Begin'>): Outcome {
  const begun: BridgeEvent = { type: 'BridgeBegun', atMs, order, handler, ...(answerer && { answerer }) };
  if (run.status === 'new') return { events: [begun, { type: 'RoundStarted', atMs, round: 1, resume: false }] };
  const { stage, end, request, rounds, questions } = run;
  if (stage.name === 'over' && (end === null || isFinal(end))) {
    return refuse('INVALID_TRANSITION', 'this bridge has ended; the next one begins anew');
  }
  if (!isAtRest(run)) return { events: [begun] };
  if (!request) return { events: [begun, { type: 'RoundStarted', atMs, round: rounds + 1, resume: true }] };
  const asked = { ...request, answerer: answerer ?? request.answerer };
  return { events: [begun, ...toAnswerer(asked, questions, atMs)] };
}

/** Nothing goes on from here. */
export function isFinal({ exitCode, problem }: NonNullable<LiveBridge['end']>): boolean {
  return exitCode === 0 || problem?.code === 'BRIDGE_ABANDONED';
}

function take(run: Readonly<BridgeRun>, command: Command<'Take'>): Outcome {
  const { atMs, order, request, answer } = command;
  if (answer && answer.reply.request_id !== request.request_id) return answersAnother(request, answer);
  const watched: BridgeEvent = { type: 'BridgeWatched', atMs, order };
  if (run.status === 'new') return { events: [watched, ...asked(newBridge(order, { name: 'watching' }), command)] };
  const open = run.request;
  if (open?.request_id === request.request_id) {
    if (answer) return respond(run, { type: 'Respond', atMs, ...answer });
    return { events: isAtRest(run) ? [watched, ...toAnswerer(open, run.questions, atMs)] : [] };
  }
  if (!isAtRest(run) || (run.end && isFinal(run.end))) {
    return refuse('INVALID_TRANSITION', `this bridge is ${run.stage.name}: it takes no other request now`);
  }
  if (answer && Object.hasOwn(run.replies, request.request_id)) return answeredAlready(answer);
  if (!answer && isStuck(run, request)) return refuse('BRIDGE_NO_PROGRESS', noProgress(request));
  return { events: [watched, ...asked({ ...run, order, handler: null }, command)] };
}

function isStuck({ fingerprints, idleRounds }: LiveBridge, { fingerprint }: TakenRequest): boolean {
  return fingerprints.includes(fingerprint) && idleRounds >= IDLE_ROUNDS_MAX;
}

function noProgress({ phase, agent_name }: TakenRequest): string {
  return `the orchestrator asked ${agent_name} for phase ${phase} again, ${IDLE_ROUNDS_MAX} rounds after it was answered`;
}

type Said = { atMs: number; request: TakenRequest; files: KeptFiles; answer: ByHand | null };

/** A request that was answered before is answered with the same; everything else goes to whoever has that name. */
function asked(bridge: LiveBridge, { atMs, request, files, answer }: Said): BridgeEvent[] {
  const { request_id, fingerprint } = request;
  if (Object.hasOwn(bridge.replies, request_id)) {
    return [{ type: 'RequestRepeated', atMs, request_id, files }, ...nextRound(bridge, atMs)];
  }
  const handoff = `h${bridge.handoffs + 1}`;
  const isNew = !bridge.fingerprints.includes(fingerprint);
  const taken: BridgeEvent = { type: 'RequestTaken', atMs, request, handoff, files, isNew };
  if (answer) return [taken, ...answeredWith(bridge, answer.reply, { atMs, by: answer.by, question: null })];
  if (request.answerer) return [taken, ...toAnswerer(request, bridge.questions, atMs)];
  const error = { type: 'AGENT_NOT_FOUND', message: `nobody is called ${request.agent_name}` } as const;
  const reply = replyTo(request, { status: 'error', error, atMs });
  return [taken, ...answeredWith(bridge, reply, { atMs, by: 'baton', question: null })];
}

function toAnswerer(
  { answerer, agent_name, phase_name }: TakenRequest,
  questions: number,
  atMs: number,
): BridgeEvent[] {
  if (!answerer?.isPerson) return [];
  return [{ type: 'PersonAsked', atMs, question: questions + 1, agent_name, phase_name }];
}

function paused(bridge: LiveBridge, atMs: number): BridgeEvent[] {
  const { stage } = bridge;
  if (stage.name === 'cleaning' || stage.name === 'over' || stage.name === 'interrupted') return [];
  const reason = 'its handler was told to end';
  const ended = askEnded(bridge, { atMs, cause: 'paused', reason, againMs: atMs });
  return [...ended, { type: 'BridgePaused', atMs, reason, question: questionOf(bridge) }];
}

/** What is under way is called off. */
function askEnded({ stage, request }: LiveBridge, end: Parameters<typeof endOf>[1]): BridgeEvent[] {
  return request && stage.name === 'asking' ? [endOf(request, end)] : [];
}

function questionOf({ stage }: LiveBridge): number | null {
  return stage.name === 'waiting' ? stage.question : null;
}

function respond(bridge: LiveBridge, { atMs, reply, by }: Command<'Respond'>): Outcome {
  const { request, replies } = bridge;
  if (Object.hasOwn(replies, reply.request_id)) return answeredAlready({ reply });
  if (!request) return refuse('INVALID_TRANSITION', 'no request waits for an answer');
  if (request.request_id !== reply.request_id) return answersAnother(request, { reply });
  const ended = askEnded(bridge, { atMs, cause: 'answered', reason: `${by} answered`, againMs: null });
  return { events: [...ended, ...answeredWith(bridge, reply, { atMs, by, question: questionOf(bridge) })] };
}

function answeredAlready({ reply: { request_id } }: Pick<ByHand, 'reply'>): Outcome {
  return refuse('INVALID_TRANSITION', `request ${request_id} was answered already`);
}

function answersAnother({ request_id: expected }: TakenRequest, { reply }: Pick<ByHand, 'reply'>): Outcome {
  return refuse('VALIDATION_ERROR', `/request_id ${reply.request_id} does not answer request ${expected}`, {
    ...{ path: '/request_id', expected },
  });
}

const FORGOTTEN: BridgeProblem = { code: 'BRIDGE_ABANDONED', reason: 'somebody cleaned it up' };

function abandon(bridge: LiveBridge, atMs: number): Outcome {
  if (bridge.end && isFinal(bridge.end)) return { events: [] };
  const ended = askEnded(bridge, { atMs, cause: 'paused', reason: FORGOTTEN.reason, againMs: null });
  return {
    events: [...ended, endedWith({ atMs, exitCode: 1, problem: FORGOTTEN, question: questionOf(bridge) })],
  };
}

type End = Pick<Extract<BridgeEvent, { type: 'BridgeEnded' }>, 'atMs' | 'exitCode'> &
  Partial<Pick<Extract<BridgeEvent, { type: 'BridgeEnded' }>, 'problem' | 'question'>>;

function endedWith({ problem: why = null, question = null, ...end }: End): BridgeEvent {
  const problem = why && { ...why, reason: why.reason.slice(0, REASON_LENGTH_MAX) };
  return { type: 'BridgeEnded', ...end, problem, question };
}

/** Results of effects that are no longer owed are history, not instructions. */
function decideResult(bridge: LiveBridge, result: EffectResult): BridgeEvent[] {
  const { atMs, key } = result;
  const { stage } = bridge;
  if (stage.name === 'orchestrating' && key === roundKey(bridge)) return roundEnded(bridge, result);
  const isOver = result.type === 'Performed' || result.type === 'Failed';
  if (isOver && stage.name === 'delivering' && key === deliverKey(bridge)) {
    const delivery = result.type === 'Failed' ? { problem: result.reason } : (result.result as Delivery);
    return delivered(bridge, delivery, atMs);
  }
  if (isOver && stage.name === 'cleaning' && key === cleanKey(bridge)) {
    return [{ type: 'FilesRemoved', atMs }];
  }
  if (result.type === 'Notified') {
    const isDue = stage.name === 'waiting' && !stage.notified && key === notifyKey(stage.question);
    return isDue ? [{ type: 'StewardNotified', atMs, question: stage.question }] : [];
  }
  return bridge.request ? decideAskResult(bridge, bridge.request, result) : [];
}

function delivered({ reply }: LiveBridge, { problem }: Delivery, atMs: number): BridgeEvent[] {
  if (!reply) return [];
  const { request_id } = reply;
  return [
    problem === null
      ? { type: 'ResponseDelivered', atMs, request_id }
      : { type: 'DeliveryFailed', atMs, request_id, reason: problem.slice(0, REASON_LENGTH_MAX) },
  ];
}

function roundEnded(bridge: LiveBridge, result: EffectResult): BridgeEvent[] {
  const { atMs } = result;
  const { rounds: round } = bridge;
  if (result.type === 'Lost') {
    return [{ type: 'RoundLost', atMs, round, reason: 'its handler was ended while the orchestrator ran' }];
  }
  if (result.type === 'Failed') {
    const problem: BridgeProblem = { code: 'PAYLOAD_TOO_LARGE', reason: result.reason };
    const { files } = bridge;
    return [{ type: 'RoundEnded', atMs, round, exit: null, files }, endedWith({ atMs, exitCode: 1, problem })];
  }
  if (result.type !== 'Performed') return [];
  const ended = result.result as RoundResult;
  if (ended.type === 'elsewhere') {
    return [
      { type: 'RoundLost', atMs, round, reason: 'its handler is gone, and nobody else may start the orchestrator' },
    ];
  }
  const { exit, files } = ended;
  const over: BridgeEvent = { type: 'RoundEnded', atMs, round, exit, files };
  if (ended.type === 'exited') {
    const { problem } = ended;
    return [over, endedWith({ atMs, exitCode: problem ? 1 : exitCodeOf(exit), problem })];
  }
  const { request } = ended;
  if (isStuck(bridge, request)) {
    const problem: BridgeProblem = { code: 'BRIDGE_NO_PROGRESS', reason: noProgress(request) };
    return [over, endedWith({ atMs, exitCode: 1, problem })];
  }
  return [over, ...asked(bridge, { atMs, request, files, answer: null })];
}

const SIGNAL_BASE = 128;
/** As Linux numbers them. */
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  ...{ SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9 },
  ...{ SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGSTKFLT: 16, SIGXCPU: 24 },
  ...{ SIGXFSZ: 25, SIGVTALRM: 26, SIGPROF: 27, SIGIO: 29, SIGPWR: 30, SIGSYS: 31 },
};

/** As a shell would say it; 42 is between the two sides alone. */
function exitCodeOf(exit: Exit | null): number {
  if (exit?.signal) return SIGNAL_BASE + (SIGNAL_NUMBERS[exit.signal] ?? 0);
  return exit?.code === CHECKPOINT_EXIT_CODE ? 1 : (exit?.code ?? 1);
}
