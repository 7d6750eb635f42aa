import type { AnswerCount } from '../answer-count.js';
import type { Refusal } from '../refusal.js';

/** How one provider's words are read, and how Baton says no in them. */
export interface Wire {
  /** One event of a stream. */
  readEvent(event: Json, count: AnswerCount): void;
  /** A whole answer that is not streamed. */
  readBody(body: Json, count: AnswerCount): void;
  errorBody(refusal: Refusal): object;
  /** The same inside a stream. */
  errorFrame(refusal: Refusal): string;
}

export type Json = Readonly<Record<string, unknown>>;

const NOTHING: Json = {};

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : NOTHING;
}

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

/** What an object names as its error, if it does. */
export function noteFailure(error: unknown, count: AnswerCount): void {
  const { type, code, message } = record(error);
  const word = [code, type].find((name) => typeof name === 'string');
  if (typeof word !== 'string') return;
  count.failure = { type: word, message: typeof message === 'string' ? message : '' };
}
