// One short command: started bare, behind the gate, and behind the gate in the sandbox of a job, with all its limits and
// in a workspace as Baton makes it; rows are kept in memory.
// Not measured: the commit of a row, which happens while the sandbox is being made; the relay; a loaded machine's queue.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions } from './measure/options.mjs';
import { elapsedMs, interleave, median, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 60);
const GOAL_MS = 10;
const folder = scratchFolder();
const workspace = path.join(folder, 'home/jobs/run-1/workspace');
for (const name of ['hooks', 'info', 'modules']) mkdirSync(path.join(workspace, '.git', name), { recursive: true });
writeFileSync(path.join(workspace, '.git/config'), '');
const parts = ['sandbox/spawn-gated', 'sandbox/choose-sandbox', 'sandbox/confine-job'];
const { spawnGated, chooseSandbox, confineJob } = await import(await bundleSource(folder, parts));

const table = { add: async () => true, remove: async () => undefined, list: async () => [] };
const gate = { table, worker: 'bench', scope: 'bench', oneMachine: true };
const env = { PATH: process.env.PATH };
const { sandbox, why } = await chooseSandbox('auto', env.PATH);
const confined = confineJob(sandbox, { home: path.join(folder, 'home'), workspace });
if (why) console.log(`no sandbox holds here: ${why}`);
const user = process.getuid?.() === 0 ? 'root' : 'an ordinary user';
console.log(
  `${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds as ${user}; mode ${sandbox.mode}`,
);

const starts = { gated: [], sandboxed: [] };
const alone = ['bwrap', '--ro-bind', '/', '/', '--unshare-all', '--die-with-parent', 'true'];
const { baselines, values } = await interleave(ROUNDS, () => elapsedMs(() => bare('true')), {
  ...(sandbox.mode === 'bwrap' && { 'bwrap alone': () => elapsedMs(() => bare(...alone)) }),
  gated: () => gated('gated', {}),
  sandboxed: () => gated('sandboxed', { confined }),
});
console.log(`  bare spawn                          ${spread(baselines, 1)} ms`);
for (const [name, taken] of values) {
  if (starts[name]) console.log(`  ${name.padEnd(11)} until it runs           ${spread(starts[name], 1)} ms`);
  console.log(`  ${name.padEnd(11)} until all is over       ${spread(taken, 1)} ms`);
}
const whole = values.get('sandboxed');
added('to the start, beside gated', starts.sandboxed, starts.gated);
added('to the whole, beside gated', whole, values.get('gated'));
added('to the whole, beside bare ', whole, baselines);

function added(what, taken, base) {
  const more = taken.map((ms, round) => ms - base[round]);
  const verdict = median(more) > GOAL_MS ? ': missed' : '';
  console.log(`  it adds ${what}  ${spread(more, 1)} ms   goal ≤ ${GOAL_MS}${verdict}`);
}

function bare(program, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.once('error', reject).once('close', resolve);
  });
}

function gated(name, more) {
  return elapsedMs(async () => {
    const from = performance.now();
    const who = { gate, run: 'run-1', epoch: 1, handoff: 'check', attempt: 1, signal: new AbortController().signal };
    const spawned = await spawnGated({ ...who, argv: ['true'], cwd: workspace, env, ...more });
    if (spawned.type !== 'started') throw new Error(JSON.stringify(spawned));
    starts[name].push(performance.now() - from);
    await spawned.process.ended;
  });
}
