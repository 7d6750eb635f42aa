// Errands of ten no-op steps through the whole engine on SQLite, against LangGraph.js (--peers); recovery after kill -9.
// Not measured: real agents, file projections, metrics, several workers on one store, PostgreSQL, slow disks.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { Appends, addFinishedRuns } from './measure/appends.mjs';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { STEPS, startEngine, stepRate } from './measure/errands.mjs';
import { openLangGraph } from './measure/langgraph.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { interleave, median, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS, finished: FINISHED, peers, only } = readOptions(process.argv.slice(2), 9);
const IN_FLIGHT = 20;
const SYNCED = 'LangGraph.js, synced';

const folder = scratchFolder();
const bundle = await bundleSource(folder);
const baton = await import(bundle);

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`);
await runSections({ steps, recovery }, only);

async function steps() {
  const main = await startEngine(baton, homeOf('main'), { writer: 'main' });
  const thread = await startEngine(baton, homeOf('thread'), { writer: 'thread' });
  const { peer, skipped } = peers
    ? await openLangGraph(path.join(folder, 'langgraph.db'), STEPS)
    : { skipped: 'asked for with --peers' };
  const synced = peer && (await openLangGraph(path.join(folder, 'synced.db'), STEPS, { synced: true })).peer;
  for (const [atOnce, errands, goal] of [
    [1, 30, 3],
    [50, 300, 8],
  ]) {
    const measures = {
      'baton, main writer': () => stepRate(main, baton, { errands, atOnce }),
      'baton, thread writer': () => stepRate(thread, baton, { errands, atOnce }),
    };
    const workflows = Math.ceil(errands / 3);
    if (synced) measures[SYNCED] = () => synced.stepRate({ workflows, atOnce });
    const baseline = peer ? () => peer.stepRate({ workflows, atOnce }) : () => 1;
    for (const warmUp of [baseline, ...Object.values(measures)]) await warmUp();
    const { ratios, baselines, values } = await interleave(ROUNDS, baseline, measures);
    console.log(`\nerrands of ${STEPS} no-op steps, ${atOnce} at a time, ${ROUNDS} rounds`);
    if (peer) console.log(`  LangGraph.js            ${spread(baselines, 0)} steps/s`);
    for (const [name, rates] of values) {
      const ours = name !== SYNCED;
      const ratio = peer && ours ? `${spread(ratios.get(name), 1)} x LangGraph.js   goal ≥ ${goal}` : '';
      console.log(`  ${name.padEnd(23)} ${spread(rates, 0)} steps/s   ${ratio}`);
      const like = ours && values.get(SYNCED)?.map((rate, round) => rates[round] / rate);
      if (like) console.log(`  ${''.padEnd(23)} ${spread(like, 1)} x LangGraph.js when that syncs its commits too`);
    }
  }
  if (peer)
    console.log(
      `  LangGraph.js: durability as by default, its saver has synchronous = ${peer.synchronous}; ours 2 (FULL)`,
    );
  else console.log(`  LangGraph.js            skipped: ${skipped}`);
  peer?.close();
  synced?.close();
  for (const { engine, store } of [main, thread]) {
    await engine.stop(1000);
    await store.close();
  }
}

async function recovery() {
  const [empty, full] = [homeOf('empty'), homeOf('full')];
  const store = await baton.openSqliteStore({ home: full, writer: 'main' });
  await addFinishedRuns(store, new Appends(baton), FINISHED);
  await store.close();
  const parts = [];
  const recover = async (home) => {
    const { startedMs, loadedMs, firstMs, spawnedMs } = await killAndResume(home);
    if (home === empty)
      parts.push({ node: startedMs - spawnedMs, load: loadedMs - startedMs, engine: firstMs - loadedMs });
    return firstMs - spawnedMs;
  };
  const { ratios, baselines, values } = await interleave(ROUNDS, () => recover(empty), { full: () => recover(full) });
  console.log(
    `\nrecovery after kill -9 with ${IN_FLIGHT} errands in flight: from starting a process to its first step, ${ROUNDS} rounds`,
  );
  console.log(`  store of a few runs        ${spread(baselines, 0)} ms   goal < 300 ms`);
  const part = (name) => `${name} ${median(parts.map((each) => each[name])).toFixed(0)} ms`;
  console.log(`    of which                 ${part('node')}, ${part('load')}, ${part('engine')}`);
  console.log(
    `  and ${FINISHED} finished runs   ${spread(values.get('full'), 0)} ms   ${spread(ratios.get('full'))} x   goal ≤ 1.5`,
  );
}

/** One process is killed with errands in flight; answers with the times of the one that takes them over. */
async function killAndResume(home) {
  const script = new URL('./measure/errand-process.mjs', import.meta.url);
  const worker = (task) => fork(script, [bundle, home, task, String(IN_FLIGHT)], { stdio: 'inherit' });
  const first = worker('leave');
  await once(first, 'message');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const spawnedMs = performance.timeOrigin + performance.now();
  const second = worker('resume');
  const [times] = await once(second, 'message');
  await once(second, 'exit');
  return { spawnedMs, ...times };
}

function homeOf(name) {
  const home = path.join(folder, name);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return home;
}
