// The count of the proxy against the provider's own, at length: node tools/meter.mjs [--streams 20000] [--seed 1].
// Prints how many streams were compared; exits 1 with those that differ.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** One stage remembers its scenario, so a long run is made of many. */
const AT_ONCE = 1_000;

const { values } = parseArgs({
  options: { streams: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});

const folder = mkdtempSync(path.join(tmpdir(), 'baton-meter-'));
try {
  const outfile = path.join(folder, 'meter.mjs');
  const entryPoints = [path.join(ROOT, 'test/meter/random-streams.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  const { compareCounts } = await import(pathToFileURL(outfile).href);
  process.exitCode = await compareAll(compareCounts, Number(values.streams), Number(values.seed));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compareAll(compareCounts, streams, seed) {
  let different = 0;
  for (let done = 0; done < streams; done += AT_ONCE) {
    const differences = await compareCounts(seed + done / AT_ONCE, Math.min(AT_ONCE, streams - done));
    different += differences.length;
    for (const { number, counted, served } of differences) {
      console.log(`seed ${seed + done / AT_ONCE}, stream ${number}:`, { counted, served });
    }
  }
  console.log(`${streams} streams compared, ${different} counted otherwise than by the provider`);
  return different === 0 ? 0 : 1;
}
