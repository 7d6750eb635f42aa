/** Stands in for a Baton process that can be killed: does one thing with the gate and says so on stdout. */
import { endLeftovers } from '../../../src/sandbox/end-leftovers.js';
import { endTree } from '../../../src/sandbox/end-tree.js';
import type { Gate } from '../../../src/sandbox/process-rows.js';
import { spawnGated } from '../../../src/sandbox/spawn-gated.js';
import { fileTable } from './tables.js';

export type Part = 'hold' | 'leave' | 'end' | 'flood' | 'descriptors' | 'end-own' | 'nest';
export type Order = { part: Part; run: string; rows: string; cwd: string; env: Record<string, string>; script: string };

const FLOOD_SAMPLE_EVERY = 100;

const order: Order = JSON.parse(process.argv[2] ?? '{}');
const gate: Gate = { table: fileTable(order.rows), worker: `worker-${process.pid}`, scope: 'test', oneMachine: true };
const tell = (what: unknown): void => void process.stdout.write(`${JSON.stringify(what)}\n`);

const spawnScript = async (changes: Partial<Gate> = {}, run = order.run, outputBytesMax = 1024) => {
  const { cwd, env, script } = order;
  const spawned = await spawnGated({
    gate: { ...gate, ...changes },
    run,
    epoch: 1,
    handoff: 'ask-1',
    attempt: 1,
    argv: ['sh', '-c', script],
    cwd,
    env,
    stdin: { text: '' },
    signal: new AbortController().signal,
    limits: { outputBytesMax },
  });
  if (spawned.type !== 'started') throw new Error(JSON.stringify(spawned));
  return spawned.process;
};

const PARTS: Record<Part, () => Promise<unknown>> = {
  /** Waits for ever for its row to be written. */
  hold: () => {
    const table = {
      ...gate.table,
      add: (row: { pid: number }) => new Promise<boolean>(() => tell({ waiting: row.pid })),
    };
    setInterval(() => {}, 1_000);
    return spawnScript({ table });
  },
  leave: async () => tell({ started: (await spawnScript()).pid }),
  end: async () => tell(await endLeftovers(gate, order.run)),
  flood: async () => {
    const before = process.memoryUsage.rss();
    let most = before;
    let chunks = 0;
    const { stdout, ended } = await spawnScript();
    stdout.onChunk(() => {
      chunks += 1;
      if (chunks % FLOOD_SAMPLE_EVERY === 0) most = Math.max(most, process.memoryUsage.rss());
    });
    await ended;
    const { bytes, droppedBytes } = stdout;
    tell({ bytes, droppedBytes, kept: stdout.text().length, grewBytes: most - before });
  },
  descriptors: async () => {
    const { stdout, ended } = await spawnScript();
    await ended;
    tell({ descriptors: stdout.text().trim().split(/\s+/) });
  },
  /** Ends the handoff that it is itself part of. */
  'end-own': async () => tell(await endTree({ scope: 'test', run: order.run, handoff: 'ask-1' }, { graceMs: 0 })),
  /** Another store, another run, inside a command of the first. */
  nest: async () => tell({ started: (await spawnScript({ scope: 'inner' }, `inner-${order.run}`)).pid }),
};

await PARTS[order.part]();
