import { addSpent } from '../kernel/budget.js';
import type { BodyRef, Usage } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import type { EnvelopeEvent } from './envelope-messages.js';
import { beginEnvelope, type EnvelopeRun, type LiveEnvelope, type StageRun } from './envelope-state.js';
import type { Moved } from './standing.js';

type Event<Type extends EnvelopeEvent['type']> = Extract<EnvelopeEvent, { type: Type }>;

export function evolveEnvelope(run: EnvelopeRun, event: EnvelopeEvent): EnvelopeRun {
  if (event.type === 'EnvelopeReceived') return received(run, event);
  if (run.status === 'new') throw new Error(`${event.type} before the envelope was received`);
  return evolve(run, event);
}

function received(
  run: EnvelopeRun,
  { order, sent, moved, pace, closes, question }: Event<'EnvelopeReceived'>,
): LiveEnvelope {
  const envelope = run.status === 'new' ? beginEnvelope(order, moved) : run;
  envelope.versions.push({ ...sent, by: 'sender' });
  const open = closes === null ? envelope.asked : null;
  return {
    ...known(envelope, moved, 'receipt'),
    ...{ order, pace },
    asked: question ? { ...question, notified: false, isExpired: false } : open,
    questions: question?.number ?? envelope.questions,
  };
}

/** What is returned is known when it comes back. */
function known(envelope: LiveEnvelope, moved: Moved, by: 'receipt' | 'stages'): LiveEnvelope {
  const { hash, document } = moved;
  if (envelope.versions.at(-1)?.hash !== hash) envelope.versions.push({ hash, document, by });
  return { ...envelope, now: moved };
}

function evolve(envelope: LiveEnvelope, event: Exclude<EnvelopeEvent, { type: 'EnvelopeReceived' }>): LiveEnvelope {
  switch (event.type) {
    case 'EnvelopeResumed':
      return resumed(envelope, event);
    case 'StagesStarted':
      return startedWith(envelope, event);
    case 'HandoffAsked': {
      const { handoff, attempt, atMs, deadlineMs } = event;
      const spent = addSpent(envelope.spent, { asks: 1 });
      return at({ ...envelope, spent }, handoff, { attempt, phase: { name: 'asking', askedAtMs: atMs, deadlineMs } });
    }
    case 'HandoffParked':
      return at(envelope, event.handoff, { phase: { name: 'parked', untilMs: event.untilMs } });
    case 'HandoffUnparked':
    case 'PauseEnded':
      return at(envelope, event.handoff, { phase: { name: 'queued' } });
    case 'HandoffEnded':
      return endedAsk(envelope, event);
    case 'StageEnded':
      return at(envelope, event.handoff, { phase: { name: 'over', end: event.end } });
    case 'EnvelopeMoved': {
      const { moved, question } = event;
      const pace = moved.standing.due.length === 0 || envelope.pace === 'step' ? 'rest' : envelope.pace;
      const asked = question ? { ...question, notified: false, isExpired: false } : null;
      return {
        ...known(envelope, moved, 'stages'),
        wave: null,
        pace,
        asked,
        questions: question?.number ?? envelope.questions,
      };
    }
    case 'ToolsLost':
      return at(envelope, event.handoff, { attempt: event.attempt, wasLost: true });
    case 'protocol_violation':
      return envelope;
    case 'StewardNotified':
      return envelope.asked ? { ...envelope, asked: { ...envelope.asked, notified: true } } : envelope;
    case 'InterruptExpired':
      return envelope.asked ? { ...envelope, asked: { ...envelope.asked, isExpired: true } } : envelope;
    default:
      return unreachable(event);
  }
}

function resumed(envelope: LiveEnvelope, { pace, more }: Event<'EnvelopeResumed'>): LiveEnvelope {
  return { ...envelope, pace, order: { ...envelope.order, ...more } };
}

function startedWith(envelope: LiveEnvelope, { atMs, wave, stages }: Event<'StagesStarted'>): LiveEnvelope {
  const runs = stages.map(
    (stage): StageRun => ({
      ...{ ...stage, startedMs: atMs, attempt: 0, repeats: 0, llmCalls: 0, repair: null, wasLost: false },
      phase: 'tools' in stage.by ? { name: 'tools' } : { name: 'queued' },
    }),
  );
  return {
    ...envelope,
    waves: wave,
    wave: { number: wave, stages: runs },
    handoffs: envelope.handoffs + stages.length,
  };
}

function endedAsk(envelope: LiveEnvelope, event: Event<'HandoffEnded'>): LiveEnvelope {
  const { handoff, usage, atMs, againMs, answer, cause, reason } = event;
  const run = envelope.wave?.stages.find((one) => one.handoff === handoff);
  if (!run) return envelope;
  const spent = { ...envelope, spent: spentBy(envelope, run, usage, atMs) };
  const llmCalls = run.llmCalls + (answer === null ? 0 : 1);
  if (againMs === null) return at(spent, handoff, { llmCalls });
  if (cause === 'output' && answer !== null)
    return asksForRepair(spent, run, { llmCalls, problem: reason ?? '', answer });
  return at(spent, handoff, {
    llmCalls,
    phase: againMs > atMs ? { name: 'pausing', untilMs: againMs } : { name: 'queued' },
    repeats: cause === 'network' || cause === 'crash' ? run.repeats + 1 : 0,
  });
}

/** Another question, so a handoff of its own. */
function asksForRepair(
  envelope: LiveEnvelope,
  { handoff }: StageRun,
  { llmCalls, ...repair }: { llmCalls: number; problem: string; answer: BodyRef },
): LiveEnvelope {
  const handoffs = envelope.handoffs + 1;
  const asked = {
    handoff: `h${handoffs}`,
    attempt: 0,
    repeats: 0,
    llmCalls,
    repair,
    phase: { name: 'queued' },
  } as const;
  return at({ ...envelope, handoffs }, handoff, asked);
}

/** Time is counted while an agent is asked. */
function spentBy({ spent }: LiveEnvelope, { phase }: StageRun, usage: Usage, atMs: number): LiveEnvelope['spent'] {
  const { costMicroUsd, inputTokens, outputTokens } = usage;
  const activeMs = phase.name === 'asking' ? Math.max(0, atMs - phase.askedAtMs) : 0;
  return addSpent(spent, { costMicroUsd, tokens: inputTokens + outputTokens, activeMs });
}

function at(envelope: LiveEnvelope, handoff: string, change: Partial<StageRun>): LiveEnvelope {
  const { wave } = envelope;
  if (!wave) return envelope;
  const stages = wave.stages.map((run) => (run.handoff === handoff ? { ...run, ...change } : run));
  return { ...envelope, wave: { ...wave, stages } };
}
