import {
  type Answer,
  argumentsOf,
  deltasOf,
  type Piece,
  plainFrame,
  type ScriptedWire,
  totalOf,
} from './scripted-wire.js';

/** OpenAI Chat Completions. */
export const chatWire: ScriptedWire = {
  *pieces(answer) {
    const { step, asked, report } = answer;
    yield chunk(answer, { role: 'assistant', content: '' });
    for (const reasoning of deltasOf(step.reasoning ?? '', step)) {
      yield { ...chunk(answer, { reasoning_content: reasoning }), reasoning };
    }
    for (const text of deltasOf(step.text ?? '', step)) yield { ...chunk(answer, { content: text }), text };
    for (const [index, call] of (step.tool_calls ?? []).entries()) {
      yield chunk(answer, { tool_calls: [{ index, ...toolCall(answer, index, call.name, '') }] });
      for (const text of deltasOf(argumentsOf(call), step)) {
        yield { ...chunk(answer, { tool_calls: [{ index, function: { arguments: text } }] }), text };
      }
    }
    yield { ...chunk(answer, {}, finishReason(answer)), isLast: true };
    if (report && asked.wantsUsage) {
      yield { frame: plainFrame({ ...head(answer), choices: [], usage: usage(report) }), tells: 'all' };
    }
    yield { frame: 'data: [DONE]\n\n' };
  },

  body(answer) {
    const { step, report } = answer;
    const message = {
      role: 'assistant',
      content: step.text ?? null,
      ...(step.reasoning !== undefined && { reasoning_content: step.reasoning }),
      ...(step.tool_calls && {
        tool_calls: step.tool_calls.map((call, index) => toolCall(answer, index, call.name, argumentsOf(call))),
      }),
    };
    const choices = [{ index: 0, message, finish_reason: finishReason(answer), logprobs: null }];
    return { ...head(answer), object: 'chat.completion', choices, ...(report && { usage: usage(report) }) };
  },

  errorBody: (type, message) => ({ error: { message, type, param: null, code: type } }),
  errorFrame: (type, message) => plainFrame({ error: { message, type, param: null, code: type } }),
};

function head({ unique, asked, fault }: Answer) {
  return {
    ...(fault !== 'no-id' && { id: `chatcmpl-${unique}` }),
    object: 'chat.completion.chunk',
    created: 0,
    model: asked.model,
  };
}

function chunk(answer: Answer, delta: object, finish_reason: string | null = null): Piece {
  return { frame: plainFrame({ ...head(answer), choices: [{ index: 0, delta, finish_reason }] }) };
}

function toolCall({ unique }: Answer, index: number, name: string, words: string) {
  return { id: `call_${unique}_${index}`, type: 'function', function: { name, arguments: words } };
}

function finishReason({ step, fault }: Answer): string {
  if (fault === 'incomplete') return 'length';
  return step.tool_calls?.length ? 'tool_calls' : 'stop';
}

function usage(report: NonNullable<Answer['report']>) {
  return {
    prompt_tokens: report.input,
    completion_tokens: report.output,
    total_tokens: totalOf(report),
    prompt_tokens_details: { cached_tokens: report.cached_input, cache_write_tokens: report.cache_write },
    completion_tokens_details: { reasoning_tokens: report.reasoning },
  };
}
