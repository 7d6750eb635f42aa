// What the metering proxy adds to a call of a model: to the first byte, and to the throughput of streams. The baseline is
// the same call without it, in the same round. Agent, proxy and provider have a thread each; "busy" is the proxy's.
// Models write at a pace, some 50 to 200 tokens a second for each stream. Flat out is what no model does: it shows what
// the proxy takes when nothing else is waited for, and with fewer than three free cores all of that is added.
// Not measured: TLS and real networks, which cost both ways the same; requests of many megabytes.
import { Agent, request as httpRequest } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions } from './measure/options.mjs';
import { elapsedMs, interleave, median, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 15);
const FIRST_BYTES = 100;
/** Of a paced stream. */
const TOKENS = 100;
const WORDS = 'The quick brown fox jumps over the lazy dog. ';
const PARTS = ['agents/proxy/budget', 'agents/proxy/create-meter', 'agents/proxy/prices', 'engine/scrub'];

const SCENARIO = {
  turns: [
    { when: { prompt: 'short' }, steps: [{ text: WORDS }] },
    { when: { prompt: 'at 100' }, steps: [{ text: 'word'.repeat(TOKENS), delta_chars: 4, delta_delay_ms: 10 }] },
    { when: { prompt: 'at 250' }, steps: [{ text: 'word'.repeat(TOKENS), delta_chars: 4, delta_delay_ms: 4 }] },
    { when: { prompt: 'flat out' }, steps: [{ text: WORDS.repeat(10_000), delta_chars: 20 }] },
  ],
};

const module = await bundleSource(scratchFolder(), [...PARTS, 'system/node-clock', 'testing/index']);
const provider = await start({ part: 'provider', scenario: SCENARIO });
const { baseUrl, token, worker } = await start({ part: 'meter', upstream: provider.url });
const agent = new Agent({ keepAlive: true });

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds`);
await call(baseUrl, 'short');
await firstByte();
console.log('  paced, as models write; the goal is < 5 %');
await throughput('at 250', '20 streams at 250 tokens/s', 20);
await throughput('at 100', '50 streams at 100 tokens/s', 50);
await throughput('at 100', '200 streams at 100 tokens/s', 200);
console.log('  flat out, as no model writes');
await throughput('flat out', 'one stream of 112,500 tokens', 1);
process.exit(0);

async function firstByte() {
  const one = (url) => async () => {
    const times = [];
    for (let count = 0; count < FIRST_BYTES; count += 1) times.push((await call(url, 'short')).firstByteMs);
    return median(times);
  };
  const { baselines, values } = await interleave(ROUNDS, one(provider.url), { metered: one(baseUrl) });
  const added = values.get('metered').map((metered, round) => metered - baselines[round]);
  console.log(`  first byte        direct ${spread(baselines)} ms   added ${spread(added)} ms   goal < 3`);
}

async function throughput(prompt, title, streams) {
  const all = (url) => elapsedMs(() => Promise.all(Array.from({ length: streams }, () => call(url, prompt))));
  const busy = [];
  const metered = async () => {
    const before = worker.performance.eventLoopUtilization();
    const ms = await all(baseUrl);
    busy.push(worker.performance.eventLoopUtilization(before).utilization * 100);
    return ms;
  };
  const { baselines, ratios } = await interleave(ROUNDS, () => all(provider.url), { metered });
  const added = ratios.get('metered').map((ratio) => (ratio - 1) * 100);
  const shares = `added ${spread(added, 1)} %   busy ${spread(busy, 0)} %`;
  console.log(`    ${title.padEnd(28)} direct ${spread(baselines, 0)} ms   ${shares}`);
}

function call(url, prompt) {
  const body = JSON.stringify({ model: 'gpt-5', input: prompt, stream: true });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const started = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/v1/responses`, { method: 'POST', headers, agent });
    request.on('error', reject);
    request.on('response', (response) => {
      let firstByteMs;
      response.on('data', () => {
        firstByteMs ??= Number(process.hrtime.bigint() - started) / 1e6;
      });
      response.on('end', () => (response.statusCode === 200 ? resolve({ firstByteMs }) : reject(response.statusCode)));
      response.on('error', reject);
    });
    request.end(body);
  });
}

function start(data) {
  const worker = new Worker(new URL('./measure/meter-thread.mjs', import.meta.url), {
    workerData: { module, ...data },
  });
  worker.on('error', (problem) => {
    throw problem;
  });
  return new Promise((resolve) => worker.once('message', (said) => resolve({ ...said, worker })));
}
