/** What becomes of an envelope that is sent: who may say what, and where it goes on. */

import { envelope as envelopeContract } from '../../contracts/envelope/envelope.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { checkAgainst } from '../../contracts/shared/contract.js';
import { type Denial, deny } from '../../contracts/shared/verdict.js';
import { type Applied, ended, settled } from './apply-stages.js';
import { reopenGoals } from './goals.js';
import { askedElsewhere } from './interrupt.js';
import { firstStages, placeAt, resumeAt } from './schedule.js';
import type { Interrupt, Progress } from './standing.js';

const BEGINNING: Progress = { due: [], waiting: [], ran: [], fires: 0, asked: null, confirmed: null };

/** Of an envelope that was not seen here before. What is pending in it was asked elsewhere, and comes with it. */
export function receiveFirst(envelope: Envelope, pipeline: Pipeline, atMs: number): Applied | Denial {
  const unknown = unknownStage(envelope, pipeline);
  if (unknown) return unknown;
  const ordered = envelope.stage_order
    ? envelope
    : { ...envelope, stage_order: pipeline.stages.map(({ name }) => name) };
  const ran = pipeline.stages.filter(({ output_key }) => Object.hasOwn(envelope.outputs, output_key));
  const pending = pendingIn(envelope);
  const progress = {
    ...placed({ ...BEGINNING, ran: ran.map(({ name }) => name) }, envelope, pipeline),
    asked: pending && askedElsewhere(pending, pipeline, envelope),
  };
  const answer = answerIn(ordered);
  if (answer) return answered({ envelope: ordered, progress }, pipeline, answer, atMs);
  return settled({ envelope: ordered, progress }, pipeline, atMs);
}

/** Of one that differs from what is recorded under its id. */
export function receiveChanged(recorded: Applied, sent: Envelope, pipeline: Pipeline, atMs: number): Applied | Denial {
  const { envelope: known, progress } = recorded;
  const problem = otherSender(known, sent) ?? lowered(known, sent) ?? unknownStage(sent, pipeline);
  if (problem) return problem;
  const pending = pendingIn(known);
  if (pending) {
    const answer = answerTo(pending, known, sent);
    if ('allow' in answer) return answer;
    const asked = { ...sent, ...questionIn(known) };
    if (answer.said) return answered({ envelope: asked, progress }, pipeline, answer.said, atMs);
    return { envelope: { ...asked, ...unanswered(known) }, progress };
  }
  const unasked = lateAnswer(known, sent) ?? unaskedAnswer(known, sent);
  if (unasked) return unasked;
  if (known.terminated) {
    const closed = sent.terminated ? null : staysClosed(known);
    if (closed) return closed;
    if (sent.terminated) return { envelope: sent, progress };
  }
  const reopened = known.terminated
    ? reopenGoals({ ...sent, terminal_reason: null, termination_reason: null, completed_at: null })
    : sent;
  const moved = sent.current_stage === known.current_stage ? progress : placed(progress, sent, pipeline);
  return settled({ envelope: reopened, progress: moved }, pipeline, atMs);
}

/** Nobody has answered in time. */
export function expired(recorded: Applied, waited: string, atMs: number): Applied {
  const { envelope } = recorded;
  if (pendingIn(envelope) === 'clarification') {
    return ended(recorded, 'clarification_required', `the question was not answered within ${waited}`, atMs);
  }
  return ended(recorded, 'denied_by_policy', `nobody agreed within ${waited}`, atMs);
}

export function pendingIn(envelope: Envelope): Interrupt | null {
  if (envelope.terminated) return null;
  if (envelope.clarification_pending) return 'clarification';
  return envelope.confirmation_pending ? 'confirmation' : null;
}

/** What was answered: words to a clarification, yes or no to a confirmation. */
export type Said = { to: 'clarification' } | { to: 'confirmation'; yes: boolean };

/** The envelope as it comes back with an answer. */
export function withAnswer(envelope: Envelope, answer: { text: string } | { yes: boolean }): Envelope {
  if ('text' in answer) return { ...envelope, clarification_response: answer.text };
  return { ...envelope, confirmation_response: answer.yes };
}

function answerIn(envelope: Envelope): Said | null {
  const pending = pendingIn(envelope);
  const { clarification_response, confirmation_response } = envelope;
  if (pending === 'clarification') return clarification_response?.trim() ? { to: pending } : null;
  if (pending === 'confirmation' && typeof confirmation_response === 'boolean') {
    return { to: pending, yes: confirmation_response };
  }
  return null;
}

/** The record says what is asked: a sender can answer it, and neither clear nor change it. */
function answerTo(pending: Interrupt, known: Envelope, sent: Envelope): { said: Said | null } | Denial {
  const field = pending === 'clarification' ? 'clarification_pending' : 'confirmation_pending';
  if (pending === 'confirmation' && sent.confirmation_id !== known.confirmation_id) {
    const reason = `/confirmation_id ${JSON.stringify(sent.confirmation_id)} is not the one that is asked, ${JSON.stringify(known.confirmation_id)}`;
    return deny('ENVELOPE_MISMATCH', reason, { path: '/confirmation_id', expected: known.confirmation_id });
  }
  const said = answerIn({
    ...sent,
    terminated: false,
    clarification_pending: false,
    confirmation_pending: false,
    [field]: true,
  });
  if (said) return { said };
  if (sent.terminated || !sent[field]) {
    return deny('INVALID_TRANSITION', `/${field} cannot be cleared: the ${pending} waits for its answer`, {
      path: `/${field}`,
    });
  }
  return { said: null };
}

