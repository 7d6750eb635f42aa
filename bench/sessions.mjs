// Many sessions in one process: 1,000 that all work at once, and 10,000 that only wait. Real store, real engine, real
// metering; the model is scripted and runs in a thread of its own. Memory is the resident set after a forced collection.
// The baseline of the first is one session after the other; each session's task is one answer of the model, durable.
// Not measured: sockets, which cost what the transport costs (submission-latency.mjs).
import { mkdirSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { openBaton } from '../dist/lib/index.js';
import { startModel } from './measure/scripted-model.mjs';

const option = (name, otherwise) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const BUSY = option('busy', 1_000);
const IDLE = option('idle', 10_000);
const ALONE = 50;
const MIB = 1024 * 1024;
const root = path.join(tmpdir(), `baton-bench-sessions-${process.pid}`);
mkdirSync(path.join(root, 'work'), { recursive: true });

const testing = new URL('../dist/lib/testing/index.js', import.meta.url).href;
const url = await startModel(testing, 'Good morning to you.');
const env = { PATH: process.env.PATH, OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'bench' };
const baton = await openBaton({ home: path.join(root, 'home'), env });
console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`);
const first = await connected();
await ended(first);

const alone = await timed(async () => {
  for (let done = 0; done < ALONE; done += 1) await ended(await connected());
});
const perAlone = alone / ALONE;
const opened = await Promise.all(Array.from({ length: BUSY }, connected));
const together = await timed(() => Promise.all(opened.map(ended)));
const share = perAlone / (together / BUSY);
console.log(
  `  ${BUSY} sessions with a task at once   ${(together / 1000).toFixed(1)} s, ${Math.round((1000 * BUSY) / together)} tasks/s; one after the other ${perAlone.toFixed(1)} ms each, at once ${share.toFixed(2)}x as many   all of them ended`,
);

const before = resident();
const idle = [];
while (idle.length < IDLE)
  idle.push(...(await Promise.all(Array.from({ length: Math.min(500, IDLE - idle.length) }, connected))));
const after = resident();
console.log(
  `  ${IDLE} idle sessions, each with a client   ${Math.round(after / MIB)} MiB resident, ${((after - before) / IDLE / 1024).toFixed(1)} KiB each   goal < 1 GiB`,
);
await ended(idle.at(-1));
console.log('  the last of them still answers');
await baton.close();
rmSync(root, { recursive: true, force: true });
process.exit(0);

async function connected() {
  const client = await baton.sessions.connect();
  const events = client.events[Symbol.asyncIterator]();
  await client.submit({ id: 'c', op: { type: 'configure_session', cwd: path.join(root, 'work') } });
  await until(events, 'session_configured');
  return { client, events };
}

async function ended({ client, events }) {
  await client.submit({ id: 'u', op: { type: 'user_input', items: [{ type: 'text', text: 'hello' }] } });
  await until(events, 'task_complete');
}

async function until(events, type) {
  for (;;) {
    const { value, done } = await events.next();
    if (done || value.msg.type === 'error') throw new Error(JSON.stringify(value));
    if (value.msg.type === type) return;
  }
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function resident() {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}
