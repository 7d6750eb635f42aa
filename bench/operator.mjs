// Locks, and ledgers of very many tasks: the machine alone, and all of it durable with agents that answer at once.
// Not measured: git, whose workspaces and merges are in bench/workspace.mjs and cost far more than all of this.
import { bundleSource, ENGINE_PARTS, scratchFolder } from './measure/bundle.mjs';
import { readOptions, runSections } from './measure/options.mjs';
import { elapsedMs, interleave, median, percentile, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS, only } = readOptions(process.argv.slice(2), 5);
const folder = scratchFolder();
const PARTS = [...ENGINE_PARTS, 'core/ledger/ledger-decider', 'core/ledger/lock-table', 'core/task/task-decider'];
const baton = await import(await bundleSource(folder, PARTS));

/** Whether a path is free while very many are taken. */
async function locks() {
  const table = new baton.LockTable();
  for (let index = 0; index < 10_000; index += 1)
    table.take(`T-${index}`, [`packages/p${index % 100}/src/f${index}.ts`]);
  const asked = ['packages/p7/src/new.ts', 'packages/p7/src/f107.ts', 'docs/a/b/c/d/e.md', 'packages/p7/other', 'a'];
  const micros = [];
  for (let round = 0; round < 20_000; round += 1) {
    const path = asked[round % asked.length];
    const started = process.hrtime.bigint();
    table.conflict('T-x', [path]);
    micros.push(Number(process.hrtime.bigint() - started) / 1e3);
  }
  console.log(`\nlocks: is a path free while 10,000 are taken`);
  console.log(
    `  median ${median(micros).toFixed(2)} µs, 99 % below ${percentile(micros, 0.99).toFixed(2)} µs   goal < 20 µs`,
  );
}

function task(index, count) {
  const task_id = `T-${index + 1}`;
  return {
    ...{ task_id, title: `Part ${index + 1}`, type: 'parallelizable' },
    dependencies: index % 5 === 4 ? [`T-${index}`] : [],
    // Ten want the same folder: most of them wait for somebody.
    lock_scope: [`src/m${Math.floor(index / 10)}/${index % 10 === 0 ? '' : `f${index % count}.ts`}`],
    ...{ forbidden_scope: [], acceptance_criteria: ['it works'], worklog_path: `w/${task_id}.jsonl` },
    ...{ timeout_seconds: 60, heartbeat_interval_seconds: 5 },
  };
}

const order = (run, concurrency) => ({
  ...{ run, objective: 'All of it', constraints: {}, concurrency, context: [], repository: '/r', project: 'r' },
  ...{ agent: 'a', fallback: null, planner: null, env: [], network: [], limits: {} },
});
const USAGE = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
const REPORT = {
  outcome: { status: 'done' },
  work: { base: 'b', commit: 'w' },
  proven: 1,
  worklog: null,
  usage: USAGE,
  activeMs: 1,
};

/** Plan, begin, report, merge, until all are done: what the engine asks of the machine after every event included. */
function play(count) {
  const { ledgerDecider: machine } = baton;
  let state = machine.initialState();
  const give = (command) => {
    const { events, refusal } = machine.decide(state, { atMs: 1, ...command });
    if (refusal) throw new Error(refusal.reason);
    for (const event of events) state = machine.evolve(state, event);
    machine.summary(state);
  };
  const tasks = Array.from({ length: count }, (_, index) => task(index, count));
  give({ type: 'Open', order: order('r', 50), tasks });
  give({ type: 'Go', concurrency: null, agent: null, fallback: null });
  for (;;) {
    const effects = [...machine.outstanding(state)];
    if (effects.length === 0) break;
    for (const effect of effects) answer(effect, give);
  }
  if (state.counts.done !== count) throw new Error(`only ${state.counts.done} of ${count} are done`);
}

function answer(effect, give) {
  const { key } = effect;
  if (effect.type === 'Wake') give({ type: 'Woke', key });
  if (effect.type === 'Perform') {
    const merged = effect.input.merges.map(({ task: id, attempt }) => ({ task: id, attempt, commit: 'c' }));
    give({ type: 'Performed', key, result: { merged } });
  }
  if (effect.type !== 'Child') return;
  if (!effect.begin) return give({ type: 'Ended', key, run: effect.run, status: 'reported' });
  const { spec, attempt } = effect.begin.command.order;
  give({ type: 'Report', task: spec.task_id, attempt, ...REPORT });
}

