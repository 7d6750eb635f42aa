import { unreachable } from '../../core/kernel/unreachable.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { ModelSpec } from '../agent-spec.js';
import type { Metering } from '../metering/metering.js';
import { providerOfWire } from '../metering/providers.js';
import { serviceFailed } from '../service-failure.js';
import { modelTask } from './model-task.js';
import { messagesWire } from './wires/messages.js';
import { chatWire, responsesWire } from './wires/openai.js';
import type { Wire, WireOptions } from './wires/wire.js';

export type ModelOptions = { metering: Pick<Metering, 'during'> };

/** Asks a model once. An answer that is not what was agreed is sent back to it once, with what is wrong with it. */
export function modelAdapter({ wire, model, baseUrl }: ModelSpec, { metering }: ModelOptions): Adapter {
  return async ({ run }, { key, attempt }, request, signal) => {
    const needs = [{ provider: providerOfWire(wire), baseUrl }];
    return metering.during({ run, handoff: key, attempt }, needs, signal, async ({ ways, signal }) => {
      const [way] = ways;
      if (!way) return failed('auth', 'there is no way to its provider');
      const send = wireOf(wire, { baseUrl: way.baseUrl, key: way.token, model });
      const { conversation, contract, isFree, problemOf } = modelTask(request);
      try {
        const schema = isFree ? null : contract ? await schemaOf(contract) : { type: 'object' };
        const first = await send(conversation, schema, signal);
        const problem = problemOf(first);
        if (problem === null) return answered(first);
        const repair = `That was refused: ${problem}. Answer again, with exactly one JSON object of the agreed form.`;
        return answered(await send({ ...conversation, turns: [...conversation.turns, first, repair] }, schema, signal));
      } catch (failure) {
        return serviceFailed(failure, signal);
      }
    });
  };
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
