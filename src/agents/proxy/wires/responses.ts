import type { AnswerCount } from '../answer-count.js';
import { openaiError } from './openai-errors.js';
import { type Json, list, noteFailure, record, type Wire } from './wire.js';

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const REASONING = /^response\.reasoning/;

/** OpenAI Responses. */
export const responsesWire: Wire = {
  readEvent(event, count) {
    const { type, delta } = event;
    if (typeof type !== 'string') return;
    if (type.endsWith('.delta')) {
      if (REASONING.test(type)) count.seesReasoning(delta);
      else count.sees(delta);
      return;
    }
    if (type === 'error') noteFailure(event.error ?? event, count);
    if (event.response === undefined) return;
    const response = record(event.response);
    count.names(response.model);
    readUsage(response.usage, count);
    if (type === 'response.failed') noteFailure(response.error, count);
    if (ENDS.has(type)) count.finished = true;
  },

  readBody(body, count) {
    count.names(body.model);
    for (const item of list(body.output)) readItem(item, count);
    readUsage(body.usage, count);
    if (body.error) noteFailure(body.error, count);
    count.finished = true;
  },

  errorBody: (refusal) => ({ error: openaiError(refusal) }),
  errorFrame: (refusal) => {
    const response = { object: 'response', status: 'failed', error: openaiError(refusal) };
    return `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', response })}\n\n`;
  },
};

function readItem(item: Json, count: AnswerCount): void {
  const see = (text: unknown) => (item.type === 'reasoning' ? count.seesReasoning(text) : count.sees(text));
  for (const part of [...list(item.content), ...list(item.summary)]) see(part.text ?? part.refusal);
  see(item.arguments ?? item.input);
}

function readUsage(usage: unknown, count: AnswerCount): void {
  if (typeof usage !== 'object' || usage === null) return;
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = record(usage);
  count.reports({
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cachedInputTokens: record(input_tokens_details).cached_tokens,
    cacheWriteTokens: record(input_tokens_details).cache_write_tokens,
    reasoningTokens: record(output_tokens_details).reasoning_tokens,
  });
}
