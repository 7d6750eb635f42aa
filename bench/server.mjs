// What the server takes beside a bare Fastify that gives back what it gets, in the same round; a hundred listeners while
// another process writes a thousand events a second; and whether its memory grows with requests.
// Load, server and echo are processes of their own. With two cores they stand in each other's way: the ratios say more
// than the rates. Not measured: TLS, real networks, browsers.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { elapsedMs, interleave, median, percentile, spread } from './measure/ratio.mjs';
import { Client, cpuSecondsOf, endAll, manyTokens, startEcho, startHeap, startServer } from './measure/served.mjs';

const { rounds: ROUNDS, only } = readOptions(process.argv.slice(2), 9);
const CONNECTIONS = 10;
const REQUESTS = 1_000;
const JOBS = 200;
const TOKENS = 60;
const LISTENERS = 100;
const EVENTS_A_SECOND = 1_000;
const SECONDS = 10;
/** An hour of four a second. */
const HOUR_REQUESTS = 14_400;
const HEAP_EVERY = 2_400;

const folder = scratchFolder();
const home = path.join(folder, 'home');
const server = await startServer(home);
const tokens = await manyTokens(server, TOKENS);
const client = new Client(CONNECTIONS);
const tokenOf = (number) => tokens[number % tokens.length];
const ANSWER = { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' };
const ORDER = { prompt: 'Do it', agent: 'human', supervisor: 'none' };
let jobs = 0;

await client.send(server.url, { method: 'POST', path: '/api/v1/jobs', token: tokens[0], body: { ...ORDER, id: 'a' } });
console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds`);
try {
  await runSections({ requests, listeners, memory }, only);
} finally {
  await endAll();
}
process.exit(0);

async function requests() {
  const echo = await startEcho();
  const took = (url, count, make) => async () => (await elapsedMs(() => client.many(url, count, make))) / count;
  const looks = { 'GET run': took(server.url, REQUESTS, (n) => ({ path: '/api/v1/runs/a', token: tokenOf(n) })) };
  const posts = {
    validate: took(server.url, REQUESTS, (n) => ({
      ...{ method: 'POST', path: '/api/v1/validate/agent-response', token: tokenOf(n), body: ANSWER },
    })),
    'POST job': took(server.url, JOBS, (n) => ({
      ...{ method: 'POST', path: '/api/v1/jobs', token: tokenOf(n), body: { ...ORDER, id: `job-${jobs++}` } },
    })),
  };
  await told(
    'echo GET',
    took(echo, REQUESTS, () => ({ path: '/run' })),
    looks,
  );
  await told(
    'echo POST',
    took(echo, REQUESTS, () => ({ method: 'POST', path: '/echo', body: ANSWER })),
    posts,
  );
}

async function told(name, baseline, candidates) {
  await baseline();
  for (const measure of Object.values(candidates)) await measure();
  const { ratios, baselines, values } = await interleave(ROUNDS, baseline, candidates);
  console.log(`  ${name.padEnd(12)} ${perSecond(baselines)}`);
  for (const [row, found] of ratios) {
    console.log(`  ${row.padEnd(12)} ${perSecond(values.get(row))}   takes ${spread(found, 1)} x as long as the echo`);
  }
}

function perSecond(ms) {
  return `${Math.round(1_000 / median(ms))} requests/s`.padEnd(18);
}

async function listeners() {
  const bundle = await bundleSource(folder);
  const lags = [];
  const heard = [];
  const { position } = await client.json(server.url, { path: '/healthz' });
  for (let number = 0; number < LISTENERS; number += 1)
    heard.push(await listener(number, position, number % 10 === 0 ? lags : null));
  const before = cpuSecondsOf(server.pid);
  const args = [bundle, home, String(EVENTS_A_SECOND), String(SECONDS)];
  const writer = fork(new URL('./measure/writing-process.mjs', import.meta.url), args, { stdio: 'inherit' });
  const [{ written, ms }] = await once(writer, 'message');
  const untilMs = performance.now() + 30_000;
  while (heard.some(({ count }) => count < written) && performance.now() < untilMs) await sleep(50);
  const busy = ((cpuSecondsOf(server.pid) - before) / (ms / 1_000)) * 100;
  const whole = heard.filter(({ count, gaps }) => count === written && gaps === 0).length;
  for (const { end } of heard) end();
  console.log(
    `  ${written} events in ${(ms / 1_000).toFixed(1)} s to ${LISTENERS} listeners: ${whole} heard all, in order, once`,
  );
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(lags, share).toFixed(0));
  console.log(`  lag p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms; server busy ${busy.toFixed(0)} % of a core`);
}

/** Counts what it hears, and whether a position is left out or comes twice. */
function listener(number, position, lags) {
  const heard = { count: 0, gaps: 0, last: position, end: () => {} };
  const headers = { authorization: `Bearer ${tokenOf(number)}`, accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    const asked = get(`${server.url}/api/v1/events?after=${position}`, { headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`listening: ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8').on('data', (piece) => {
        const text = rest + piece;
        const end = text.lastIndexOf('\n\n') + 2;
        rest = text.slice(end === 1 ? 0 : end);
        if (end > 1) hear(heard, text.slice(0, end), lags);
      });
      resolve(heard);
    });
    asked.on('error', () => {});
    heard.end = () => asked.destroy();
  });
}

function hear(heard, text, lags) {
  for (const [, position] of text.matchAll(/^id: (\d+)$/gm)) {
    if (Number(position) !== heard.last + 1) heard.gaps += 1;
    heard.last = Number(position);
    heard.count += 1;
  }
  const at = lags && /"at":"([^"]+)"/.exec(text)?.[1];
  if (at) lags.push(Date.now() - Date.parse(at));
}

async function memory() {
  const bundle = await bundleSource(folder, [
    'wiring',
    'server/listen',
    'settings/home',
    'settings/server-file',
    'settings/session-file',
  ]);
  const held = await startHeap(bundle, path.join(folder, 'held'));
  const names = await manyTokens(held, TOKENS);
  await client.send(held.url, { method: 'POST', path: '/api/v1/jobs', token: names[0], body: { ...ORDER, id: 'a' } });
  const asked = [
    { path: '/api/v1/runs?limit=20' },
    { path: '/api/v1/runs/a' },
    { path: '/api/v1/events?limit=50' },
    { method: 'POST', path: '/api/v1/validate/agent-response', body: ANSWER },
  ];
  const samples = [];
  for (let done = 0; done <= HOUR_REQUESTS; done += HEAP_EVERY) {
    await client.many(held.url, HEAP_EVERY, (n) => ({ ...asked[n % asked.length], token: names[n % names.length] }));
    await sleep(200);
    samples.push(await held.heapKb());
  }
  // The first is the warm-up.
  const [first, last] = [samples[1], samples.at(-1)];
  const slope = (last - first) / ((HOUR_REQUESTS - HEAP_EVERY) / 1_000);
  console.log(`  held after so many requests: ${samples.map((kb) => (kb / 1_024).toFixed(1)).join(', ')} MB`);
  console.log(`  ${HOUR_REQUESTS} requests after ${HEAP_EVERY}: ${slope.toFixed(0)} kB for 1,000 requests`);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
