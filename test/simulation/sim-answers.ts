/** What simulated agents say: from the text alone it is known to which ask it belongs and what it means. */

export const SAYINGS = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'RETRY', 'STUCK', 'UNPROVEN', 'GARBAGE'] as const;
export type Saying = (typeof SAYINGS)[number];

/** Of an errand. */
export function answerTo(run: string, key: string): string {
  return `answer of ${run} to ${key}`;
}

/** Of a job. */
export function jobAnswer(saying: Saying, run: string, key: string, attempt: number): string {
  return `${saying} of ${run} to ${key}.${attempt}`;
}

/** Handed in by a person. */
export function byHand(saying: Saying, number: number): string {
  return `${saying} by hand ${number}`;
}

export function sayingOf(text: string): Saying {
  return SAYINGS.find((saying) => text.startsWith(`${saying} `)) ?? 'GARBAGE';
}
