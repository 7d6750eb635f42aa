// Jobs of two phases through the whole program on a real home, against LangGraph.js (--peers); one job of very many
// interactions at its beginning and its end.
// Not measured: real agents, checks, landing, several processes on one home, jobs of many large texts.
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { gitShare, jobRate, jobsHome, PHASES, smallRepository } from './measure/jobs.mjs';
import { openLangGraph } from './measure/langgraph.mjs';
import { longJob } from './measure/long-job.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { interleave, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS, interactions: INTERACTIONS, jobs: JOBS, peers, only } = readOptions(process.argv.slice(2), 5);
const GOAL = 3;
const SYNCED = 'LangGraph.js, synced';

const folder = scratchFolder();
const bundle = await bundleSource(folder, ['wiring', 'system/node-history-files']);
const baton = await import(bundle);

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`);
await runSections({ steps, repository, long }, only);

/** All rounds together are as many jobs as were asked for. */
async function steps() {
  const main = jobsHome(baton, path.join(folder, 'main'));
  const thread = jobsHome(baton, path.join(folder, 'thread'), { writer: 'thread' });
  const { peer, skipped } = peers
    ? await openLangGraph(path.join(folder, 'langgraph.db'), PHASES)
    : { skipped: 'asked for with --peers' };
  const synced = peer && (await openLangGraph(path.join(folder, 'synced.db'), PHASES, { synced: true })).peer;
  const count = Math.ceil(JOBS / ROUNDS);
  for (const atOnce of [1, 50]) {
    const measures = {
      'baton, main writer': () => jobRate(main, { count, atOnce }),
      'baton, thread writer': () => jobRate(thread, { count, atOnce }),
    };
    if (synced) measures[SYNCED] = () => synced.stepRate({ workflows: count, atOnce });
    const baseline = peer ? () => peer.stepRate({ workflows: count, atOnce }) : () => 1;
    for (const warmUp of [baseline, ...Object.values(measures)]) await warmUp();
    const { ratios, baselines, values } = await interleave(ROUNDS, baseline, measures);
    console.log(`\n${count * ROUNDS} jobs of ${PHASES} phases, ${atOnce} at a time, in ${ROUNDS} rounds`);
    if (peer) console.log(`  LangGraph.js            ${spread(baselines, 0)} steps/s`);
    for (const [name, rates] of values) {
      const ours = name !== SYNCED;
      const ratio = peer && ours ? `${spread(ratios.get(name))} x LangGraph.js   goal ≥ ${GOAL}` : '';
      console.log(`  ${name.padEnd(23)} ${spread(rates, 0)} steps/s   ${ratio}`);
      const like = ours && values.get(SYNCED)?.map((rate, round) => rates[round] / rate);
      if (like) console.log(`  ${''.padEnd(23)} ${spread(like)} x LangGraph.js when that syncs its commits too`);
    }
  }
  if (peer)
    console.log(
      `  LangGraph.js: durability as by default, its saver has synchronous = ${peer.synchronous}; ours 2 (FULL)`,
    );
  else console.log(`  LangGraph.js            skipped: ${skipped}`);
  peer?.close();
  synced?.close();
}

async function repository() {
  const repo = smallRepository(path.join(folder, 'repo'));
  const home = jobsHome(baton, path.join(folder, 'with-repository'));
  const rates = [];
  const shares = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const git = gitShare();
    rates.push(await jobRate(home, { count: 10, atOnce: 1, repo }));
    shares.push(git.end() * 100);
  }
  console.log(`\njobs of ${PHASES} phases in a repository of a few files, 1 at a time, ${ROUNDS} rounds of 10`);
  console.log(
    `  baton, main writer      ${spread(rates, 1)} steps/s; a git process runs ${spread(shares, 0)} % of the time`,
  );
}

async function long() {
  await longJob({ baton, folder, rounds: ROUNDS, interactions: INTERACTIONS });
}
