import { parentPort, workerData } from 'node:worker_threads';
import type { Cast } from './kinds.js';
import { mutants } from './mutants.js';
import { caughtBy } from './mutation-check.js';
import { simulate } from './simulate.js';

/** One share of a long run; `tools/simulate.mjs` and `tools/mutants.mjs` bundle this and start it once per core. */
const { seeds, mutant, cast } = workerData as { seeds: readonly number[]; mutant?: string; cast?: Cast };

if (mutant !== undefined) parentPort?.postMessage(await caughtBy(mutants[mutant] ?? {}, seeds));
else {
  for (const seed of seeds) {
    const { trace: _, ...told } = await simulate(seed, {}, cast);
    parentPort?.postMessage({ seed, ...told });
  }
}
