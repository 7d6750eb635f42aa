import { describe, expect, test } from 'vitest';
import { bridgeDecider } from '../../src/core/bridge/bridge-decider.js';
import { DELIVER_DEED, type DeliverFacts, ROUND_DEED, type RoundFacts } from '../../src/core/bridge/bridge-effects.js';
import type { RoundResult } from '../../src/core/bridge/bridge-messages.js';
import { NO_FILES } from '../../src/core/bridge/bridge-state.js';
import type { Perform } from '../../src/core/kernel/effect.js';
import { systemDecider } from '../../src/core/system/system-decider.js';
import type { FilesSeen } from '../../src/engine/bridge/bridge-folder.js';
import { BridgeService } from '../../src/engine/bridge/bridge-service.js';
import { readRequest } from '../../src/engine/bridge/read-request.js';
import { createComposers } from '../../src/engine/composers.js';
import { Engine } from '../../src/engine/engine.js';
import { Machines } from '../../src/engine/machines.js';
import type { AskOutcome, Deeds, Ports } from '../../src/engine/ports.js';
import { type TestPorts, testPorts } from '../engine/test-ports.js';

const DIR = '/project';
const SECRET = 'correct-horse-battery-staple';
const NOTHING: FilesSeen = { request: null, response: null, state: null };
const idOf = (number: number): string => `550e8400-e29b-41d4-a716-44665544000${number}`;

function fileOf(number: number, agent_name: string): FilesSeen['request'] {
  const request = {
    ...{ request_id: idOf(number), created_at: '2025-11-18T10:30:00Z', phase: 1, phase_name: 'one', agent_name },
    prompt: `Look at it and say what it is, for the time number ${number}. `.repeat(3),
  };
  return { bytes: new TextEncoder().encode(JSON.stringify(request)), atMs: 1, problem: null };
}

/** One store and one folder; processes that share them; an orchestrator that asks so many times. */
class World {
  readonly ports: TestPorts = testPorts({}, [SECRET]);
  files: FilesSeen = NOTHING;
  readonly delivered: string[] = [];
  readonly rounds: string[] = [];
  readonly asked: string[] = [];
  private drawn = 1;
  answers = true;
  asks = 1;
  agent_name = 'alpha';
  agents = ['alpha', 'anna'];

  async process(worker: string, handlers: readonly string[] = [], claimsAny = false) {
    const machines = new Machines().add(bridgeDecider).add(systemDecider);
    const ports: Ports = {
      ...this.ports,
      ids: { uuid: () => 'id', random: () => this.random() },
      agents: { ...this.ports.agents, ask: async (_held, { agent }, _request, signal) => this.ask(agent, signal) },
      deeds: this.deeds(handlers),
      composers: createComposers({ body: (sha256) => this.ports.store.body(sha256), hasher: this.ports.hasher }),
      readers: { read: async () => ({ reading: { error: null, confidence: null, reported: null }, bodies: [] }) },
    };
    const engine = new Engine(ports, machines, {
      ...{ worker, host: 'h', claimsAny, ownedMax: 10, snapshotEvery: 5, laneLimit: () => 1 },
    });
    await this.within(engine.start());
    const folder = {
      ...{ look: async () => this.files, write: async () => {}, remove: async () => {} },
      ...{ sweep: async () => {}, setResponseAside: async () => '' },
    };
    const bridges = new BridgeService({ ports, engine, machines, folder, ...this.who });
    return { engine, bridges };
  }

