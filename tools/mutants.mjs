// Plants each known bug in the simulation and says how many seeds it takes to notice: node tools/mutants.mjs [--seeds 300]
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { inWorkers, withBundle } from '../test/simulation/in-workers.mjs';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '300' } } });
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);

const names = await withBundle('mutants.ts', async (url) => Object.keys((await import(url)).mutants));
const found = new Map();
await withBundle('seeds-worker.ts', async (url) => {
  const waiting = [...names];
  const lane = async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      await inWorkers(url, [{ seeds, mutant }], (caught) => found.set(mutant, caught));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
});

const width = Math.max(...names.map((name) => name.length));
console.log(`${'mutant'.padEnd(width)}  seeds  caught by`);
for (const name of names) {
  const caught = found.get(name);
  console.log(
    `${name.padEnd(width)}  ${caught ? String(caught.seeds).padStart(5) : '    –'}  ${caught?.problem ?? 'SURVIVES'}`,
  );
}
process.exitCode = names.every((name) => found.get(name)) ? 0 : 1;
