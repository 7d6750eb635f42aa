// Durable appends against write+fdatasync of the same bytes; seeing another process's commits; the event loop while
// committing; finding owed runs among finished ones.
// Not measured: slow disks, other file systems and platforms, PostgreSQL, bodies, several writing processes at once.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Appends, addFinishedRuns, mustBeAppended } from './measure/appends.mjs';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { elapsedMs, interleave, median, percentile, spread } from './measure/ratio.mjs';
import { RowsOnly, SyncedFile } from './measure/raw-writes.mjs';

const { rounds: ROUNDS, finished: FINISHED, only } = readOptions(process.argv.slice(2), 15);
const TAILED_COMMITS = 400;
const LOOP_MS = 1500;
const OWED = 20;

const folder = scratchFolder();
const bundle = await bundleSource(folder);
const baton = await import(bundle);
const appends = new Appends(baton);

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`);
await runSections({ append: appendRows, tail: tailLatency, loop: loopDelay, owed: owedAmongFinished }, only);

async function appendRows() {
  const log = new SyncedFile(folder);
  const overwritten = new SyncedFile(folder, { length: 4 * 1024 * 1024 });
  const rows = await RowsOnly.open(baton, folder);
  const main = await openStore('append-main', 'main');
  const thread = await openStore('append-thread', 'thread');
  const sample = appends.event(appends.newRun(), new Date().toISOString());
  const bytes = Buffer.from(`${JSON.stringify(sample)}\n`);
  const baseline = () => log.rate(bytes, 400);

  for (const [runs, count, goals] of [
    [1, 400, { 'row only': '≥ 0.70', 'all on, main writer': '≥ 0.45' }],
    [50, 10_000, { 'row only': '≥ 6', 'all on, main writer': '≥ 2.5' }],
  ]) {
    const candidates = {
      'a file overwritten': () => overwritten.rate(bytes, 400),
      'row only': () => rows.rate(sample, runs, count),
      'all on, main writer': () => appendRate(main, runs, count),
      'all on, thread writer': () => appendRate(thread, runs, count),
    };
    for (const warmUp of Object.values(candidates)) await warmUp();
    const { ratios, baselines, values } = await interleave(ROUNDS, baseline, candidates);
    const what = runs === 1 ? 'one event per commit' : `${runs} concurrent runs`;
    console.log(
      `\ndurable append, ${what}, ${ROUNDS} rounds; a log of ${bytes.length}-byte writes, each with fdatasync: ${round(median(baselines))}/s here`,
    );
    for (const [name, of] of ratios) {
      const goal = goals[name] ? `goal ${goals[name]}` : 'for comparison';
      console.log(`  ${name.padEnd(22)} ${spread(of)} x   ${round(median(values.get(name)))} events/s   ${goal}`);
    }
  }
  log.close();
  overwritten.close();
  rows.close();
  await main.close();
  await thread.close();
}

/** Events per second of so many runs, each of which appends its next event when the last one is durable. */
async function appendRate(store, runs, count) {
  const all = Array.from({ length: runs }, () => appends.newRun());
  mustBeAppended(await store.append(all.map((run) => appends.next(run))));
  const ms = await elapsedMs(() =>
    Promise.all(
      all.map(async (run) => {
        for (let made = 0; made < count / runs; made += 1) mustBeAppended(await store.append([appends.next(run)]));
      }),
    ),
  );
  return (count / ms) * 1e3;
}

async function tailLatency() {
  const home = homeOf('tail');
  const store = await openStore('tail', 'main');
  const seen = [];
  const end = store.onCommit((position) => seen.push([position, Number(process.hrtime.bigint()) / 1e6]));
  const args = [bundle, home, String(TAILED_COMMITS)];
  const other = fork(new URL('./measure/committing-process.mjs', import.meta.url), args, { stdio: 'inherit' });
  const [durable] = await once(other, 'message');
  end();
  await once(other, 'exit');
  await store.close();
  const waits = durable.map(([position, atMs]) => {
    const [, seenMs] = seen.find(([upTo]) => upTo >= position) ?? [position, Number.POSITIVE_INFINITY];
    return Math.max(0, seenMs - atMs);
  });
  console.log(`\nanother process's commits seen by onCommit, ${waits.length} commits`);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(waits, share).toFixed(1));
  console.log(`  p50 ${p50} ms   p99 ${p99} ms   max ${Math.max(...waits).toFixed(1)} ms   goal p99 < 10 ms`);
}

