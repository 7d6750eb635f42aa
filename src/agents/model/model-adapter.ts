import { unreachable } from '../../core/kernel/unreachable.js';
import type { AskOutcome } from '../../engine/ports.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { ModelSpec } from '../agent-spec.js';
import type { Metering } from '../metering/metering.js';
import { providerOfWire } from '../metering/providers.js';
import type { LogListener } from '../process/live-log.js';
import { serviceFailed } from '../service-failure.js';
import { type ModelTask, modelTask } from './model-task.js';
import { messagesWire } from './wires/messages.js';
import { chatWire, responsesWire } from './wires/openai.js';
import type { Wire, WireOptions } from './wires/wire.js';
import { type ModelWork, workOnJob } from './work-on-job.js';

export type ModelOptions = {
  metering: Pick<Metering, 'during'>;
  /** How a model works on a job with hands. Without it, it judges by the request alone. */
  work?: ModelWork;
  onLog?: LogListener;
};

/**
 * Asks a model: a job where it can work, with hands; anything else once. An answer that is not what was agreed is sent
 * back to it once, with what is wrong with it.
 */
export function modelAdapter({ wire, model, baseUrl }: ModelSpec, { metering, work, onLog }: ModelOptions): Adapter {
  return async (held, ask, request, signal) => {
    const { run } = held;
    const needs = [{ provider: providerOfWire(wire), baseUrl }];
    return metering.during({ run, handoff: ask.key, attempt: ask.attempt }, needs, signal, async (access) => {
      const task = modelTask(request);
      const repairOf = (answer: string): string | null => repairFor(task.problemOf(answer));
      const { job } = task;
      if (work && job && wire === 'responses') {
        const done = await workOnJob(work, { held, ask, model, job, access, repairOf, onLog });
        if (done) return done;
      }
      const [way] = access.ways;
      if (!way) return failed('auth', 'there is no way to its provider');
      const send = wireOf(wire, { baseUrl: way.baseUrl, key: way.token, model });
      return askOnce(task, send, repairOf, access.signal);
    });
  };
}

async function askOnce(
  { conversation, contract, isFree }: ModelTask,
  send: Wire,
  repairOf: (answer: string) => string | null,
  signal: AbortSignal,
): Promise<AskOutcome> {
  try {
    const schema = isFree ? null : contract ? await schemaOf(contract) : { type: 'object' };
    const first = await send(conversation, schema, signal);
    const repair = repairOf(first);
    if (repair === null) return answered(first);
    return answered(await send({ ...conversation, turns: [...conversation.turns, first, repair] }, schema, signal));
  } catch (failure) {
    return serviceFailed(failure, signal);
  }
}

function repairFor(problem: string | null): string | null {
  if (problem === null) return null;
  return `That was refused: ${problem}. Answer again, with exactly one JSON object of the agreed form.`;
}

function wireOf(wire: ModelSpec['wire'], options: WireOptions): Wire {
  switch (wire) {
    case 'responses':
      return responsesWire(options);
    case 'chat':
      return chatWire(options);
    case 'messages':
      return messagesWire(options);
    default:
      return unreachable(wire);
  }
}

/** All schemas are one large file, so it is read when one is needed. */
async function schemaOf(contract: 'agent-response'): Promise<object> {
  const { schemas } = await import('../../contracts/generated/validators/schemas.js');
  return schemas[contract] as object;
}
