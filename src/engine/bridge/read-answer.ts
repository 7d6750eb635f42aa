import { answerObject } from '../../contracts/bridge/answer-object.js';
import { reportedConfidence } from '../../contracts/bridge/bridge-answer.js';
import { reportedUsage } from '../../contracts/job/reported-usage.js';
import type { AnswerFacts } from '../../core/bridge/bridge-effects.js';
import type { AnswerReading } from '../../core/bridge/bridge-messages.js';

/** What an answer says of itself, and whether it is what its phase needs. */
export function readAnswer({ required }: AnswerFacts, text: string): AnswerReading {
  const value = answerObject(text);
  return {
    error: required && problemOf(value, required),
    confidence: reportedConfidence({ response: text }),
    reported: value ? reportedUsage(value).usage : null,
  };
}

function problemOf(value: Record<string, unknown> | undefined, required: readonly string[]): AnswerReading['error'] {
  if (!value) return { type: 'PARSE_ERROR', message: 'the answer is not one JSON object' };
  const missing = required.filter((field) => !Object.hasOwn(value, field));
  if (missing.length === 0) return null;
  return { type: 'VALIDATION_ERROR', message: `the answer lacks ${missing.join(', ')}` };
}
