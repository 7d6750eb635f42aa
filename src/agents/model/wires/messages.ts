import { ServiceError, type Wire, type WireOptions, waitAsked, withoutRedirects } from './wire.js';

const VERSION = '2023-06-01';
const TOKENS_MAX = 8_192;
const REASON_LENGTH_MAX = 500;

type Answer = {
  content?: { type: string; text?: string }[];
};

/** Anthropic Messages. What the answer shall look like stands in the instructions alone. */
export function messagesWire({ baseUrl, key, model, fetch: send }: WireOptions): Wire {
  return async ({ system, turns }, _schema, signal) => {
    const messages = turns.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
    const response = await withoutRedirects(send)(`${baseUrl.replace(/\/$/, '')}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': VERSION },
      body: JSON.stringify({ model, system, messages, max_tokens: TOKENS_MAX }),
      signal,
    });
    const text = await response.text();
    if (!response.ok) {
      const reason = `${response.status} ${text.slice(0, REASON_LENGTH_MAX)}`;
      throw new ServiceError(response.status, reason, waitAsked(response.headers));
    }
    return (parsed(text).content ?? []).flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('');
  };
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new ServiceError(502, 'the service answered with something that is no JSON');
  }
}
