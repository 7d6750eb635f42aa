import type { AnswerCount } from '../answer-count.js';
import { openaiError } from './openai-errors.js';
import { type Json, list, noteFailure, record, type Wire } from './wire.js';

/** OpenAI Chat Completions, and what speaks like it. */
export const chatWire: Wire = {
  readEvent(event, count) {
    count.names(event.model);
    for (const { delta } of list(event.choices)) readMessage(record(delta), count);
    readUsage(event.usage, count);
    // The figures come with the last word or behind it; only "[DONE]" may follow.
    if (event.usage && list(event.choices).every((choice) => choice.finish_reason)) count.finished = true;
    if (event.error) noteFailure(event.error, count);
  },

  readBody(body, count) {
    count.names(body.model);
    for (const { message } of list(body.choices)) readMessage(record(message), count);
    readUsage(body.usage, count);
    count.finished = true;
  },

  errorBody: (refusal) => ({ error: openaiError(refusal) }),
  errorFrame: (refusal) => `data: ${JSON.stringify({ error: openaiError(refusal) })}\n\n`,
};

function readMessage(message: Json, count: AnswerCount): void {
  count.sees(message.content);
  count.sees(message.refusal);
  // Two names are in use for it, never both at once.
  count.seesReasoning(message.reasoning_content ?? message.reasoning);
  for (const call of list(message.tool_calls)) count.sees(record(call.function).arguments);
}

function readUsage(usage: unknown, count: AnswerCount): void {
  if (typeof usage !== 'object' || usage === null) return;
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = record(usage);
  count.reports({
    inputTokens: prompt_tokens,
    outputTokens: completion_tokens,
    cachedInputTokens: record(prompt_tokens_details).cached_tokens,
    cacheWriteTokens: record(prompt_tokens_details).cache_write_tokens,
    reasoningTokens: record(completion_tokens_details).reasoning_tokens,
  });
}