  /** What is promised, however long it takes. */
  async within<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    promise.then(end, end);
    for (let looks = 0; !isOver && looks < 300; looks += 1) await this.ports.clock.advance(100);
    if (!isOver) throw new Error('it never happened');
    return promise;
  }

  types(run: string): string[] {
    return this.ports.journal.eventsOf(run).map(({ type }) => type);
  }

  get written(): string {
    return JSON.stringify(this.ports.journal.rows);
  }

  private random(): number {
    this.drawn = (this.drawn * 7 + 3) % 1_009;
    return this.drawn / 1_009;
  }

  private get who() {
    return {
      knowsAgent: async (id: string) => this.agents.includes(id),
      isPerson: async (id: string) => id === 'anna',
      profile: () => Promise.reject(new Error('no profile')),
    };
  }

  private ask(agent: string, signal: AbortSignal): Promise<AskOutcome> {
    this.asked.push(agent);
    const usage = { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 };
    if (this.answers) return Promise.resolve({ type: 'answered', text: 'fine', usage });
    return new Promise((resolve) => {
      const ended: AskOutcome = { type: 'failed', failure: 'crash', reason: 'ended', usage };
      signal.addEventListener('abort', () => resolve(ended));
    });
  }

  private deeds(handlers: readonly string[]): Deeds {
    return {
      perform: async (_held, { deed, input }: Perform) => {
        if (deed === ROUND_DEED) return this.round(handlers, input as RoundFacts);
        if (deed === DELIVER_DEED) {
          this.delivered.push((input as DeliverFacts).reply.request_id);
          this.files = NOTHING;
        }
        return { result: { problem: null } };
      },
    };
  }

  private async round(handlers: readonly string[], facts: RoundFacts) {
    if (!handlers.includes(facts.handler)) return { result: { type: 'elsewhere' } satisfies RoundResult };
    this.rounds.push(facts.reply?.request_id ?? 'first');
    const next = facts.answered.length + 1;
    if (next > this.asks) {
      const exit = { code: 0, signal: null };
      return { result: { type: 'exited', exit, files: NO_FILES, problem: null } satisfies RoundResult };
    }
    const bytes = fileOf(next, this.agent_name)?.bytes ?? new Uint8Array();
    const { request, body } = await readRequest(bytes, facts, { ports: this.ports, ...this.who });
    const exit = { code: 42, signal: null };
    return { result: { type: 'asked', exit, request, files: NO_FILES } satisfies RoundResult, bodies: [body] };
  }
}

const RUN = { dir: DIR, argv: ['make', 'it'] };
const NEVER = new AbortController().signal;

