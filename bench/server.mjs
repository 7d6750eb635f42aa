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
import { Client, cpuSecondsOf, manyTokens, residentMbOf, startEcho, startServer } from './measure/served.mjs';

const { rounds: ROUNDS, only } = readOptions(process.argv.slice(2), 9);
const CONNECTIONS = 10;
const REQUESTS = 1_000;
const JOBS = 200;
const TOKENS = 60;
const LISTENERS = 100;
const EVENTS_A_SECOND = 1_000;
const SECONDS = 10;
/** An hour of one a second, four addresses each. */
const HOUR = 3_600;
const WARM_UP = 1_000;
const SAMPLE_EVERY = 250;

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
await runSections({ requests, listeners, memory }, only);
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
  await told('echo GET', took(echo, REQUESTS, () => ({ path: '/run' })), looks);
  await told('echo POST', took(echo, REQUESTS, () => ({ method: 'POST', path: '/echo', body: ANSWER })), posts);
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
  for (let number = 0; number < LISTENERS; number += 1) heard.push(await listener(number, number % 10 === 0 ? lags : null));
  const before = cpuSecondsOf(server.pid);
  const args = [bundle, home, String(EVENTS_A_SECOND), String(SECONDS)];
  const writer = fork(new URL('./measure/writing-process.mjs', import.meta.url), args, { stdio: 'inherit' });
  const [{ written, ms }] = await once(writer, 'message');
  const untilMs = performance.now() + 30_000;
  while (heard.some(({ count }) => count < written) && performance.now() < untilMs) await sleep(50);
  const busy = ((cpuSecondsOf(server.pid) - before) / (ms / 1_000)) * 100;
  const whole = heard.filter(({ count, gaps }) => count === written && gaps === 0).length;
  for (const { end } of heard) end();
  console.log(`  ${written} events in ${(ms / 1_000).toFixed(1)} s to ${LISTENERS} listeners: ${whole} heard all, in order, once`);
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(lags, share).toFixed(0));
  console.log(`  lag p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms; server busy ${busy.toFixed(0)} % of a core`);
}

/** Counts what it hears, and whether a position is left out or comes twice. */
function listener(number, lags) {
  const heard = { count: 0, gaps: 0, last: 0, end: () => {} };
  const headers = { authorization: `Bearer ${tokenOf(number)}`, accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    const asked = get(`${server.url}/api/v1/events?after=now`, { headers }, (response) => {
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
    if (heard.last !== 0 && Number(position) !== heard.last + 1) heard.gaps += 1;
    heard.last = Number(position);
    heard.count += 1;
  }
  const at = lags && /"at":"([^"]+)"/.exec(text)?.[1];
  if (at) lags.push(Date.now() - Date.parse(at));
}

async function memory() {
  const cycle = (n) => [
    { path: '/api/v1/runs?limit=20', token: tokenOf(n) },
    { path: '/api/v1/runs/a', token: tokenOf(n) },
    { path: '/api/v1/events?limit=50', token: tokenOf(n) },
    { method: 'POST', path: '/api/v1/validate/agent-response', token: tokenOf(n), body: ANSWER },
  ];
  const round = (count) => client.many(server.url, count * 4, (n) => cycle(Math.floor(n / 4))[n % 4]);
  await round(WARM_UP);
  const samples = [];
  for (let done = 0; done < HOUR; done += SAMPLE_EVERY) {
    await round(SAMPLE_EVERY);
    samples.push([(done + SAMPLE_EVERY) * 4, residentMbOf(server.pid)]);
  }
  const [first, last] = [samples[0][1], samples.at(-1)[1]];
  const slope = slopeOf(samples) * 1_000 * 1_024;
  console.log(`  ${HOUR * 4} requests after ${WARM_UP * 4}: ${first.toFixed(0)} MB, then ${last.toFixed(0)} MB resident`);
  console.log(`  slope ${slope.toFixed(0)} kB for 1,000 requests`);
}

/** Of the straight line that fits best. */
function slopeOf(points) {
  const mean = (index) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return above / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
