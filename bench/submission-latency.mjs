// From a submission to its first event, beside a raw echo of the same line over the same transport. Servers have a process
// of their own; the client is the same for both, so what it costs is in both. `memory`: sessions that keep nothing, which
// shows what the connection and the transport cost. `durable` and `configure`: real sessions, where a submission is on the
// disk before anything is said; the echo beside it writes the line to a file and waits for the disk too. Their store has
// been written to for a while, as a server's has; on stdio it is written as `baton session` writes it, else as a server does.
import { fork, spawn } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { interleave, median, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS, only } = readOptions(process.argv.slice(2), 9);
const SUBMISSIONS = { memory: 300, durable: 50, configure: 50 };
/** Enough for the write-ahead log to have come to its end once: from then on it is written over and grows no more. */
const WRITTEN_BEFORE = 800;
const REST_MS = 5;
const INPUT = { type: 'user_input', items: [{ type: 'text', text: 'What changed since yesterday?' }] };
const PROGRAM = new URL('./measure/session-process.mjs', import.meta.url);
const PARTS = ['transports/connect', 'transports/connect-stream', 'transports/listen', 'transports/stdio'];

const folder = scratchFolder();
const more = ['transports/session-proto', '../test/session/fake-desk', 'testing/index', 'wiring'];
const module = await bundleSource(folder, [...PARTS, ...more]);
const { connect, streamClient } = await import(module);
const children = [];

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds`);
await runSections(Object.fromEntries(Object.keys(SUBMISSIONS).map((kind) => [kind, () => section(kind)])), only);
for (const child of children) child.kill();
process.exit(0);

async function section(kind) {
  console.log(`\nsubmission to first event, ${kind} (${opOf(kind).type}): p50 in ms, goal ≤ 3 times the echo`);
  const child = fork(PROGRAM, [module, folder, kind]);
  children.push(child);
  const addresses = await new Promise((resolve) => child.once('message', resolve));
  await row(kind, 'stdio', started(kind, 'session'), started(kind, 'echo'));
  for (const transport of Object.keys(addresses.session)) {
    const token = transport === 'unix' ? undefined : 'any';
    const session = await connect(addresses.session[transport], token);
    // To an echo nothing is shown: it would come back.
    await row(kind, transport, session, await connect(addresses.echo[transport]));
  }
}

async function row(kind, name, session, echo) {
  const count = SUBMISSIONS[kind];
  const [ours, raw] = [asked(session), asked(echo)];
  await ours('c', { type: 'configure_session', cwd: folder });
  const op = opOf(kind);
  if (kind !== 'memory') await writeMuch(session);
  const p50 = (ask) => async () => {
    const times = [];
    for (let turn = 0; turn < count; turn += 1) {
      times.push(await ask(`s${turn}-${Math.random()}`, op));
      // What the last one left to do is done by then, as it is when a person types.
      if (kind !== 'memory') await sleep(REST_MS);
    }
    return median(times);
  };
  // Not counted: both warm up.
  for (const ask of [ours, raw]) await p50(ask)();
  const { ratios, baselines, values } = await interleave(ROUNDS, p50(raw), { session: p50(ours) });
  const [times, over] = [values.get('session'), ratios.get('session')];
  console.log(`  ${name.padEnd(6)} echo ${spread(baselines, 3)}   session ${spread(times, 3)}   ratio ${spread(over)}`);
  for (const client of [session, echo]) client.close();
}

function opOf(kind) {
  return kind === 'configure' ? { type: 'configure_session', cwd: folder } : INPUT;
}

async function writeMuch(session) {
  for (let written = 0; written < WRITTEN_BEFORE; written += 1) {
    await session.submit({ id: `w${written}`, op: { type: 'add_to_history', text: `entry ${written}` } });
  }
}

/** Sends one and gives the time until its first event; what else it brings is read before the next. */
function asked(client) {
  const events = client.events[Symbol.asyncIterator]();
  const next = async () => (await events.next()).value;
  return async (id, op) => {
    const begun = process.hrtime.bigint();
    void client.submit({ id, op });
    let event = await next();
    while (event.id !== id) event = await next();
    if (event.msg?.type === 'error') fail(event.msg);
    const ms = Number(process.hrtime.bigint() - begun) / 1e6;
    if (event.msg?.type === 'task_started') while (event.msg.type !== 'task_complete') event = await next();
    return ms;
  };
}

function fail({ code, message }) {
  throw new Error(`${code}: ${message}`);
}

function started(kind, what) {
  const child = spawn(process.execPath, [PROGRAM.pathname, module, folder, kind, what], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return streamClient({ input: child.stdout, output: child.stdin });
}
