import { amountWords, exhausted } from '../kernel/budget.js';
import { type Decision, refuse } from '../kernel/decider.js';
import type { EffectResult, FailureKind } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import type { ErrandCommand, ErrandEvent, Stuck } from './errand-messages.js';
import { type Asking, askKey, baseOf, type Errand, hasEnded, type Submitted, spentAfter } from './errand-state.js';

/** What is tried again by itself. A failure kind without a row does not compile. */
const RETRIED: Readonly<Record<FailureKind, boolean>> = {
  network: true,
  crash: true,
  limit: true,
  login: false,
  auth: false,
  'not-found': false,
  'disk-full': false,
  workspace: false,
  timeout: false,
  refused: false,
  spent: false,
};
const BACK_OFF_MS = 1000;
const CHECK_TIMEOUT_MS = 600_000;

type Outcome = Decision<ErrandEvent>;
const NOTHING: Outcome = { events: [] };

export function decideErrand(errand: Readonly<Errand>, command: ErrandCommand): Outcome {
  if (command.type === 'Submit') return submit(errand, command);
  if (errand.status === 'new') return refuse('INVALID_TRANSITION', 'there is no such errand yet');
  switch (command.type) {
    case 'Cancel':
      if (hasEnded(errand)) return refused(errand, 'cancel');
      return {
        events: [...closeQuestion(errand, command.atMs, false), { type: 'ErrandCanceled', atMs: command.atMs }],
      };
    case 'Approve':
      return approve(errand, command.atMs);
    case 'Reject':
      if (errand.status !== 'needs-human') return refused(errand, 'reject');
      return {
        events: [
          ...closeQuestion(errand, command.atMs, false),
          { type: 'ErrandFailed', atMs: command.atMs, why: 'rejected' },
        ],
      };
    case 'Raise':
      return raise(errand, command);
    case 'Report':
      return { events: [{ type: 'ReportReceived', atMs: command.atMs, from: command.from, status: command.status }] };
    default:
      return decideResult(errand, command);
  }
}

function submit(errand: Readonly<Errand>, command: Extract<ErrandCommand, { type: 'Submit' }>): Outcome {
  if (errand.status !== 'new') return refuse('INVALID_TRANSITION', 'this errand was submitted already');
  if (!Number.isInteger(command.steps) || command.steps < 1) {
    return refuse('SCHEMA_INVALID', `an errand has at least one step, not ${command.steps}`);
  }
  const { type: _, atMs, ...order } = command;
  const submitted: ErrandEvent = { type: 'ErrandSubmitted', atMs, ...order };
  return { events: command.after === null ? [submitted, { type: 'Queued', atMs }] : [submitted] };
}

/** Results of effects that are no longer owed are history, not instructions. */
function decideResult(errand: Submitted, result: EffectResult): Outcome {
  const { atMs } = result;
  switch (result.type) {
    case 'Ended':
      if (errand.status !== 'waiting') return NOTHING;
      return {
        events: [
          { type: 'PredecessorEnded', atMs, run: result.run, status: result.status },
          { type: 'Queued', atMs },
        ],
      };
    case 'Admitted':
      return errand.status === 'queued' ? { events: askOrRest(errand, atMs) } : NOTHING;
    case 'Answered':
      return isDue(errand, result.key) ? { events: answered(errand, result) } : NOTHING;
    case 'Failed':
      return isDue(errand, result.key) ? { events: failed(errand, result) } : NOTHING;
    // An errand has nobody to ask.
    case 'Asks': {
      const refused = {
        ...result,
        type: 'Failed',
        failure: 'refused',
        reason: `it asks: ${result.wanted.what}`,
      } as const;
      return isDue(errand, result.key) ? { events: failed(errand, refused) } : NOTHING;
    }
    case 'Lost':
      return lost(errand, result);
    case 'Woke':
      return errand.status === 'backing-off' && atMs >= errand.untilMs
        ? { events: [{ type: 'Queued', atMs }] }
        : NOTHING;
    case 'Executed':
      return errand.status === 'checking' && result.key === `check-${errand.checked}`
        ? { events: checked(errand, result) }
        : NOTHING;
    case 'Notified':
      return errand.status === 'needs-human' && !errand.notified
        ? { events: [{ type: 'HumanNotified', atMs }] }
        : NOTHING;
    case 'Performed':
    case 'Parked':
    case 'Afforded':
      return NOTHING;
    case 'Told':
      return hasEnded(errand) ? { events: [{ type: 'ReportDelivered', atMs }] } : NOTHING;
    default:
      return unreachable(result);
  }
}

function isDue(errand: Submitted, key: string): errand is Asking {
  return errand.status === 'asking' && askKey(errand.asked) === key;
}

/** The next step, unless a limit is reached: then a human. */
function askOrRest(errand: Submitted, atMs: number): ErrandEvent[] {
  const { order, spent, stepsDone, asked } = errand;
  if (exhausted(order.limits, spent)) return [askHuman(errand, atMs, 'limit')];
  return [{ type: 'StepAsked', atMs, step: stepsDone + 1, attempt: asked + 1, deadlineMs: atMs + order.stepTimeoutMs }];
}

