import { type Decision, refuse } from '../kernel/decider.js';
import type { EffectResult } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import { wantedWords } from '../kernel/wanted-words.js';
import { admitKey, affordKey, applyKey, expireKey, pauseKey, toolsKey, WAITS_MS } from './envelope-effects.js';
import type { Asked, EnvelopeCommand, EnvelopeEvent, Pace, StageReading, ToolsReading } from './envelope-messages.js';
import { type EnvelopeRun, type LiveEnvelope, runOf, type StageRun } from './envelope-state.js';
import { fittingEnd } from './fitting-end.js';
import { plainText } from './plain-text.js';
import type { StageEnd, StageError } from './stage-end.js';
import { afterFailure } from './stage-failure.js';
import type { Moved, Standing } from './standing.js';

type Outcome = Decision<EnvelopeEvent>;
type Result<Type extends EffectResult['type']> = Extract<EffectResult, { type: Type }>;
type Command<Type extends EnvelopeCommand['type']> = Extract<EnvelopeCommand, { type: Type }>;

export const HANDOFF_MS_MAX = 1_800_000;
const REASON_LENGTH_MAX = 2_000;
/** Whoever sends an envelope without an agent for its stages is told so before anything begins. */
const NOBODY = '';

export function decideEnvelope(run: Readonly<EnvelopeRun>, command: EnvelopeCommand): Outcome {
  if (command.type === 'Receive') return receive(run, command);
  if (run.status === 'new') return refuse('RUN_NOT_FOUND', 'there is no such envelope yet');
  if (command.type === 'Go') return go(run, command);
  return { events: decideResult(run, command) };
}

function receive(run: Readonly<EnvelopeRun>, command: Command<'Receive'>): Outcome {
  const { atMs, order, sent, moved, on, pace } = command;
  const live = run.status === 'new' ? null : run;
  if ((live?.now.hash ?? null) !== on) return movedOn();
  if (live?.asked && (live.asked.isExpired || atMs >= live.asked.expiresAtMs)) {
    return refuse('INTERRUPT_EXPIRED', `the ${live.asked.kind} was not answered in time`);
  }
  if (live?.wave) return refuse('INVALID_TRANSITION', `stage ${namesOf(live)} is at work: wait for what comes of it`);
  const closes = live?.asked && moved.standing.waits === null ? live.asked.number : null;
  const question = live?.asked && closes === null ? null : askedBy(moved.standing, (live?.questions ?? 0) + 1, atMs);
  const begun = paced(moved.standing, pace);
  const events: EnvelopeEvent[] = [
    { type: 'EnvelopeReceived', atMs, order, sent, moved, pace: begun, closes, question },
  ];
  const { waves = 0, handoffs = 0 } = live ?? {};
  return { events: [...events, ...started(moved.standing, begun, { waves, handoffs, agent: order.agent }, atMs)] };
}

function go(envelope: LiveEnvelope, { atMs, pace, more, on }: Command<'Go'>): Outcome {
  // Another step was made meanwhile, and this one may be the same.
  if (pace === 'step' && envelope.now.hash !== on) return movedOn();
  const { standing } = envelope.now;
  const wanted = paced(standing, pace);
  // Whoever asks for one stage more while all are at work has it already.
  const isWanted = wanted === 'process' ? envelope.pace !== 'process' : wanted === 'step' && envelope.pace === 'rest';
  if (!isWanted) return { events: [] };
  const resumed: EnvelopeEvent = { type: 'EnvelopeResumed', atMs, pace: wanted, more };
  if (envelope.wave) return { events: [resumed] };
  const { waves, handoffs, order } = envelope;
  const agent = more.agent ?? order.agent;
  return { events: [resumed, ...started(standing, wanted, { waves, handoffs, agent }, atMs)] };
}

function movedOn(): Outcome {
  return refuse('CONCURRENCY_CONFLICT', 'the envelope has moved on since it was looked at');
}

function paced({ due }: Standing, pace: Pace): Pace {
  return due.length === 0 ? 'rest' : pace;
}

/** As many as the bounds leave room for; one when only one was asked for. */
function started(
  { due, hopsLeft, callsLeft }: Standing,
  pace: Pace,
  { waves, handoffs, agent }: { waves: number; handoffs: number; agent: string | null },
  atMs: number,
): EnvelopeEvent[] {
  if (pace === 'rest') return [];
  let calls = callsLeft;
  const fitting = due.slice(0, pace === 'step' ? 1 : hopsLeft).filter(({ by }) => {
    if ('tools' in by) return true;
    calls -= 1;
    return calls >= 0;
  });
  if (fitting.length === 0) return [];
  const stages = fitting.map(({ stage, by }, index) => ({
    ...{ stage, handoff: `h${handoffs + index + 1}` },
    by: 'tools' in by ? by : { agent: by.agent ?? agent ?? NOBODY },
  }));
  return [{ type: 'StagesStarted', atMs, wave: waves + 1, stages }];
}

