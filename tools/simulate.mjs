// The simulation at length: node tools/simulate.mjs [--seeds 10000] [--from 1], or --seed N for the diary of one seed.
// --cast sessions plays people who talk to agents instead of errands and jobs.
// Prints what was lived through and how fast; exits 1 with the seeds that broke a promise.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { inWorkers, withBundle } from '../test/simulation/in-workers.mjs';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    cast: { type: 'string', default: 'work' },
  },
});

process.exitCode =
  values.seed === undefined
    ? await runSeeds(Number(values.from), Number(values.seeds))
    : await tellSeed(Number(values.seed));

async function tellSeed(seed) {
  const { trace, problems } = await withBundle('simulate.ts', async (url) =>
    (await import(url)).simulate(seed, {}, values.cast),
  );
  console.log(trace.join('\n'));
  for (const problem of problems) console.log(`PROBLEM ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

async function runSeeds(from, count) {
  const startedMs = performance.now();
  const totals = { seeds: 0, kills: 0, pauses: 0, stops: 0, drives: 0, asks: 0, simulatedMs: 0 };
  const failed = [];
  const shares = availableParallelism();
  await withBundle('seeds-worker.ts', (url) =>
    inWorkers(
      url,
      Array.from({ length: shares }, (_, share) => ({ seeds: seedsOf(from, count, share, shares), cast: values.cast })),
      ({ seed, problems, ...told }) => {
        totals.seeds += 1;
        for (const [name, value] of Object.entries(told)) totals[name] += value;
        if (problems.length > 0) failed.push({ seed, problems });
      },
    ),
  );
  const minutes = (performance.now() - startedMs) / 60_000;
  const { simulatedMs, ...counts } = totals;
  const hours = simulatedMs / 3_600_000;
  for (const [name, value] of Object.entries(counts)) console.log(`${name.padEnd(26)}${value}`);
  console.log(`${'simulated hours'.padEnd(26)}${hours.toFixed(1)}`);
  console.log(`${'simulated hours a minute'.padEnd(26)}${(hours / minutes).toFixed(1)}`);
  console.log(`${'seeds with problems'.padEnd(26)}${failed.length}`);
  for (const { seed, problems } of failed.sort((one, other) => one.seed - other.seed)) {
    console.log(`seed ${seed} (npm run simulate -- --cast ${values.cast} --seed ${seed}): ${problems.join('; ')}`);
  }
  return failed.length === 0 ? 0 : 1;
}

function seedsOf(from, count, share, shares) {
  return Array.from({ length: count }, (_, index) => from + index).filter((_, index) => index % shares === share);
}
