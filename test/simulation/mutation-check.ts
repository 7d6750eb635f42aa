import type { Mutation } from './fleet.js';
import { simulate } from './simulate.js';

export type Caught = { seeds: number; problem: string } | undefined;

/** Which of the seeds notices a planted bug first, and how it says so. */
export async function caughtBy(mutation: Mutation, seeds: readonly number[]): Promise<Caught> {
  for (const [index, seed] of seeds.entries()) {
    const [problem] = (await simulate(seed, mutation)).problems;
    if (problem !== undefined) return { seeds: index + 1, problem };
  }
  return undefined;
}