/** Results of effects that are no longer owed are history, not instructions. */
function decideResult(envelope: LiveEnvelope, result: EffectResult): EnvelopeEvent[] {
  const { atMs, key } = result;
  const { asked } = envelope;
  const asking = runOf(envelope, key);
  const isAsking = asking?.phase.name === 'asking';
  switch (result.type) {
    case 'Admitted':
    case 'Parked':
      return admitted(envelope, result);
    case 'Afforded':
      return of(envelope, 'parked')
        .filter((run) => affordKey(run) === key)
        .map(({ handoff }) => ({ type: 'HandoffUnparked', atMs, handoff }));
    case 'Answered':
      return asking && isAsking ? answered(envelope, asking, result) : [];
    case 'Failed':
      return asking && isAsking ? failed(asking, result) : undone(envelope, result);
    case 'Asks':
      return asking && isAsking ? asks(asking, result) : [];
    case 'Lost':
      return lost(envelope, result);
    case 'Performed':
      return performed(envelope, result);
    case 'Woke':
      return woke(envelope, result);
    case 'Notified':
      if (!asked || asked.notified || key !== `notify-${asked.number}`) return [];
      return [{ type: 'StewardNotified', atMs, question: asked.number }];
    case 'Told':
    case 'Executed':
    case 'Ended':
      return [];
    default:
      return unreachable(result);
  }
}

/** An answer that nobody saw is asked for again; tools that were cut off are run again, as far as nobody has to agree. */
function lost(envelope: LiveEnvelope, { atMs, key, usage }: Result<'Lost'>): EnvelopeEvent[] {
  const asking = runOf(envelope, key);
  const reason = 'the process that asked was ended before an answer was recorded';
  if (asking?.phase.name === 'asking') return [endOf(asking, { atMs, cause: 'lost', reason, usage, againMs: atMs })];
  const tools = of(envelope, 'tools').find((run) => toolsKey(run) === key);
  return tools ? [{ type: 'ToolsLost', atMs, handoff: tools.handoff, attempt: tools.attempt + 1 }] : [];
}

function of({ wave }: LiveEnvelope, name: StageRun['phase']['name']): StageRun[] {
  return wave?.stages.filter(({ phase }) => phase.name === name) ?? [];
}

function admitted(envelope: LiveEnvelope, result: Result<'Admitted' | 'Parked'>): EnvelopeEvent[] {
  const { atMs, key } = result;
  const queued = of(envelope, 'queued');
  const first = queued.find((run) => admitKey(run) === key);
  if (!first || !('agent' in first.by)) return [];
  const { agent } = first.by;
  const same = queued.filter(({ by }) => 'agent' in by && by.agent === agent);
  // One of them waits for all; what is said to another is of another time.
  if (same[0] !== first) return [];
  if (result.type === 'Parked') {
    const { reason, untilMs } = result;
    return same.map(({ handoff }) => ({ type: 'HandoffParked', atMs, handoff, reason, untilMs }));
  }
  const deadlineMs = atMs + HANDOFF_MS_MAX;
  return same.map(({ handoff, stage, attempt }) => ({
    ...{ type: 'HandoffAsked', atMs, handoff, stage, attempt: attempt + 1, agent, deadlineMs },
  }));
}

type Ended = Extract<EnvelopeEvent, { type: 'HandoffEnded' }>;
type End = Pick<Ended, 'atMs' | 'cause' | 'reason' | 'usage' | 'againMs'> & Partial<Pick<Ended, 'request' | 'answer'>>;

function endOf({ handoff, stage, attempt }: StageRun, { reason: why, ...end }: End): Ended {
  const { cause, againMs, answer = null, request = null } = end;
  const reason = why === null ? null : plainText(why, REASON_LENGTH_MAX);
  const response = answer !== null ? 'SUCCESS' : cause === 'timeout' ? 'TIMEOUT' : 'ERROR';
  const action = againMs !== null ? 'RETRY' : cause === null ? 'COMPLETED' : 'STUCK';
  return { ...end, type: 'HandoffEnded', handoff, stage, attempt, response, action, reason, request, answer };
}

function answered(envelope: LiveEnvelope, run: StageRun, result: Result<'Answered'>): EnvelopeEvent[] {
  const { atMs, answer, request = null } = result;
  const { problem, violation, reported, end, moved } = result.reading as StageReading;
  const { usage } = result;
  const used = reported && usage.inputTokens + usage.outputTokens + usage.costMicroUsd === 0 ? reported : usage;
  const said = {
    atMs,
    answer,
    request,
    usage: used,
    cause: problem === null ? null : 'output',
    reason: problem,
  } as const;
  const noted: EnvelopeEvent[] =
    violation === null
      ? []
      : [{ type: 'protocol_violation', atMs, handoff: run.handoff, reason: plainText(violation, REASON_LENGTH_MAX) }];
  if (!end) return [...noted, endOf(run, { ...said, againMs: atMs })];
  return [...noted, endOf(run, { ...said, againMs: null }), ...over(envelope, run, end, moved, atMs)];
}

