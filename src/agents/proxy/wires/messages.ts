import { type AnswerCount, isCount } from '../answer-count.js';
import { WORDS } from '../refusal.js';
import { list, noteFailure, record, type Wire } from './wire.js';

/** Anthropic Messages. */
export const messagesWire: Wire = {
  readEvent(event, count) {
    switch (event.type) {
      case 'message_start': {
        const message = record(event.message);
        count.names(message.model);
        // It knows the input; of the output it knows only the first token.
        readInput(message.usage, count);
        return;
      }
      case 'content_block_delta': {
        const delta = record(event.delta);
        count.sees(delta.text ?? delta.partial_json);
        count.seesReasoning(delta.thinking);
        return;
      }
      case 'message_delta': {
        const usage = record(event.usage);
        if (usage.input_tokens != null) readInput(usage, count);
        count.reports({ outputTokens: usage.output_tokens });
        // Only "message_stop" may follow.
        if (record(event.delta).stop_reason) count.finished = true;
        return;
      }
      case 'error':
        noteFailure(event.error, count);
    }
  },

  readBody(body, count) {
    count.names(body.model);
    for (const block of list(body.content)) {
      count.sees(block.text);
      count.seesReasoning(block.thinking);
      if (block.input !== undefined) count.sees(JSON.stringify(block.input));
    }
    readInput(body.usage, count);
    count.reports({ outputTokens: record(body.usage).output_tokens });
    count.finished = true;
  },

  errorBody: anthropicError,
  errorFrame: (refusal) => `event: error\ndata: ${JSON.stringify(anthropicError(refusal))}\n\n`,
};

function anthropicError({ status, code, message }: Parameters<Wire['errorBody']>[0]) {
  return { type: 'error', error: { type: WORDS[status].anthropic, message, code } };
}

/** Here the cache is counted beside the input; everywhere else in Baton it is a part of it. */
function readInput(usage: unknown, count: AnswerCount): void {
  if (typeof usage !== 'object' || usage === null) return;
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, cache_creation } = record(usage);
  const written = cache_creation_input_tokens ?? 0;
  const read = cache_read_input_tokens ?? 0;
  const long = record(cache_creation).ephemeral_1h_input_tokens ?? 0;
  count.reports({
    inputTokens: sum(input_tokens, written, read),
    cachedInputTokens: read,
    cacheWriteTokens: isCount(written) && isCount(long) ? Math.max(0, written - long) : written,
    longCacheWriteTokens: long,
  });
}

/** Of figures that cannot be there is no sum. */
function sum(...figures: unknown[]): number {
  return figures.every(isCount) ? figures.reduce((one, other) => one + other, 0) : Number.NaN;
}
