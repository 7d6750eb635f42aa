import { reportedConfidence } from '../../contracts/bridge/bridge-answer.js';
import { reportedUsage } from '../../contracts/job/reported-usage.js';
import { isObject } from '../../contracts/shared/is-object.js';
import type { AnswerFacts } from '../../core/bridge/bridge-effects.js';
import type { AnswerReading } from '../../core/bridge/bridge-messages.js';

/** What an answer says of itself, and whether it is what its phase needs. */
export function readAnswer({ required }: AnswerFacts, text: string): AnswerReading {
  const value = parsed(text);
  return {
    error: required && problemOf(value, required),
    confidence: reportedConfidence({ response: text }),
    reported: isObject(value) ? reportedUsage(value).usage : null,
  };
}

function problemOf(value: unknown, required: readonly string[]): AnswerReading['error'] {
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