function failed(run: StageRun, result: Result<'Failed'>): EnvelopeEvent[] {
  const { atMs, failure: cause, reason, usage, request = null } = result;
  const next = afterFailure(run, result);
  if ('againMs' in next) return [endOf(run, { atMs, cause, reason, usage, request, againMs: next.againMs })];
  return [endOf(run, { atMs, cause, reason, usage, request, againMs: null }), stageFailed(run, next, atMs)];
}

/** A stage thinks; it has no hands that anybody could allow something. */
function asks(run: StageRun, { atMs, wanted, usage, request }: Result<'Asks'>): EnvelopeEvent[] {
  const reason = `it asks whether it may ${wantedWords(wanted)}, and stages may do nothing but answer`;
  const error: StageError = { error_type: 'AgentError', message: reason, recoverable: false };
  return [
    endOf(run, { atMs, cause: 'asked', reason, usage, ...(request && { request }), againMs: null }),
    stageFailed(run, error, atMs),
  ];
}

function stageFailed(
  { handoff, stage, startedMs, llmCalls }: StageRun,
  error: StageError,
  atMs: number,
): EnvelopeEvent {
  const end: StageEnd = { type: 'error', stage, startedMs, endedMs: atMs, llmCalls, error };
  return { type: 'StageEnded', atMs, handoff, end: fittingEnd(end) };
}

function over(
  envelope: LiveEnvelope,
  { handoff }: StageRun,
  end: StageEnd,
  moved: Moved | null,
  atMs: number,
): EnvelopeEvent[] {
  const ended: EnvelopeEvent = { type: 'StageEnded', atMs, handoff, end: fittingEnd(end) };
  return moved ? [ended, ...movedTo(envelope, moved, atMs)] : [ended];
}

function movedTo(envelope: LiveEnvelope, moved: Moved, atMs: number): EnvelopeEvent[] {
  const { questions, waves, handoffs, pace, asked, order } = envelope;
  const question = asked ? null : askedBy(moved.standing, questions + 1, atMs);
  const next = paced(moved.standing, pace === 'step' ? 'rest' : pace);
  return [
    { type: 'EnvelopeMoved', atMs, wave: waves, moved, question },
    ...started(moved.standing, next, { waves, handoffs, agent: order.agent }, atMs),
  ];
}

function performed(envelope: LiveEnvelope, { atMs, key, result }: Result<'Performed'>): EnvelopeEvent[] {
  const { wave, asked } = envelope;
  if (asked?.isExpired && key === expireKey(asked.number)) return movedTo(envelope, result as Moved, atMs);
  if (!wave) return [];
  if (key === applyKey(wave) && of(envelope, 'over').length === wave.stages.length)
    return movedTo(envelope, result as Moved, atMs);
  const run = of(envelope, 'tools').find((one) => toolsKey(one) === key);
  if (!run) return [];
  const { end, moved } = result as ToolsReading;
  return over(envelope, run, end, moved, atMs);
}

/** What came of a deed cannot be written: the stage has failed; where it was the document that moves, it ends as it is. */
function undone(envelope: LiveEnvelope, { atMs, key, reason }: Result<'Failed'>): EnvelopeEvent[] {
  const { wave, asked, now } = envelope;
  const run = of(envelope, 'tools').find((one) => toolsKey(one) === key);
  if (run) return [stageFailed(run, { error_type: 'OutputTooLarge', message: reason, recoverable: false }, atMs)];
  const isExpiry = asked?.isExpired && key === expireKey(asked.number);
  const isApply = wave && key === applyKey(wave) && of(envelope, 'over').length === wave.stages.length;
  if (!isExpiry && !isApply) return [];
  const standing: Standing = { ...now.standing, due: [], waits: null, ended: 'ended', sentence: reason };
  return movedTo(envelope, { ...now, standing }, atMs);
}

function woke(envelope: LiveEnvelope, { atMs, key }: Result<'Woke'>): EnvelopeEvent[] {
  const { asked } = envelope;
  if (asked && !asked.isExpired && key === `wait-${asked.number}`) {
    return atMs >= asked.expiresAtMs ? [{ type: 'InterruptExpired', atMs, question: asked.number }] : [];
  }
  return of(envelope, 'pausing')
    .filter((run) => key === pauseKey(run))
    .filter(({ phase }) => phase.name === 'pausing' && atMs >= phase.untilMs)
    .map(({ handoff }) => ({ type: 'PauseEnded', atMs, handoff }));
}

function askedBy({ waits }: Standing, number: number, atMs: number): Asked | null {
  if (!waits) return null;
  return { number, kind: waits.kind, question: waits.question, expiresAtMs: atMs + WAITS_MS[waits.kind] };
}

function namesOf({ wave }: LiveEnvelope): string {
  return wave?.stages.map(({ stage }) => stage).join(', ') ?? '';
}