async function loopDelay() {
  const main = await openStore('loop-main', 'main');
  const thread = await openStore('loop-thread', 'thread');
  const found = { 'idle loop': [], 'main writer': [], 'thread writer': [] };
  for (let turn = 0; turn < Math.max(3, Math.ceil(ROUNDS / 3)); turn += 1) {
    found['idle loop'].push(await delayDuring(() => sleep(LOOP_MS)));
    found['main writer'].push(await delayDuring(() => commitFor(main, LOOP_MS)));
    found['thread writer'].push(await delayDuring(() => commitFor(thread, LOOP_MS)));
  }
  await main.close();
  await thread.close();
  console.log(`\nevent-loop delay while 50 runs commit without a pause (a timer of 1 ms: idle is about 1)`);
  for (const [name, turns] of Object.entries(found)) {
    const of = (key) => spread(turns.map((delay) => delay[key]));
    const goal = name === 'thread writer' ? 'goal p99 < 10 ms' : '';
    console.log(`  ${name.padEnd(14)} p50 ${of('p50')} ms   p99 ${of('p99')} ms   ${goal}`);
  }
}

async function delayDuring(work) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await work();
  histogram.disable();
  return { p50: histogram.percentile(50) / 1e6, p99: histogram.percentile(99) / 1e6 };
}

async function commitFor(store, ms) {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs) await appendRate(store, 50, 500);
}

async function owedAmongFinished() {
  const empty = await openStore('owed-empty', 'main');
  const full = await openStore('owed-full', 'main');
  const builtMs = await elapsedMs(() => addFinishedRuns(full, appends, FINISHED));
  console.log(
    `\nclaim among ${FINISHED} finished runs of 10 events (built in ${round(builtMs / 1000)} s) against an empty store`,
  );
  for (const store of [empty, full]) await store.enlist('bench', 'here');
  for (const [name, owed] of [
    ['nothing is owed', 0],
    [`${OWED} runs are owed`, OWED],
  ]) {
    const { ratios, baselines, values } = await interleave(ROUNDS, () => claimMs(empty, owed), {
      full: () => claimMs(full, owed),
    });
    const [baseMs, fullMs] = [median(baselines), median(values.get('full'))].map((ms) => ms.toFixed(3));
    console.log(`  ${name.padEnd(18)} ${spread(ratios.get('full'))} x   ${fullMs} ms, empty ${baseMs} ms   goal ≤ 1.5`);
  }
  await empty.close();
  await full.close();
}

/** The median of several looks, each with new runs that nobody owns. */
async function claimMs(store, owed) {
  const times = [];
  for (let look = 0; look < 15; look += 1) {
    const runs = Array.from({ length: owed }, () => appends.newRun());
    if (owed > 0) mustBeAppended(await store.append(runs.map((run) => appends.next(run))));
    let claims;
    times.push(
      await elapsedMs(async () => {
        claims = await store.claim('bench', { nowMs: Date.now(), limit: 100 });
      }),
    );
    if (claims.length !== owed) throw new Error(`${claims.length} runs were claimed instead of ${owed}`);
    if (owed > 0)
      mustBeAppended(await store.append(runs.map((run) => appends.next(run, { owes: false, ended: true }))));
  }
  return median(times);
}

function openStore(name, writer) {
  return baton.openSqliteStore({ home: homeOf(name), writer });
}

function homeOf(name) {
  const home = path.join(folder, name);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return home;
}

function round(value) {
  return value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}