async function machine() {
  play(1_000);
  const per = (count) => async () => (await elapsedMs(() => play(count))) / count;
  const { ratios, baselines, values } = await interleave(ROUNDS, per(1_000), { large: per(10_000) });
  console.log(`\nledger, the machine alone, ${ROUNDS} rounds: plan, begin, report, merge all`);
  console.log(
    `  1,000 tasks: ${(median(baselines) * 1e3).toFixed(0)} µs a task; 10,000: ${(median(values.get('large')) * 1e3).toFixed(0)} µs`,
  );
  console.log(`  10,000 tasks ${spread(ratios.get('large'))} x the time per task of 1,000   goal ≤ 1.5`);
}

const ASK_MS = 20;

/** Engine and store as they are; agents take twenty milliseconds, and what touches files answers at once. */
async function run(count, concurrency) {
  const { Engine, Machines, ledgerDecider, taskDecider, openSqliteStore, nodeClock, nodeHasher, nodeIds, createScrub } =
    baton;
  const store = await openSqliteStore({
    home: `${folder}/h${count}-${concurrency}-${nodeIds.uuid()}`,
    writer: 'thread',
  });
  let [asking, most] = [0, 0];
  const agents = {
    async ask() {
      asking += 1;
      most = Math.max(most, asking);
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
      asking -= 1;
      return { type: 'answered', text: '{}', usage: USAGE };
    },
    endLeftover: async () => USAGE,
  };
  const ports = {
    ...{ store, clock: nodeClock, ids: nodeIds, hasher: nodeHasher, scrub: createScrub([]), agents, log: () => {} },
    composers: { compose: async () => '{}' },
    deeds: { perform: async (_, { deed, input }) => ({ result: did(deed, input) }) },
  };
  const machines = new Machines().add(ledgerDecider).add(taskDecider);
  const options = {
    worker: 'bench',
    host: 'h',
    claimsAny: true,
    ownedMax: 10_000,
    snapshotEvery: 100,
    laneLimit: () => 4,
  };
  const engine = new Engine(ports, machines, options);
  await engine.start();
  const name = nodeIds.uuid();
  const origin = { actor: 'bench' };
  const tasks = Array.from({ length: count }, (_, index) => ({
    ...task(index, count),
    dependencies: [],
    lock_scope: [`f${index}`],
  }));
  const ms = await elapsedMs(async () => {
    await engine.create(
      name,
      'ledger',
      { type: 'Open', atMs: Date.now(), order: order(name, concurrency), tasks },
      origin,
    );
    await engine.send(name, { type: 'Go', atMs: Date.now(), concurrency: null, agent: null, fallback: null }, origin);
    const row = await engine.rested(name);
    if (row.status !== 'done') throw new Error(`it is ${row.status}`);
  });
  await engine.stop(0);
  await store.close();
  return { ms, most };
}

function did(deed, input) {
  if (deed === 'task.prepare') return { folder: '/w', branch: 'b', base: 'b', notes: [] };
  if (deed === 'ledger.merge')
    return { merged: input.merges.map(({ task: id, attempt }) => ({ task: id, attempt, commit: 'c' })) };
  const reading = { outcome: { status: 'done' }, commit: 'w', changed: { files: 1, added: 1, removed: 0 } };
  return { ...reading, result: null, worklog: null, proven: 1, reported: null, warnings: [] };
}

async function durable() {
  console.log(`\nledger, durable, agents that take ${ASK_MS} ms: every event synced, attempts are runs of their own`);
  for (const [count, concurrency] of [
    [200, 1],
    [200, 10],
    [1_000, 100],
  ]) {
    const { ms, most } = await run(count, concurrency);
    const rate = `${(count / (ms / 1e3)).toFixed(0)} tasks/s`.padStart(12);
    console.log(
      `  ${String(count).padStart(5)} tasks, ${String(concurrency).padStart(3)} at once: ${rate}, at most ${most} agents at work together`,
    );
  }
}

await runSections({ locks, machine, durable }, only);
