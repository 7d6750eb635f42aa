import type { Usage } from '../../core/kernel/effect.js';
import { unreachable } from '../../core/kernel/unreachable.js';
import { type Adapter, failed } from '../adapter.js';
import type { ModelSpec } from '../agent-spec.js';
import { costMicroUsd, KNOWN_PRICES, type PriceTable } from '../proxy/prices.js';
import { NO_TOKENS } from '../proxy/tokens.js';
import { serviceFailed } from '../service-failure.js';
import { modelTask } from './model-task.js';
import { messagesWire } from './wires/messages.js';
import { chatWire, responsesWire } from './wires/openai.js';
import type { Wire, WireOptions } from './wires/wire.js';

export type ModelOptions = {
  environment: Readonly<Record<string, string | undefined>>;
  /** Default: the prices Baton knows. */
  prices?: PriceTable;
};

/** Where a service is, and whose key it takes, when nothing is said. */
const USUAL = {
  openai: { url: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY', at: 'https://api.openai.com/v1' },
  anthropic: { url: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_API_KEY', at: 'https://api.anthropic.com' },
} as const;

/** Asks a model once. An answer that is not what was agreed is sent back to it once, with what is wrong with it. */
export function modelAdapter(spec: ModelSpec, { environment, prices = KNOWN_PRICES }: ModelOptions): Adapter {
  return async (_held, _ask, request, signal) => {
    const vendor = USUAL[spec.wire === 'messages' ? 'anthropic' : 'openai'];
    const key = environment[vendor.key];
    if (!key) return failed('auth', `${vendor.key} is not set`);
    const baseUrl = spec.baseUrl ?? environment[vendor.url] ?? vendor.at;
    const send = wireOf(spec.wire, { baseUrl, key, model: spec.model });
    const { conversation, contract, problemOf } = modelTask(request);
    try {
      const schema = contract ? await schemaOf(contract) : { type: 'object' };
      const first = await send(conversation, schema, signal);
      const problem = problemOf(first.text);
      if (problem === null) return { type: 'answered', text: first.text, usage: priced(first.usage) };
      const repair = `That was refused: ${problem}. Answer again, with exactly one JSON object of the agreed form.`;
      const turns = [...conversation.turns, first.text, repair];
      const second = await send({ ...conversation, turns }, schema, signal);
      return { type: 'answered', text: second.text, usage: priced(sum(first.usage, second.usage)) };
    } catch (failure) {
      return serviceFailed(failure, signal);
    }
  };

  function priced(usage: Usage): Usage {
    // Without a price there is no cost; tokens and time are still held to their limits.
    return { ...usage, costMicroUsd: costMicroUsd(prices, spec.model, { ...NO_TOKENS, ...usage }) ?? 0 };
  }
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

function sum(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costMicroUsd: 0,
  };
}
