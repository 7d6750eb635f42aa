import { isObject } from '../contracts/shared/is-object.js';
import type { JudgeFacts } from '../core/session/session-effects.js';
import type { GivenCall } from './wanted-call.js';

const CALL_TYPES: readonly unknown[] = ['function_call', 'custom_tool_call'];

/** What was given with each call of a response, in the order of the calls. A model may use a name of its own twice. */
export function givenCalls(output: string, calls: JudgeFacts['calls']): readonly GivenCall[] {
  const items = itemsIn(output);
  return calls.map(({ callId, tool, custom }, index) => {
    const named = items.findIndex((item) => item?.call_id === callId);
    const at = named >= 0 ? named : index;
    const item = items[at];
    items[at] = undefined;
    const given = item?.arguments ?? item?.input ?? '';
    return { tool, custom, given: typeof given === 'string' ? given : JSON.stringify(given) };
  });
}

function itemsIn(output: string): (Record<string, unknown> | undefined)[] {
  const value: unknown = JSON.parse(output);
  const items = Array.isArray(value) ? value : [];
  return items.filter((item) => isObject(item) && CALL_TYPES.includes((item as Record<string, unknown>).type));
}
