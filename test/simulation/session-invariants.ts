import { sessionDecider } from '../../src/core/session/session-decider.js';
import type { SessionEvent } from '../../src/core/session/session-messages.js';
import type { Machine } from '../../src/engine/machines.js';
import type { EventRow } from '../../src/engine/ports.js';
import { brokenPromises } from './session-promises.js';
import type { KindInvariants } from './told.js';

export const sessionInvariants: KindInvariants = {
  machine: sessionDecider as unknown as Machine,
  problems: ({ events, rows }) => {
    const told = events as readonly SessionEvent[];
    return [...brokenPromises(told), ...told.flatMap(calmProblem), ...rows.flatMap(beginProblem)];
  },
};

/** Begun by anybody else it would be taken for lost when the owner is dead, though nobody had begun it. */
function beginProblem({ type, actor, epoch, seq }: EventRow): string[] {
  return type === 'CallBegun' && epoch === null
    ? [`${actor} has begun a call (event ${seq}) and is not the owner`]
    : [];
}

/** Once nothing fails any more, no task does. */
function calmProblem(event: SessionEvent): string[] {
  if (event.type !== 'TaskFailed' || !event.id.startsWith('calm') || event.code === 'INTERRUPTED') return [];
  return [`${event.id} failed in calm times: ${event.message}`];
}
