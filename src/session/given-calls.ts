import type { JudgeFacts } from '../core/session/session-effects.js';
import { type Fields, isCall, listOf } from '../engine/session/model-items.js';
import type { GivenCall } from './wanted-call.js';

/**
 * What was given with each call of a response, in the order of the calls; undefined for one that is not in it. A model
 * may use a name of its own twice.
 */
export function givenCalls(output: string, calls: JudgeFacts['calls']): readonly (GivenCall | undefined)[] {
  const items: (Fields | undefined)[] = listOf(JSON.parse(output)).filter(isCall);
  return calls.map(({ callId, tool, custom }) => {
    const at = items.findIndex((item) => item?.call_id === callId);
    const item = items[at];
    if (!item) return undefined;
    items[at] = undefined;
    const given = item.arguments ?? item.input ?? '';
    return {
      ...{ tool, custom, given: typeof given === 'string' ? given : JSON.stringify(given) },
      isMasked: item.is_masked === true,
    };
  });
}
