import type OpenAI from 'openai';
import { type Conversation, ServiceError, type Wire, type WireOptions, waitAsked, withoutRedirects } from './wire.js';

const NAME = 'answer';

/** OpenAI Responses. */
export function responsesWire(options: WireOptions): Wire {
  return async ({ system, turns }, schema, signal) => {
    const input = turns.map((content, index) => ({ role: roleOf(index), content }));
    const format = { type: 'json_schema' as const, name: NAME, schema: { ...schema }, strict: false };
    const asked = { model: options.model, instructions: system, input, ...(schema && { text: { format } }) };
    const response = await called(options, (client) => client.responses.create(asked, { signal }));
    return response.output_text;
  };
}

/** OpenAI Chat Completions, which many other services speak. */
export function chatWire(options: WireOptions): Wire {
  return async (conversation, schema, signal) => {
    const messages = chatMessages(conversation);
    const json_schema = { name: NAME, schema: { ...schema }, strict: false };
    const form = schema && { response_format: { type: 'json_schema' as const, json_schema } };
    const response = await called(options, (client) =>
      client.chat.completions.create({ model: options.model, messages, ...form }, { signal }),
    );
    return response.choices[0]?.message.content ?? '';
  };
}

function chatMessages({ system, turns }: Conversation): OpenAI.Chat.ChatCompletionMessageParam[] {
  return [{ role: 'system', content: system }, ...turns.map((content, index) => ({ role: roleOf(index), content }))];
}

function roleOf(index: number): 'user' | 'assistant' {
  return index % 2 === 0 ? 'user' : 'assistant';
}

/** The package is loaded when it is needed: it takes longer than all of Baton. Trying again is the matrix's to decide. */
async function called<Result>(
  { baseUrl, key, fetch: send }: WireOptions,
  call: (client: OpenAI) => Promise<Result>,
): Promise<Result> {
  const { default: Client, APIError } = await import('openai');
  const client = new Client({ apiKey: key, baseURL: baseUrl, maxRetries: 0, fetch: withoutRedirects(send) });
  try {
    return await call(client);
  } catch (failure) {
    if (!(failure instanceof APIError) || failure.status === undefined) throw failure;
    throw new ServiceError(failure.status, failure.message, waitAsked(failure.headers));
  }
}