describe('an orchestrator that is run', () => {
  test('to its end is started once more than it asks, and each request is asked for once', async () => {
    const world = new World();
    world.asks = 3;
    const { bridges } = await world.process('w', ['m']);
    const run = await world.within(bridges.begin(RUN, 'm'));
    expect(await world.within(bridges.outcome(run, RUN, 'm', NEVER))).toEqual({ exitCode: 0, problem: null });
    expect(world.rounds).toEqual(['first', idOf(1), idOf(2), idOf(3)]);
    expect(world.asked).toEqual(['alpha', 'alpha', 'alpha']);
    expect(await world.within(bridges.find(DIR))).toBeNull();
  });

  test('with a secret and with more than an event holds in its command leaves neither in the journal', async () => {
    const world = new World();
    const { bridges } = await world.process('w', ['m']);
    const options = { dir: DIR, argv: ['make', `--key=${SECRET}`, `${'x'.repeat(290)}${SECRET}`, 'x'.repeat(100_000)] };
    const run = await world.within(bridges.begin(options, 'm'));
    expect(await world.within(bridges.outcome(run, options, 'm', NEVER))).toMatchObject({ exitCode: 0 });
    expect(world.written).not.toContain(SECRET.slice(0, 10));
  });

  test('in a folder whose path holds a secret is refused: the folder would not be found again', async () => {
    const { bridges } = await new World().process('w', ['m']);
    await expect(bridges.begin({ dir: `/${SECRET}`, argv: ['make'] }, 'm')).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('by a handler that dies while an agent is asked: a server asks, and the next handler goes on', async () => {
    const world = new World();
    world.answers = false;
    const first = await world.process('w', ['m']);
    const run = await world.within(first.bridges.begin(RUN, 'm'));
    await world.ports.clock.advance(1_000);
    world.answers = true;
    world.ports.journal.workers.delete('w');
    await world.process('server', [], true);
    await world.ports.clock.advance(5_000);
    expect([world.asked, world.types(run).at(-1)]).toEqual([['alpha', 'alpha'], 'RoundLost']);
    const next = await world.process('x', ['n']);
    expect(await world.within(next.bridges.begin(RUN, 'n'))).toBe(run);
    expect(await world.within(next.bridges.outcome(run, RUN, 'n', NEVER))).toMatchObject({ exitCode: 0 });
    expect([world.asked.length, world.rounds]).toEqual([2, ['first', idOf(1)]]);
  });

  test.each([false, true])('and answered by a person: its handler goes on, also with a server (%s)', async (served) => {
    const world = new World();
    world.agent_name = 'anna';
    const handler = await world.process('w', ['m']);
    if (served) await world.process('server', [], true);
    const run = await world.within(handler.bridges.begin(RUN, 'm'));
    const outcome = handler.bridges.outcome(run, RUN, 'm', NEVER);
    await world.ports.clock.advance(1_000);
    const other = await world.process('x');
    await world.within(other.bridges.respond({ dir: DIR }, 'by hand', 'ann'));
    expect(await world.within(outcome)).toMatchObject({ exitCode: 0 });
    expect([world.rounds, world.types(run).includes('RoundLost')]).toEqual([['first', idOf(1)], false]);
  });
});

describe('an orchestrator that somebody else starts', () => {
  test.each([['nobody'], ['alpha']])('and that asks for %s is answered by hand, and nobody is asked', async (name) => {
    const world = new World();
    world.files = { ...NOTHING, request: fileOf(1, name) };
    const { bridges } = await world.process('w');
    const { run } = await world.within(bridges.respond({ dir: DIR }, 'by hand', 'ann'));
    expect([world.asked, world.delivered]).toEqual([[], [idOf(1)]]);
    expect(world.types(run)).toEqual(['BridgeWatched', 'RequestTaken', 'RequestAnswered', 'ResponseDelivered']);
  });

  test('is answered by hand for what lies in its folder, not for what a paused handler had asked', async () => {
    const world = new World();
    world.answers = false;
    const { bridges } = await world.process('w', ['m']);
    const run = await world.within(bridges.begin(RUN, 'm'));
    await world.ports.clock.advance(1_000);
    await world.within(bridges.rest(run, 'm'));
    world.files = { ...NOTHING, request: fileOf(2, 'nobody') };
    const { reply } = await world.within(bridges.respond({ dir: DIR }, 'by hand', 'ann'));
    expect([reply.request_id, world.delivered]).toEqual([idOf(2), [idOf(2)]]);
  });

  test('is asked for again by whoever watches when a handler had paused meanwhile', async () => {
    const world = new World();
    world.answers = false;
    const { bridges, engine } = await world.process('w', ['m']);
    const run = await world.within(bridges.begin(RUN, 'm'));
    await world.ports.clock.advance(1_000);
    await world.within(bridges.rest(run, 'm'));
    world.answers = true;
    world.files = { ...NOTHING, request: fileOf(1, 'alpha') };
    expect(await world.within(bridges.take({ dir: DIR }, world.files))).toBe(run);
    await world.within(engine.drive(run));
    await world.within(bridges.untilStill(run));
    expect([world.delivered, world.types(run).at(-1)]).toEqual([[idOf(1)], 'ResponseDelivered']);
  });

  test('and that has ended by hand is begun anew by a handler, not gone on with', async () => {
    const world = new World();
    world.files = { ...NOTHING, request: fileOf(1, 'alpha') };
    const { bridges } = await world.process('w', ['m']);
    const { run } = await world.within(bridges.respond({ dir: DIR }, 'by hand', 'ann'));
    expect(await world.within(bridges.begin(RUN, 'm'))).not.toBe(run);
    expect(world.rounds[0]).toBe('first');
  });

  test('begins another run when nothing of the last one lies in its folder', async () => {
    const world = new World();
    const { bridges } = await world.process('w');
    const runs: string[] = [];
    for (const number of [1, 2]) {
      world.files = { ...NOTHING, request: fileOf(number, 'alpha') };
      runs.push((await world.within(bridges.respond({ dir: DIR }, 'by hand', 'ann'))).run);
      await world.within(bridges.gone(runs.at(-1) ?? ''));
    }
    expect(new Set(runs).size).toBe(2);
  });
});
