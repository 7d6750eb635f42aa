// What a round of a bridge costs beside the orchestrator's own starts: the same shell program is started as often without
// Baton. The agent is scripted and says nothing; every request, answer and round is durable before the next begins.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from './measure/bundle.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { elapsedMs, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS, only } = readOptions(process.argv.slice(2), 5);
const ASKS = 20;
const BIN = fileURLToPath(new URL('../bin/baton.cjs', import.meta.url));
const folder = scratchFolder();
const env = { ...process.env, BATON_HOME: path.join(folder, 'home') };
const script = path.join(folder, 'silent.json');
writeFileSync(script, JSON.stringify({ answers: [{ answer: 'nothing' }] }));

// Asks so often, counting in its state; knows nothing of Baton but the three files.
const orchestrator = path.join(folder, 'orchestrator.sh');
writeFileSync(
  orchestrator,
  `n=0; [ -f .template-create-state.json ] && read n < .template-create-state.json
rm -f .agent-response.json
[ "$n" -ge "$1" ] && exit 0
n=$((n + 1)); echo $n > .template-create-state.json
printf '{"request_id":"%08d-0000-4000-8000-000000000000","version":"1.0","phase":1,"phase_name":"codebase_analysis","agent_name":"architectural-reviewer","prompt":"%0120d","created_at":"2026-01-01T00:00:00Z"}' $n $n > .agent-request.tmp
mv .agent-request.tmp .agent-request.json
exit 42
`,
);

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds`);
await runSections({ ask }, only);

async function ask() {
  const over = [];
  const [alone, handled] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await bareStarts(round);
    const [none, many] = [await bridged(0, `none-${round}`), await bridged(ASKS, `many-${round}`)];
    alone.push(bare / ASKS);
    handled.push((many - none) / ASKS);
    over.push((many - none - bare) / ASKS);
  }
  console.log(`\none ask and resume, a scripted agent that says nothing, ${ASKS} asks a run`);
  console.log(`  with Baton ${spread(handled, 1)} ms, the orchestrator's own start ${spread(alone, 1)} ms`);
  console.log(`  overhead ${spread(over, 1)} ms   goal < 50 ms beyond the orchestrator's own starts`);
}

async function bareStarts(round) {
  const cwd = madeFolder(`bare-${round}`);
  return elapsedMs(() => {
    for (let count = 0; count < ASKS; count += 1)
      expectExit(spawnSync('sh', [orchestrator, String(ASKS)], { cwd }), 42);
  });
}

async function bridged(asks, name) {
  const cwd = madeFolder(name);
  const words = [BIN, 'bridge', 'run', '--agent', `scripted:${script}`, '--', 'sh', orchestrator, String(asks)];
  return elapsedMs(() => expectExit(spawnSync(process.execPath, words, { cwd, env }), 0));
}

function madeFolder(name) {
  const made = path.join(folder, name);
  mkdirSync(made);
  return made;
}

function expectExit({ status, stderr }, expected) {
  if (status !== expected) throw new Error(`ended with ${status} instead of ${expected}: ${stderr}`);
}
