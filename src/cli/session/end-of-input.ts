import { randomUUID } from 'node:crypto';
import type { Submission } from '../../contracts/generated/types/submission.js';

/** Whoever started the task is gone. A new id each time: under an old one it would be the interrupt of the last time. */
export function endOfInput(): Submission {
  return { id: `end-of-input-${randomUUID()}`, op: { type: 'interrupt' } };
}
