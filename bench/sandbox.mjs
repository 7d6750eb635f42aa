// One short command: started bare, behind the gate, and behind the gate in the sandbox, with rows kept in memory.
// As root there is another row: at most `processesMax` processes, which takes root a control group (`counted`).
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
mkdirSync(path.join(workspace, '.git'), { recursive: true });
writeFileSync(path.join(workspace, '.git/config'), '');
const parts = ['sandbox/spawn-gated', 'sandbox/choose-sandbox', 'sandbox/confine-job'];
const { spawnGated, chooseSandbox, confineJob } = await import(await bundleSource(folder, parts));

const table = { add: async () => true, remove: async () => undefined, list: async () => [] };
const gate = { table, worker: 'bench', scope: 'bench', oneMachine: true };
const env = { PATH: process.env.PATH };
const { sandbox, why } = await chooseSandbox('auto', env.PATH);
const places = { home: path.join(folder, 'home'), workspace };
const confined = confineJob(sandbox, places);
// For root the processes of a command are counted by a control group, and entering one waits for the whole machine.
const isRoot = process.getuid?.() === 0;
const { processesMax, ...limits } = confined.confinement.limits;
const uncounted = confineJob(sandbox, { ...places, limits });
if (why) console.log(`no sandbox holds here: ${why}`);
const user = isRoot ? 'root' : 'an ordinary user';
console.log(
  `${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds as ${user}; mode ${sandbox.mode}`,
);

const starts = { gated: [], sandboxed: [], counted: [] };
const alone = ['bwrap', '--ro-bind', '/', '/', '--unshare-all', '--die-with-parent', 'true'];
const { baselines, values } = await interleave(ROUNDS, () => elapsedMs(() => bare('true')), {
  ...(sandbox.mode === 'bwrap' && { 'bwrap alone': () => elapsedMs(() => bare(...alone)) }),
  gated: () => gated('gated', {}),
  sandboxed: () => gated('sandboxed', { confined: isRoot ? uncounted : confined }),
  ...(isRoot && { counted: () => gated('counted', { confined }) }),
});
console.log(`  bare spawn                      ${spread(baselines, 1)} ms`);
for (const [name, taken] of values) {
  if (starts[name]) console.log(`  ${name.padEnd(11)} until it runs       ${spread(starts[name], 1)} ms`);
  console.log(`  ${name.padEnd(11)} until all is over   ${spread(taken, 1)} ms`);
}
const adds = (base) => values.get('sandboxed').map((ms, round) => ms - base[round]);
const overStart = starts.sandboxed.map((ms, round) => ms - starts.gated[round]);
console.log(`  the sandbox adds to the start   ${spread(overStart, 1)} ms   goal ≤ ${GOAL_MS}`);
console.log(`  … to the whole, beside gated    ${spread(adds(values.get('gated')), 1)} ms`);
console.log(`  … to the whole, beside bare     ${spread(adds(baselines), 1)} ms`);
if (median(overStart) > GOAL_MS) console.log('  the goal is missed');

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
