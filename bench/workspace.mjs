// Making a workspace of 30,000 files against `git clone --shared` of the same repository, and keeping it after a change.
// Not measured: sparse workspaces, repositories with a long history, network file systems, setup commands.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { scratchFolder } from './measure/bundle.mjs';
import { readOptions } from './measure/options.mjs';
import { elapsedMs, interleave, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 5);
const FILES = 30_000;
const FOLDERS = 300;
const folder = scratchFolder();
const repo = path.join(folder, 'repo');
const home = path.join(folder, 'home');
const baton = await bundled();
let runs = 0;

makeRepository();
console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${FILES} files, ${ROUNDS} rounds`);
const { ratios, baselines, values } = await interleave(ROUNDS, clone, {
  prepare,
  collect,
  'collect nothing': collectNothing,
});
console.log(`  git clone --shared   ${spread(baselines, 0)} ms`);
const goals = { prepare: 'goal ≤ 2' };
for (const [name, taken] of values) {
  console.log(
    `  ${name.padEnd(20)} ${spread(taken, 0)} ms   ${spread(ratios.get(name))} x clone   ${goals[name] ?? ''}`,
  );
}

function clone() {
  const copy = path.join(folder, 'clone');
  const taken = elapsedMs(async () => git(folder, 'clone', '-q', '--shared', repo, copy));
  return taken.finally(() => rmSync(copy, { recursive: true, force: true }));
}

async function prepare() {
  if (runs > 0) rmSync(path.join(home, 'jobs', `run-${runs}`), { recursive: true, force: true });
  runs += 1;
  return elapsedMs(async () => {
    const repository = { folder: repo, base: null, dirty: false, paths: [] };
    const made = await perform('workspace', 'job.prepare', { repository, setup: null, env: [], forkedFrom: null });
    if ('problem' in made) throw new Error(made.problem);
  });
}

function collect() {
  for (let file = 0; file < 20; file += 1)
    writeFileSync(path.join(home, 'jobs', `run-${runs}`, 'workspace', `new-${file}`), `${file}`);
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
  const rows = { add: async () => true, remove: async () => {}, list: async () => [] };
  const answer = JSON.stringify({ action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' });
  const deeds = baton.createJobDeeds({
    home,
    gate: { table: rows, worker: 'bench', scope: 'bench', oneMachine: true },
    environment: process.env,
    clock: baton.nodeClock,
    hasher: baton.nodeHasher,
    scrub: baton.createScrub([]),
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

async function bundled() {
  const outfile = path.join(folder, 'workspace.mjs');
  const parts = ['workspace/create-job-deeds', 'engine/scrub', 'system/node-clock', 'system/node-hasher'];
  const contents = parts.map((part) => `export * from './${part}.ts';`).join('\n');
  const resolveDir = path.resolve(import.meta.dirname, '../src');
  await build({
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile,
    stdin: { contents, resolveDir, loader: 'ts' },
  });
  return import(pathToFileURL(outfile).href);
}
