import type { Decider } from '../kernel/decider.js';
import type { InboxChange } from '../kernel/inbox.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { decideEnvelope } from './envelope-decide.js';
import { envelopeEffects } from './envelope-effects.js';
import { evolveEnvelope } from './envelope-evolve.js';
import type { Asked, EnvelopeCommand, EnvelopeEvent } from './envelope-messages.js';
import { type EnvelopeRun, type LiveEnvelope, questionKey } from './envelope-state.js';

/** Contract 002: an envelope and the stages it passes through. */
export const envelopeDecider: Decider<EnvelopeCommand, EnvelopeEvent, EnvelopeRun> = {
  kind: 'envelope',
  version: 1,
  initialState: () => ({ status: 'new' }),
  decide: decideEnvelope,
  evolve: evolveEnvelope,
  outstanding: (envelope) => (envelope.status === 'new' ? [] : envelopeEffects(envelope)),
  summary,
  inbox,
};

/** Of an envelope that nobody works on and that neither waits nor has ended. */
const AT_REST = 'paused';

export function statusOf({ now, wave }: LiveEnvelope): string {
  const { ended, waits } = now.standing;
  if (wave) return 'running';
  if (ended) return ended;
  return waits ? `${waits.kind}_required` : AT_REST;
}

function summary(envelope: Readonly<EnvelopeRun>): RunSummary {
  if (envelope.status === 'new') throw new Error('an envelope has no row before it is received');
  const { now, order, wave, asked, spent } = envelope;
  const phases = wave?.stages.map(({ phase }) => phase) ?? [];
  const pauses = phases.flatMap((phase) => ('untilMs' in phase ? [phase.untilMs] : []));
  // Whoever has ended waits for those that pause.
  const isWaiting = pauses.length > 0 && phases.every(({ name }) => name === 'pausing' || name === 'over');
  const isParked = phases.some(({ name }) => name === 'parked');
  const expiresAtMs = asked && !asked.isExpired ? [asked.expiresAtMs] : [];
  const wakes = [...pauses, ...expiresAtMs];
  return {
    status: statusOf(envelope),
    title: now.standing.title,
    agent: order.agent,
    project: order.project,
    parent: null,
    owes: (wave !== null && !isWaiting) || asked?.isExpired === true || asked?.notified === false,
    wakeAtMs: wakes.length > 0 ? Math.min(...wakes) : null,
    waitingFor: asked ? asked.kind : isParked ? 'budget' : null,
    ended: now.standing.ended !== null && wave === null,
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: spent.asks,
    text: now.standing.title,
  };
}

function inbox(event: EnvelopeEvent): InboxChange | undefined {
  if (event.type === 'InterruptExpired') return { close: questionKey(event.question) };
  if (event.type === 'EnvelopeReceived' && event.closes !== null) return { close: questionKey(event.closes) };
  if ((event.type === 'EnvelopeReceived' || event.type === 'EnvelopeMoved') && event.question) {
    return { open: questionOf(event.question) };
  }
  return undefined;
}

function questionOf({ number, kind, question, expiresAtMs }: Asked) {
  return { key: questionKey(number), kind, title: kind, question, expiresAtMs };
}
