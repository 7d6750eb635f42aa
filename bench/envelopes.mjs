// Envelopes: six stages that say nothing, over HTTP at fifty connections, beside a bare Fastify that gives back the same
// body; how long the commands take to start beside an empty script; and what can be decided in process.
// Load, server and echo are processes of their own and share two cores. Every stage is asked of a scripted agent, which reads
// its script and writes down its calls each time, and is durable before the next one begins. Not measured: models.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { elapsedMs, interleave, median, spread } from './measure/ratio.mjs';
import { Client, endAll, manyTokens, startEcho, startServer } from './measure/served.mjs';

const { rounds: ROUNDS, only } = readOptions(process.argv.slice(2), 5);
const CONNECTIONS = 50;
const ENVELOPES = 300;
const TOKENS = 10;
const DECISIONS = 1_000_000;
const BIN = fileURLToPath(new URL('../bin/baton.cjs', import.meta.url));

const folder = scratchFolder();
const home = path.join(folder, 'home');
const STAGES = ['one', 'two', 'three', 'four', 'five', 'six'];
const silent = STAGES.map((name, index) => ({ name, output_key: name, default_next: STAGES[index + 1] ?? 'end' }));
const script = path.join(folder, 'silent.json');
mkdirSync(path.join(home, 'pipelines'), { recursive: true, mode: 0o700 });
writeFileSync(path.join(home, 'pipelines/silent.json'), JSON.stringify({ name: 'silent', stages: silent }));
writeFileSync(path.join(home, 'config.json'), JSON.stringify({ concurrency: { per_agent: 64, per_login: 64 } }));
writeFileSync(script, JSON.stringify({ answers: [{ answer: {} }] }));

const hex = () => randomBytes(8).toString('hex');
const envelope = () => ({
  ...{ envelope_id: `env_${hex()}`, request_id: `req_${hex()}`, session_id: `sess_${hex()}`, user_id: 'anna' },
  ...{ raw_input: 'Where are numbers added?', outputs: {}, current_stage: 'start', terminated: false },
});

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds`);
try {
  await runSections({ http, starts, decisions }, only);
} finally {
  await endAll();
}
process.exit(0);

async function http() {
  const [server, echo] = [await startServer(home), await startEcho()];
  const tokens = await manyTokens(server, TOKENS);
  const client = new Client(CONNECTIONS);
  const where = `/api/v1/process?${new URLSearchParams({ pipeline: 'silent', agent: `scripted:${script}` })}`;
  const took = (url, make) => async () => (await elapsedMs(() => client.many(url, ENVELOPES, make))) / ENVELOPES;
  const post = (path, token) => ({ method: 'POST', path, body: envelope(), ...(token && { token }) });
  const echoed = took(echo, () => post('/echo'));
  const processed = took(server.url, (number) => post(where, tokens[number % TOKENS]));
  await echoed();
  await processed();
  const { ratios, baselines, values } = await interleave(ROUNDS, echoed, { processed });
  const rate = (ms) =>
    spread(
      ms.map((one) => 1_000 / one),
      0,
    );
  console.log(`\nsix silent stages over HTTP, ${CONNECTIONS} connections, ${ENVELOPES} envelopes a round`);
  console.log(`  ${rate(values.get('processed'))} envelopes/s   goal ≥ 300; the echo ${rate(baselines)} a second`);
  console.log(`  an envelope takes ${spread(ratios.get('processed'), 1)} x as long as the echo of its body`);
}

async function starts() {
  const empty = path.join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const env = { ...process.env, BATON_HOME: path.join(folder, 'started') };
  mkdirSync(path.join(env.BATON_HOME, 'pipelines'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(env.BATON_HOME, 'pipelines/silent.json'), JSON.stringify({ name: 'silent', stages: silent }));
  const run = (words) => async () => {
    const input = JSON.stringify(envelope());
    return elapsedMs(() => {
      const { status, stdout } = spawnSync(process.execPath, words, { env, input });
      if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stdout}`);
    });
  };
  const process_ = [BIN, 'envelope', 'process', '--pipeline', 'silent', '--agent', `scripted:${script}`];
  const rows = {
    'envelope can-continue': run([BIN, 'envelope', 'can-continue']),
    'envelope result': run([BIN, 'envelope', 'result']),
    'envelope process': run(process_),
  };
  for (const row of Object.values(rows)) await row();
  const { ratios, baselines, values } = await interleave(ROUNDS * 2, run([empty]), rows);
  console.log(`\nfrom the start to the end of a command, beside an empty script (${spread(baselines, 0)} ms)`);
  for (const [name, found] of ratios) {
    console.log(`  ${name.padEnd(22)} ${spread(found)} x; ${spread(values.get(name), 0)} ms`);
  }
}

async function decisions() {
  const { canContinue, fromStateDict } = await import(
    await bundleSource(folder, ['core/envelope/bounds', 'contracts/envelope/state-dict'])
  );
  const read = fromStateDict(envelope());
  let allowed = 0;
  const once = () => {
    for (let number = 0; number < DECISIONS; number += 1) if (canContinue(read).can_continue) allowed += 1;
  };
  once();
  const rates = [];
  for (let round = 0; round < ROUNDS; round += 1) rates.push(DECISIONS / (await elapsedMs(once)) / 1_000);
  if (allowed !== DECISIONS * (ROUNDS + 1)) throw new Error('it may go on');
  console.log(
    `\ncan-continue in process: ${spread(rates, 1)} million a second, of ${median(rates) > 0.5 ? 'more' : 'less'} than 0.5`,
  );
}
