import { responseId } from '../conversation.js';
import type { ToolCall } from '../model-scenario.js';
import {
  type Answer,
  argumentsOf,
  deltasOf,
  namedFrame,
  type Piece,
  type ScriptedWire,
  totalOf,
} from './scripted-wire.js';

type Item = {
  /** As it begins, and as it ends. */
  begun: object;
  done: object;
  /** The event of its deltas, where they stand in it, and what they make a reader see. */
  delta: string;
  at: object;
  whole: string;
  sees: 'text' | 'reasoning';
};

/** OpenAI Responses. */
export const responsesWire: ScriptedWire = {
  *pieces(answer) {
    let sequence = 0;
    const event = (type: string, data: object): string => {
      sequence += 1;
      return namedFrame(type, { sequence_number: sequence - 1, ...data });
    };
    const items = itemsOf(answer);
    yield { frame: event('response.created', { response: response(answer, 'in_progress', []) }) };
    yield { frame: event('response.in_progress', { response: response(answer, 'in_progress', []) }) };
    for (const [output_index, item] of items.entries()) {
      yield { frame: event('response.output_item.added', { output_index, item: item.begun }) };
      yield* itemDeltas(answer, item, output_index, event);
      yield { frame: event('response.output_item.done', { output_index, item: item.done }) };
    }
    const last = event(`response.${statusOf(answer)}`, { response: responsesWire.body(answer) });
    yield { frame: last, isLast: true, ...(answer.report && { tells: 'all' }) };
  },

  body(answer) {
    const output = itemsOf(answer).map(({ done }) => done);
    const why = answer.fault === 'incomplete' && { incomplete_details: { reason: 'max_output_tokens' } };
    return {
      ...response(answer, statusOf(answer), output),
      ...why,
      ...(answer.report && { usage: usage(answer.report) }),
    };
  },

  errorBody: (type, message) => ({ error: { message, type, param: null, code: type } }),
  errorFrame: (type, message) =>
    namedFrame('response.failed', {
      response: { object: 'response', status: 'failed', error: { code: type, message } },
    }),
};

function* itemDeltas(
  { step }: Answer,
  { delta, at, whole, sees }: Item,
  output_index: number,
  event: (type: string, data: object) => string,
): Iterable<Piece> {
  for (const part of deltasOf(whole, step)) {
    yield { frame: event(`${delta}.delta`, { output_index, ...at, delta: part }), [sees]: part };
  }
  yield { frame: event(`${delta}.done`, { output_index, ...at, [FIELDS[delta] ?? 'text']: whole }) };
}

const FIELDS: Readonly<Record<string, string>> = {
  'response.function_call_arguments': 'arguments',
  'response.custom_tool_call_input': 'input',
};

function itemsOf({ step, unique }: Answer): Item[] {
  const { reasoning, sealed_reasoning: sealed, text, tool_calls = [] } = step;
  const reasons = reasoning !== undefined || sealed !== undefined;
  return [
    ...(reasons ? [reasoningItem(`rs_${unique}`, reasoning ?? '', sealed)] : []),
    ...(text === undefined ? [] : [messageItem(`msg_${unique}`, text)]),
    ...tool_calls.map((call, index) => callItem(`${unique}_${index}`, call)),
  ];
}

function reasoningItem(id: string, whole: string, sealed: string | undefined): Item {
  const summary = whole === '' ? [] : [{ type: 'summary_text', text: whole }];
  return {
    begun: { id, type: 'reasoning', summary: [] },
    done: { id, type: 'reasoning', summary, ...(sealed !== undefined && { encrypted_content: sealed }) },
    delta: 'response.reasoning_summary_text',
    at: { item_id: id, summary_index: 0 },
    whole,
    sees: 'reasoning',
  };
}

function messageItem(id: string, whole: string): Item {
  const message = { id, type: 'message', role: 'assistant' };
  return {
    begun: { ...message, status: 'in_progress', content: [] },
    done: { ...message, status: 'completed', content: [{ type: 'output_text', text: whole, annotations: [] }] },
    delta: 'response.output_text',
    at: { item_id: id, content_index: 0 },
    whole,
    sees: 'text',
  };
}

function callItem(unique: string, asked: ToolCall): Item {
  if ('input' in asked) return customItem(unique, asked.name, asked.input);
  const { name, namespace } = asked;
  const whole = argumentsOf(asked);
  const group = namespace === undefined ? {} : { namespace };
  const call = { id: `fc_${unique}`, type: 'function_call', call_id: `call_${unique}`, name, ...group };
  return {
    begun: { ...call, status: 'in_progress', arguments: '' },
    done: { ...call, status: 'completed', arguments: whole },
    delta: 'response.function_call_arguments',
    at: { item_id: call.id },
    whole,
    sees: 'text',
  };
}

function customItem(unique: string, name: string, whole: string): Item {
  const call = { id: `ctc_${unique}`, type: 'custom_tool_call', call_id: `call_${unique}`, name };
  return {
    begun: { ...call, status: 'in_progress', input: '' },
    done: { ...call, status: 'completed', input: whole },
    delta: 'response.custom_tool_call_input',
    at: { item_id: call.id },
    whole,
    sees: 'text',
  };
}

function statusOf({ fault }: Answer): 'completed' | 'incomplete' {
  return fault === 'incomplete' ? 'incomplete' : 'completed';
}

function response({ unique, asked, fault }: Answer, status: string, output: readonly object[]) {
  const named = fault === 'no-id' ? {} : { id: responseId(unique, asked) };
  return { ...named, object: 'response', created_at: 0, model: asked.model, status, output };
}

function usage(report: NonNullable<Answer['report']>) {
  return {
    input_tokens: report.input,
    input_tokens_details: { cached_tokens: report.cached_input, cache_write_tokens: report.cache_write },
    output_tokens: report.output,
    output_tokens_details: { reasoning_tokens: report.reasoning },
    total_tokens: totalOf(report),
  };
}
