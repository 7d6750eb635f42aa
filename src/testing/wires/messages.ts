import {
  type Answer,
  argumentsOf,
  deltasOf,
  namedFrame as frame,
  type Piece,
  type ScriptedWire,
} from './scripted-wire.js';

/** Anthropic Messages. */
export const messagesWire: ScriptedWire = {
  *pieces(answer) {
    const { step, report } = answer;
    const message = { ...head(answer), content: [], stop_reason: null, ...startUsage(answer) };
    yield { frame: frame('message_start', { message }), ...(report && { tells: 'input' }) };
    yield { frame: frame('ping', {}) };
    let index = 0;
    if (step.reasoning !== undefined) {
      yield* block(answer, index, { type: 'thinking', thinking: '', signature: '' }, step.reasoning, (reasoning) => ({
        delta: { type: 'thinking_delta', thinking: reasoning },
        seen: { reasoning },
      }));
      index += 1;
    }
    if (step.text !== undefined) {
      yield* block(answer, index, { type: 'text', text: '' }, step.text, (text) => ({
        delta: { type: 'text_delta', text },
        seen: { text },
      }));
      index += 1;
    }
    for (const [number, call] of (step.tool_calls ?? []).entries()) {
      yield* block(answer, index, { ...toolUse(answer, number, call.name), input: {} }, argumentsOf(call), (text) => ({
        delta: { type: 'input_json_delta', partial_json: text },
        seen: { text },
      }));
      index += 1;
    }
    const delta = { stop_reason: stopReason(answer), stop_sequence: null };
    const usage = report && { usage: { output_tokens: report.output } };
    yield { frame: frame('message_delta', { delta, ...usage }), isLast: true, ...(report && { tells: 'all' }) };
    yield { frame: frame('message_stop', {}) };
  },

  body(answer) {
    const { step, report } = answer;
    const content = [
      ...(step.reasoning === undefined ? [] : [{ type: 'thinking', thinking: step.reasoning, signature: '' }]),
      ...(step.text === undefined ? [] : [{ type: 'text', text: step.text }]),
      ...(step.tool_calls ?? []).map((call, number) => ({
        ...toolUse(answer, number, call.name),
        input: 'input' in call ? { input: call.input } : call.arguments,
      })),
    ];
    const usage = report && { usage: { ...inputUsage(report), output_tokens: report.output } };
    return { ...head(answer), content, stop_reason: stopReason(answer), ...usage };
  },

  errorBody: (type, message) => ({ type: 'error', error: { type, message } }),
  errorFrame: (type, message) => frame('error', { error: { type, message } }),
};

function head({ unique, asked, fault }: Answer) {
  return { ...(fault !== 'no-id' && { id: `msg_${unique}` }), type: 'message', role: 'assistant', model: asked.model };
}

type Delta = { delta: object; seen: Pick<Piece, 'text' | 'reasoning'> };

function* block(
  { step }: Answer,
  index: number,
  start: object,
  whole: string,
  deltaOf: (part: string) => Delta,
): Iterable<Piece> {
  yield { frame: frame('content_block_start', { index, content_block: start }) };
  for (const part of deltasOf(whole, step)) {
    const { delta, seen } = deltaOf(part);
    yield { frame: frame('content_block_delta', { index, delta }), ...seen };
  }
  yield { frame: frame('content_block_stop', { index }) };
}

function toolUse({ unique }: Answer, number: number, name: string) {
  return { type: 'tool_use', id: `toolu_${unique}_${number}`, name };
}

function stopReason({ step, fault }: Answer): string {
  if (fault === 'incomplete') return 'max_tokens';
  return step.tool_calls?.length ? 'tool_use' : 'end_turn';
}

/** The first event knows the input, and as little about the output as real ones do. */
function startUsage({ report }: Answer) {
  return report && { usage: { ...inputUsage(report), output_tokens: 1 } };
}

/** This wire counts what the cache has to do with beside the input, not as a part of it. */
function inputUsage({ input, cached_input: read, cache_write: written = 0 }: NonNullable<Answer['report']>) {
  const numbers = typeof input === 'number' && typeof read === 'number' && typeof written === 'number';
  const fresh = numbers ? input - read - written : input;
  return { input_tokens: fresh, cache_creation_input_tokens: written, cache_read_input_tokens: read };
}
