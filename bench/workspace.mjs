// Making a workspace of 30,000 files against `git clone --shared` of the same repository, and keeping it after one
// changed file, with the rows of processes in a real store.
// Not measured: sparse workspaces, repositories with a long history, network file systems, setup commands.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { Appends } from './measure/appends.mjs';
import { bundleSource, ENGINE_PARTS, scratchFolder } from './measure/bundle.mjs';
import { readOptions } from './measure/options.mjs';
import { elapsedMs, interleave, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 5);
const FILES = 30_000;
const FOLDERS = 300;
const folder = scratchFolder();
const repo = path.join(folder, 'repo');
const home = path.join(folder, 'home');
const baton = await import(await bundleSource(folder, [...ENGINE_PARTS, 'workspace/create-job-deeds']));
mkdirSync(home, { mode: 0o700 });
const store = await baton.openSqliteStore({ home, writer: 'main' });
const appends = new Appends(baton);
let runs = 0;

makeRepository();
console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${FILES} files, ${ROUNDS} rounds`);
const { ratios, baselines, values } = await interleave(ROUNDS, clone, {
  prepare,
  collect,
  'collect nothing': collectNothing,
});
console.log(`  git clone --shared   ${spread(baselines, 0)} ms`);
await store.close();
const goals = { prepare: 'goal ≤ 2' };
for (const [name, taken] of values) {
  console.log(
    `  ${name.padEnd(20)} ${spread(taken, 0)} ms   ${spread(ratios.get(name))} x clone   ${goals[name] ?? ''}`,
  );
}

function clone() {
  runs += 1;
  settleDisk();
  return elapsedMs(async () => git(folder, 'clone', '-q', '--shared', repo, path.join(folder, `clone-${runs}`)));
}

async function prepare() {
  await store.append([appends.next({ ...appends.newRun(), run: `run-${runs}` }, { owner: 'bench' })]);
  settleDisk();
  return elapsedMs(async () => {
    const repository = { folder: repo, base: null, dirty: false, paths: [] };
    const made = await perform('workspace', 'job.prepare', { repository, setup: null, env: [], forkedFrom: null });
    if ('problem' in made) throw new Error(made.problem);
  });
}

/** What the last measure wrote is not written during the next one, and nothing is deleted before the end. */
function settleDisk() {
  execFileSync('sync');
}

function collect() {
  writeFileSync(path.join(home, 'jobs', `run-${runs}`, 'workspace/folder-0/file-0.txt'), `${runs}\n`);
  return elapsedMs(() => collectAs('ask-1'));
}

function collectNothing() {
  return elapsedMs(() => collectAs('ask-2'));
}

function collectAs(handoff) {
  const workspace = { folder: '', branch: '', base: '' };
  return perform(`collect-${handoff}`, 'job.collect', {
    workspace,
    answer: { sha256: '', bytes: 0 },
    handoff,
    phase: 'work',
    exact: false,
  });
}

async function perform(key, deed, input) {
  const answer = JSON.stringify({ action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' });
  const deeds = baton.createJobDeeds({
    home,
    gate: { table: store.processes, worker: 'bench', scope: 'bench', oneMachine: true },
    environment: process.env,
    clock: baton.nodeClock,
    hasher: baton.nodeHasher,
    scrub: baton.createScrub([]),
    secretsIn: () => [],
    store: { body: async () => new TextEncoder().encode(answer) },
  });
  const effect = { type: 'Perform', key, deed, input };
  return (await deeds.perform({ run: `run-${runs}`, epoch: 1 }, effect, new AbortController().signal)).result;
}

function makeRepository() {
  git(folder, 'init', '-q', repo);
  for (let file = 0; file < FILES; file += 1) {
    const place = path.join(repo, `folder-${file % FOLDERS}`);
    if (file < FOLDERS) mkdirSync(place);
    writeFileSync(path.join(place, `file-${file}.txt`), `${file}\n`.repeat(50));
  }
  git(repo, 'add', '.');
  git(repo, '-c', 'user.name=bench', '-c', 'user.email=bench', '-c', 'gc.auto=0', 'commit', '-q', '-m', 'first');
  git(repo, 'gc', '-q');
}

function git(cwd, ...args) {
  execFileSync('git', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