function answered(errand: Asking, { atMs, answer, usage }: Extract<EffectResult, { type: 'Answered' }>): ErrandEvent[] {
  const step = errand.stepsDone + 1;
  const event: ErrandEvent = { type: 'StepAnswered', atMs, step, answer, usage };
  const spent = spentAfter(errand, usage, atMs);
  const after: Submitted = { ...errand, spent, stepsDone: step, tries: 0 };
  if (step < errand.order.steps) return [event, ...askOrRest(after, atMs)];
  if (errand.order.check) return [event, checkStarted(after, atMs)];
  return [event, ...finish(after, atMs)];
}

function finish(errand: Submitted, atMs: number): ErrandEvent[] {
  return errand.order.review ? [askHuman(errand, atMs, 'review')] : [{ type: 'ErrandDone', atMs }];
}

function failed(errand: Asking, result: Extract<EffectResult, { type: 'Failed' }>): ErrandEvent[] {
  const { atMs, failure, reason, usage, retryAfterMs } = result;
  const event: ErrandEvent = { type: 'StepFailed', atMs, step: errand.stepsDone + 1, failure, reason, usage };
  if (!RETRIED[failure] || errand.tries >= errand.order.retriesMax) return [event, askHuman(errand, atMs, failure)];
  const waitMs = retryAfterMs ?? BACK_OFF_MS * 2 ** errand.tries;
  return [event, { type: 'BackedOff', atMs, untilMs: atMs + waitMs }];
}

/** Nobody's fault: asked again at once, without using up a try. */
function lost(errand: Submitted, { atMs, key, usage }: Extract<EffectResult, { type: 'Lost' }>): Outcome {
  if (isDue(errand, key)) {
    const event: ErrandEvent = { type: 'StepLost', atMs, step: errand.stepsDone + 1, usage };
    const spent = spentAfter(errand, usage, atMs);
    return { events: [event, ...askOrRest({ ...errand, spent }, atMs)] };
  }
  if (errand.status !== 'checking' || key !== `check-${errand.checked}`) return NOTHING;
  return { events: [{ type: 'CheckLost', atMs }, checkStarted(errand, atMs)] };
}

function checkStarted(errand: Submitted, atMs: number): ErrandEvent {
  return { type: 'CheckStarted', atMs, number: errand.checked + 1, deadlineMs: atMs + CHECK_TIMEOUT_MS };
}

function checked(
  errand: Submitted,
  { atMs, exitCode, output }: Extract<EffectResult, { type: 'Executed' }>,
): ErrandEvent[] {
  const event: ErrandEvent = { type: 'CheckEnded', atMs, exitCode, output };
  return exitCode === 0 ? [event, ...finish(errand, atMs)] : [event, askHuman(errand, atMs, 'check')];
}

function askHuman(errand: Submitted, atMs: number, why: Stuck): ErrandEvent {
  return { type: 'HumanAsked', atMs, number: errand.questions + 1, why };
}

function closeQuestion(errand: Submitted, atMs: number, approved: boolean): ErrandEvent[] {
  if (errand.status !== 'needs-human') return [];
  return [{ type: 'HumanAnswered', atMs, number: errand.questions, approved }];
}

/** Yes to a review ends it; yes to anything else means: try again. */
function approve(errand: Submitted, atMs: number): Outcome {
  if (errand.status !== 'needs-human') return refused(errand, 'approve');
  if (errand.why === 'limit') return refuse('INVALID_TRANSITION', 'a limit is reached: raise it instead');
  const answer = closeQuestion(errand, atMs, true);
  if (errand.why === 'review') return { events: [...answer, { type: 'ErrandDone', atMs }] };
  if (errand.why === 'check') return { events: [...answer, checkStarted(errand, atMs)] };
  return { events: [...answer, { type: 'Queued', atMs }] };
}

function raise(errand: Submitted, { atMs, limits }: Extract<ErrandCommand, { type: 'Raise' }>): Outcome {
  if (hasEnded(errand)) return refused(errand, 'raise the limits of');
  const raised: ErrandEvent = { type: 'LimitsRaised', atMs, limits };
  const stillOver = exhausted(limits, errand.spent);
  if (stillOver) return refuse('LIMIT_TOO_LOW', `${amountWords(stillOver, errand.spent[stillOver])} is used already`);
  if (errand.status !== 'needs-human' || errand.why !== 'limit') return { events: [raised] };
  return { events: [raised, ...closeQuestion(errand, atMs, true), { type: 'Queued', atMs }] };
}

function refused(errand: Submitted, verb: string): Outcome {
  const { title } = baseOf(errand).order;
  return refuse('INVALID_TRANSITION', `cannot ${verb} "${title}" while it is ${errand.status}`);
}
