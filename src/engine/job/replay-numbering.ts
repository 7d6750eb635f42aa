import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import type { Mismatch } from './replay-history.js';

/** Baton counts from 0; the example in the document counts from 1. */
const FIRSTS: readonly number[] = [0, 1];

/** Sequences have no gaps; attempts of a handoff stand together and count from 1; our handoffs count too. */
export function numberingProblem(
  interaction: JobInteraction,
  before: JobInteraction | undefined,
  first: number | undefined,
): Mismatch | undefined {
  return sequenceProblem(interaction, before, first) ?? handoffProblem(interaction, before, first);
}

function sequenceProblem(
  { sequence }: JobInteraction,
  before: JobInteraction | undefined,
  first: number | undefined,
): Mismatch | undefined {
  const expected = before ? before.sequence + 1 : (first ?? (FIRSTS.includes(sequence) ? sequence : 0));
  if (sequence === expected) return undefined;
  // Left out or doubled: the smaller number is the one that is missing or there twice.
  const where = Math.min(sequence, expected);
  return { sequence: where, reason: 'the sequence has a gap or repeats itself', expected, found: sequence };
}

function handoffProblem(
  { handoff, attempt }: JobInteraction,
  before: JobInteraction | undefined,
  first: number | undefined,
): Mismatch | undefined {
  if (handoff === undefined || attempt === undefined) return undefined;
  if (!before && first !== undefined) return undefined;
  const found = { handoff, attempt };
  if (attempt > 1) {
    const isNext = before?.handoff === handoff && before.attempt === attempt - 1;
    const expected = { handoff, attempt: before?.handoff === handoff ? (before.attempt ?? 0) + 1 : 1 };
    return isNext ? undefined : { ...at(before), reason: 'an attempt is missing', expected, found };
  }
  const [stem, number] = numbered(handoff);
  const [, earlier] = numbered(before?.handoff ?? `${stem}0`);
  const follows =
    before?.handoff !== handoff && (number === undefined || earlier === undefined || number === earlier + 1);
  if (follows) return undefined;
  const expected = { handoff: `${stem}${(earlier ?? 0) + 1}`, attempt: 1 };
  return { ...at(before), reason: 'a handoff is missing or repeated', expected, found };
}

function at(before: JobInteraction | undefined): { sequence?: number } {
  return before ? {} : { sequence: 0 };
}

/** Ours are called h1, h2 and so on. */
function numbered(handoff: string): [stem: string, number: number | undefined] {
  const [, stem, digits] = /^(.*\/h)(\d+)$/.exec(handoff) ?? [];
  return stem !== undefined && digits !== undefined ? [stem, Number(digits)] : [handoff, undefined];
}
