import { BatonError } from '../contracts/shared/errors.js';
import type { Refusal } from '../core/kernel/decider.js';
import type { FoldedRun } from './folded-run.js';
import type { AnyCommand } from './machines.js';
import { isOwnerOnly } from './ownership.js';
import { pause } from './pause.js';
import type { Appended, Ports, RunId, WorkerId } from './ports.js';
import type { RunCache } from './run-cache.js';
import { type Origin, sealEvents, sealKey } from './seal.js';

/** How long a command is decided again after losing races before it is refused. */
const PATIENCE_MS = 5000;
/** Also when the process was stopped in the middle of the first. */
const TRIES_MIN = 3;
const PAUSE_MS_MAX = 20;

export type Outcome =
  /** `events`: how many it has led to; none when all was so already. `version`: of the run behind them. */
  | { type: 'accepted'; folded: FoldedRun; handedBack: boolean; events: number; version: number }
  | { type: 'repeated'; answer: string }
  | { type: 'refused'; refusal: Refusal }
  | { type: 'fenced' };

export type How = {
  /** The kind of run this command creates. */
  create?: string;
  /** With `create`: who owns it at once. */
  owner?: WorkerId;
  /** With what only an owner may say: its epoch. */
  fence?: number;
  /** With `fence`: whether the run may be handed back in the same commit, should it rest. Asked just before. */
  mayHandBack?: () => boolean;
};

/** The only writer of events: take the folded state, decide, append. Runs inside the run's mailbox. */
export async function dispatch(
  ports: Ports,
  cache: RunCache,
  run: RunId,
  command: AnyCommand,
  origin: Origin,
  how: How = {},
): Promise<Outcome> {
  if (isOwnerOnly(command) && how.fence === undefined) throw new Error(`${command.type} is for the owner of ${run}`);
  const repeat = await findRepeat(ports, origin);
  if (repeat) return repeat;
  const untilMs = ports.clock.monotonicMs() + PATIENCE_MS;
  let tries = 0;
  do {
    tries += 1;
    const folded = (await cache.open(run)) ?? (how.create ? cache.begin(run, how.create) : undefined);
    if (!folded) return refused('RUN_NOT_FOUND', `there is no run ${run}`);
    const decision = folded.machine.decide(folded.state, command);
    if ('refusal' in decision) return { type: 'refused', refusal: decision.refusal };
    const { length: events } = decision.events;
    if (events === 0) return { type: 'accepted', folded, handedBack: false, events, version: folded.version };
    const appended = await append(ports, cache, folded, decision.events, origin, how);
    switch (appended.type) {
      case 'appended':
        cache.keep(folded);
        return { type: 'accepted', folded, handedBack: appended.handedBack, events, version: folded.version };
      case 'repeated':
        return appended;
      case 'key-reused':
        return keyReused(origin);
      case 'fenced':
        return appended;
      case 'too-large':
        return refused(appended.problem.code, appended.problem.message, appended.problem.details);
      case 'conflict':
        // Their events may change the answer, so it is decided again.
        await pause(ports.clock, ports.ids.random() * PAUSE_MS_MAX);
    }
  } while (tries < TRIES_MIN || ports.clock.monotonicMs() < untilMs);
  return refused('CONCURRENCY_CONFLICT', `${run} is being changed by others all the time`);
}

type Attempt =
  | Exclude<Appended, { type: 'appended' }>
  | { type: 'appended'; handedBack: boolean }
  | { type: 'too-large'; problem: BatonError };

/** Until the store says yes, the folded state is a guess: every other outcome throws it away. */
async function append(
  ports: Ports,
  cache: RunCache,
  folded: FoldedRun,
  events: readonly { type: string }[],
  origin: Origin,
  how: How,
): Promise<Attempt> {
  let accepted = false;
  try {
    const unit = sealEvents(ports, folded, events, origin, how);
    const [result] = await ports.store.append([unit]);
    if (!result) throw new Error('the store answered nothing');
    accepted = result.type === 'appended';
    if (accepted && unit.owner !== undefined) folded.epoch = 1;
    return result.type === 'appended' ? { type: 'appended', handedBack: unit.handBack === true } : result;
  } catch (problem) {
    // No matter of time: it is as long whenever it is tried.
    if (problem instanceof BatonError && problem.code === 'PAYLOAD_TOO_LARGE') return { type: 'too-large', problem };
    throw problem;
  } finally {
    if (!accepted) cache.forget(folded.run);
  }
}

/** What an act with this key was answered with, if there was one; refused when that was another act. */
export async function findRepeat(
  ports: Pick<Ports, 'store' | 'scrub' | 'hasher'>,
  origin: Pick<Origin, 'key'>,
): Promise<Extract<Outcome, { type: 'repeated' | 'refused' }> | undefined> {
  if (!origin.key) return undefined;
  const { scope, key, payload } = sealKey(ports, origin.key);
  const recorded = await ports.store.recorded(scope, key);
  if (!recorded) return undefined;
  return recorded.payload === payload ? { type: 'repeated', answer: recorded.answer } : keyReused(origin);
}

function keyReused(origin: Pick<Origin, 'key'>) {
  return refused('KEY_REUSED', `the key ${origin.key?.key} was used for another payload`);
}

function refused(
  code: Refusal['code'],
  reason: string,
  details?: Refusal['details'],
): Extract<Outcome, { type: 'refused' }> {
  return { type: 'refused', refusal: { code, reason, ...(details && { details }) } };
}

/** For callers that treat a refusal as an error. */
export function orThrow(outcome: Outcome): Exclude<Outcome, { type: 'refused' }> {
  if (outcome.type !== 'refused') return outcome;
  const { code, reason, details } = outcome.refusal;
  throw new BatonError(code, reason, details);
}
