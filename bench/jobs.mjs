// Jobs of two phases through the whole program, against LangGraph.js (--peers).
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { jobRate, jobsHome } from './measure/jobs.mjs';

const folder = scratchFolder();
const baton = await import(await bundleSource(folder, ['wiring']));
console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`);
const home = jobsHome(baton, path.join(folder, 'main'));
for (const atOnce of [1, 50])
  for (let i = 0; i < 3; i++) console.log(atOnce, await jobRate(home, { count: 300, atOnce }));
