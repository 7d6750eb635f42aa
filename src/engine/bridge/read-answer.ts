import { reportedConfidence } from '../../contracts/bridge/bridge-answer.js';
import { isObject } from '../../contracts/shared/is-object.js';
import type { AnswerFacts } from '../../core/bridge/bridge-effects.js';
import type { AnswerReading } from '../../core/bridge/bridge-messages.js';

/** What an answer says of itself, and whether it is what its phase needs. */
export function readAnswer({ required }: AnswerFacts, text: string): AnswerReading {
  return { error: required && problemOf(text, required), confidence: reportedConfidence({ response: text }) };
}

function problemOf(text: string, required: readonly string[]): AnswerReading['error'] {
  const value = parsed(text);
  if (!isObject(value)) return { type: 'PARSE_ERROR', message: 'the answer is not one JSON object' };
  const missing = required.filter((field) => !Object.hasOwn(value, field));
  if (missing.length === 0) return null;
  return { type: 'VALIDATION_ERROR', message: `the answer lacks ${missing.join(', ')}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