type Question = Pick<Envelope, (typeof QUESTION_FIELDS)[number]>;
const QUESTION_FIELDS = [
  ...([
    'terminated',
    'terminal_reason',
    'termination_reason',
    'clarification_pending',
    'clarification_question',
  ] as const),
  ...(['confirmation_pending', 'confirmation_id', 'confirmation_message'] as const),
];

function questionIn(known: Envelope): Question {
  return Object.fromEntries(QUESTION_FIELDS.map((field) => [field, known[field]])) as Question;
}

function unanswered({ clarification_response = null, confirmation_response = null }: Envelope) {
  return { clarification_response, confirmation_response };
}

/** What nobody answered in time ended with that. */
function lateAnswer(known: Envelope, sent: Envelope): Denial | null {
  const kind = expiredIn(known);
  if (kind === null || !answerIn({ ...sent, terminated: false, [`${kind}_pending`]: true })) return null;
  return deny('INTERRUPT_EXPIRED', `the ${kind} was not answered in time`, { path: `/${kind}_response` });
}

function expiredIn({ terminated, terminal_reason, confirmation_message, confirmation_response }: Envelope) {
  if (!terminated) return null;
  if (terminal_reason === 'clarification_required') return 'clarification';
  const isOpen = (confirmation_message ?? null) !== null && (confirmation_response ?? null) === null;
  return terminal_reason === 'denied_by_policy' && isOpen ? 'confirmation' : null;
}

function unaskedAnswer(known: Envelope, sent: Envelope): Denial | null {
  for (const field of ['clarification_pending', 'confirmation_pending'] as const) {
    if (sent[field] && !sent.terminated) {
      return deny('INVALID_TRANSITION', `/${field} is true, and nothing is asked`, { path: `/${field}` });
    }
  }
  for (const field of ['clarification_response', 'confirmation_response', 'confirmation_id'] as const) {
    if ((sent[field] ?? null) !== (known[field] ?? null)) {
      return deny('ENVELOPE_MISMATCH', `/${field} answers what nobody asked`, { path: `/${field}` });
    }
  }
  return null;
}

/** A bound can be raised and a failure repaired; what is done or was denied is over. */
function staysClosed({ terminal_reason }: Envelope): Denial | null {
  const final = ['completed_successfully', 'denied_by_policy', 'clarification_required'];
  if (!final.includes(terminal_reason ?? '')) return null;
  return deny('INVALID_TRANSITION', `it has ended: ${terminal_reason}`, { path: '/terminated', terminal_reason });
}

function otherSender(known: Envelope, sent: Envelope): Denial | null {
  for (const field of ['user_id', 'request_id', 'session_id'] as const) {
    if (sent[field] !== known[field]) {
      return deny('ENVELOPE_MISMATCH', `/${field} is not that of the envelope that is known here`, {
        path: `/${field}`,
      });
    }
  }
  return null;
}

function lowered(known: Envelope, sent: Envelope): Denial | null {
  const verdict = checkAgainst(envelopeContract, sent, known);
  return verdict.allow ? null : verdict;
}

function unknownStage({ current_stage, terminated }: Envelope, { stages, name }: Pipeline): Denial | null {
  const known = ['start', 'end', ...stages.map((stage) => stage.name)];
  if (terminated || known.includes(current_stage)) return null;
  const reason = `/current_stage ${JSON.stringify(current_stage)} is no stage of pipeline ${name}: ${known.join(', ')}`;
  return deny('SCHEMA_INVALID', reason, { path: '/current_stage', expected: known });
}

function placed(progress: Progress, { current_stage, outputs }: Envelope, pipeline: Pipeline): Progress {
  if (current_stage === 'start') return { ...progress, due: firstStages(pipeline), waiting: [], ran: [] };
  if (current_stage === 'end' || !pipeline.stages.some(({ name }) => name === current_stage)) {
    return { ...progress, due: [], waiting: [] };
  }
  return { ...progress, ...placeAt(pipeline, progress.ran, current_stage, outputs) };
}

function answered({ envelope, progress }: Applied, pipeline: Pipeline, said: Said, atMs: number): Applied {
  const open: Envelope = {
    ...envelope,
    ...{ clarification_pending: false, confirmation_pending: false, terminal_reason: null, terminated: false },
  };
  const over = { ...progress, asked: null };
  if (said.to === 'confirmation' && !said.yes) {
    return ended({ envelope: open, progress: over }, 'denied_by_policy', 'the confirmation was denied', atMs);
  }
  const asked = progress.asked ?? askedElsewhere(said.to, pipeline, envelope);
  const confirmed = said.to === 'confirmation' ? asked.steps : progress.confirmed;
  const places = resumeAt(pipeline, progress, asked);
  return settled({ envelope: open, progress: { ...over, ...places, confirmed } }, pipeline, atMs);
}
