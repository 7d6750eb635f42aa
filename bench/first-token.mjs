// What a session adds to the first word of a model: Baton's adapter with its metering against a call of the same package
// on the same scripted model, in the same round. "In the adapter" is from the ask to the first piece that clients are sent;
// "direct" from the call to the first delta. The model has a thread of its own. Each thread is sent whole, as by default.
// Not measured: TLS and real networks, which cost both ways the same; what the store takes before a turn is asked.
import { cpus, loadavg } from 'node:os';
import OpenAI from 'openai';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions } from './measure/options.mjs';
import { interleave, median, spread } from './measure/ratio.mjs';
import { startModel } from './measure/scripted-model.mjs';

const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 15);
const CALLS = 40;
const WORDS = 'The quick brown fox jumps over the lazy dog. ';
const PARTS = [
  ...['agents/metering/metering', 'agents/proxy/prices', 'agents/session/session-turn-adapter', 'engine/scrub'],
  ...['engine/session/live-text', 'engine/session/read-thread', 'core/session/session-state', 'core/kernel/budget'],
  ...['system/node-clock', 'testing/index'],
];
const RUN = 'bench';
const FACTS = { turn: 1, attempt: 1, compacts: false };
const ENCODER = new TextEncoder();

const module = await bundleSource(scratchFolder(), PARTS);
const baton = await import(module);
const url = await startModel(module, WORDS.repeat(4));
const metering = new baton.Metering({
  ...{ environment: { OPENAI_API_KEY: 'sk-bench-0123456789' }, clock: baton.nodeClock, scrub: baton.createScrub([]) },
  ...{ settings: async () => ({}), prices: async () => baton.KNOWN_PRICES, keep() {} },
  budgetOf: async () => ({ limits: { tokensMax: 1e15 }, spent: baton.NOTHING_SPENT }),
});
const client = new OpenAI({ apiKey: 'sk-bench', baseURL: `${url}/v1`, maxRetries: 0 });

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds of ${CALLS} calls`);
await compare('a new thread', threadOf(0));
await compare('a thread of 100 turns, 200 kB', threadOf(100));
process.exit(0);

async function compare(title, { input, sources, facts }) {
  const timed = (ask) => async () => {
    const times = [];
    for (let call = 0; call < CALLS; call += 1) times.push(await ask());
    return median(times);
  };
  const direct = timed(() => askDirectly(input));
  const inSession = timed(() => askInSession(sources, facts));
  await direct();
  await inSession();
  const { baselines, values } = await interleave(ROUNDS, direct, { session: inSession });
  const added = values.get('session').map((session, round) => session - baselines[round]);
  console.log(`  ${title.padEnd(32)} direct ${spread(baselines)} ms   added ${spread(added)} ms   goal < 5`);
}

async function askDirectly(input) {
  const started = process.hrtime.bigint();
  let firstMs;
  for await (const { type } of await client.responses.create({ model: 'gpt-5', input, stream: true, store: false })) {
    if (type === 'response.output_text.delta') firstMs ??= msSince(started);
  }
  return firstMs;
}

async function askInSession(sources, facts) {
  const live = new baton.LiveText();
  const started = process.hrtime.bigint();
  let firstMs;
  live.listen(RUN, () => {
    firstMs ??= msSince(started);
  });
  const sessions = {
    request: (run, given) => baton.turnRequest(sources, run, given),
    ...{ live, scrub: baton.createScrub([]) },
  };
  const spec = { adapter: 'model', wire: 'responses', model: 'gpt-5', baseUrl: `${url}/v1` };
  const adapter = baton.sessionTurnAdapter(spec, { metering, clock: baton.nodeClock, sessions });
  const ask = { agent: 'model', key: 'turn-1', attempt: 1 };
  const outcome = await adapter(
    { run: RUN, epoch: 1 },
    ask,
    ENCODER.encode(JSON.stringify(facts)),
    new AbortController().signal,
  );
  if (outcome.type !== 'answered') throw new Error(JSON.stringify(outcome));
  return firstMs;
}

/** A thread of so many turns as a session has it, and as it is sent. */
function threadOf(turns) {
  const bodies = new Map();
  const keep = (value) => {
    const sha256 = `body-${bodies.size}`;
    bodies.set(sha256, ENCODER.encode(JSON.stringify(value)));
    return { sha256, bytes: 0 };
  };
  const said = () => ({ type: 'items', items: keep([{ role: 'user', content: WORDS.repeat(22) }]) });
  const reply = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: WORDS.repeat(22) }] }];
  const session = baton.newSession({
    ...{ cwd: '/home/me/app', model: 'gpt-5', agent: 'model', instructions: null, approval: 'on-request' },
    sandbox: { mode: 'workspace-write', writableRoots: [], networkAccess: false },
    ...{ history: 'full', contextWindow: 200_000, limits: {}, project: 'app', tools: null, parent: null },
  });
  session.nodes = Array.from({ length: turns }, (_, place) => ({
    ...{ parent: place === 0 ? null : place - 1, origin: null, responseId: `r${place}`, copied: null },
    ...{ input: [said()], output: keep(reply) },
  }));
  session.pending = [said()];
  const facts = { ...FACTS, head: turns === 0 ? null : turns - 1, pending: 1 };
  const sources = { state: async () => session, body: async (sha256) => bodies.get(sha256), tools: async () => [] };
  const ours = session.nodes.flatMap(() => [{ role: 'user', content: WORDS.repeat(22) }, reply[0]]);
  return { facts, sources, input: [...ours, { role: 'user', content: WORDS.repeat(22) }] };
}

function msSince(started) {
  return Number(process.hrtime.bigint() - started) / 1e6;
}
