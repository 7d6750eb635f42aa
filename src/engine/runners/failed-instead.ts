import type { Refusal } from '../../core/kernel/decider.js';
import { type EffectResult, NO_USAGE } from '../../core/kernel/effect.js';

/**
 * What is said of an effect whose result can never be written: short, whatever the result was. What it cost stays known;
 * the machine decides what follows.
 */
export function failedInstead(result: EffectResult, { reason }: Pick<Refusal, 'reason'>): EffectResult {
  const { atMs, key } = result;
  const { inputTokens, outputTokens, costMicroUsd } = 'usage' in result ? result.usage : NO_USAGE;
  return {
    ...{ type: 'Failed', atMs, key, failure: 'refused', reason: `what came of it cannot be kept: ${reason}` },
    usage: { inputTokens, outputTokens, costMicroUsd },
    ...('request' in result && result.request && { request: result.request }),
  };
}
