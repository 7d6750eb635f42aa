import { retryAfterMs } from '../../proxy/retry-after.js';

/** What is said to a model: standing instructions, then turns that alternate, the first of them ours. */
export type Conversation = { system: string; turns: readonly string[] };

/**
 * One protocol of model services. `schema` is what the answer shall look like, where the service can see to that; null:
 * any text.
 */
export type Wire = (conversation: Conversation, schema: object | null, signal: AbortSignal) => Promise<string>;

export type WireOptions = {
  baseUrl: string;
  key: string;
  model: string;
  /** For tests and for what stands between. */
  fetch?: typeof fetch;
};

/** Nobody is sent elsewhere with a key. */
export function withoutRedirects(send: typeof fetch = fetch): typeof fetch {
  return (input, init) => send(input, { ...init, redirect: 'error' });
}

export function waitAsked(headers: Headers | undefined): number | undefined {
  return headers && retryAfterMs({ headers: Object.fromEntries(headers) }, Date.now());
}

/** A service said no, or something that is no answer. */
export class ServiceError extends Error {
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
