import { describe, expect, test } from 'vitest';
import { errandDecider } from '../../src/core/errand/errand-decider.js';
import type { ErrandOrder } from '../../src/core/errand/errand-messages.js';
import { Engine, type EngineOptions } from '../../src/engine/engine.js';
import { Machines } from '../../src/engine/machines.js';
import type { AskOutcome } from '../../src/engine/ports.js';
import { EVENT_BYTES_MAX, sealBody } from '../../src/engine/seal.js';
import { submission } from './submission.js';
import { eventually, type TestPorts, testPorts } from './test-ports.js';

const USAGE = { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 };
const ANSWER: AskOutcome = { type: 'answered', text: 'done', usage: USAGE };
const CLIENT = { actor: 'client' };

describe('an engine', () => {
  test('carries an errand to its end and gives it back', async () => {
    const { ports, submit, types } = await setUp();
    ports.agents.ask = async () => ANSWER;
    await submit('run');
    await ports.clock.advance(1000);
    expect([types('run'), ports.journal.runs.get('run')?.owner]).toEqual([
      ['ErrandSubmitted', 'Queued', 'StepAsked', 'StepAnswered', 'ErrandDone'],
      null,
    ]);
  });

  test('tells another run how an errand ended, also when the store fails meanwhile', async () => {
    const { ports, submit, types } = await setUp();
    ports.agents.ask = async () => ANSWER;
    await submit('boss');
    await ports.clock.advance(1000);
    failOnce(ports, 'append', (group) => group[0]?.run === 'boss');
    await submit('run', { report: 'boss' });
    await ports.clock.advance(10_000);
    expect([types('boss').at(-1), types('run').at(-1)]).toEqual(['ReportReceived', 'ReportDelivered']);
  });

  test('waits for another run, also when the store fails meanwhile', async () => {
    const { ports, submit, types } = await setUp();
    ports.agents.ask = async () => ANSWER;
    failOnce(ports, 'run', () => true);
    await submit('run', { after: 'nobody' });
    await ports.clock.advance(10_000);
    expect(types('run').at(-1)).toBe('ErrandDone');
  });

  test('asks its agent, also when the request could not be read at first', async () => {
    const { ports, submit, types } = await setUp();
    ports.agents.ask = async () => ANSWER;
    failOnce(ports, 'body', () => true);
    await submit('run');
    await ports.clock.advance(10_000);
    expect(types('run').at(-1)).toBe('ErrandDone');
  });

  test('starts nothing of a run whose new owner it hears of', async () => {
    const { ports, submit } = await setUp();
    const asked: string[] = [];
    ports.agents.ask = (_, { key }) => {
      asked.push(key);
      return new Promise(() => undefined);
    };
    await submit('run');
    ports.journal.workers.delete('w');
    const other = testEngine(ports, 'other');
    await eventually(ports, other.start());
    await ports.clock.advance(3000);
    expect(asked).toEqual(['ask-1', 'ask-2']);
  });

  test('that is stopped waits for an agent that was just told to end', async () => {
    const { ports, submit, engine } = await setUp();
    const agent = slowToEnd(ports);
    await submit('run');
    await eventually(ports, engine.send('run', CANCEL, CLIENT));
    let stopped: boolean | undefined;
    void engine.stop(0).then(() => {
      stopped = agent.alive;
    });
    await ports.clock.advance(5000);
    expect(stopped).toBe(false);
  });

  test('that lost a run without hearing of it ends nothing of the new owner when it stops', async () => {
    const { ports, submit, engine } = await setUp();
    slowToEnd(ports);
    await submit('run');
    ports.journal.workers.delete('w');
    await eventually(ports, ports.store.claim('other', { run: 'run', nowMs: 0, limit: 1 }));
    const ended: string[] = [];
    ports.agents.endLeftover = async (run) => {
      ended.push(run);
      return USAGE;
    };
    void engine.stop(0);
    await ports.clock.advance(5000);
    expect([ended, ports.journal.runs.get('run')?.owner]).toEqual([[], 'other']);
  });

  test('owns a run until the agent that was called off is gone, so that whoever follows would end it', async () => {
    const { ports, submit, engine } = await setUp();
    const agent = slowToEnd(ports);
    const owner = () => ports.journal.runs.get('run')?.owner;
    await submit('run');
    await eventually(ports, engine.send('run', CANCEL, CLIENT));
    expect([agent.alive, owner()]).toEqual([true, 'w']);
    await ports.clock.advance(500);
    expect([agent.alive, owner()]).toEqual([false, null]);
  });

  test('takes a command whose snapshot cannot be saved', async () => {
    const { ports, submit, types } = await setUp({ snapshotEvery: 1 });
    ports.agents.ask = async () => ANSWER;
    ports.store.saveSnapshot = () => Promise.reject(new Error('no space'));
    expect(await submit('run')).toMatchObject({ type: 'accepted' });
    await ports.clock.advance(1000);
    expect([types('run').at(-1), ports.logged]).toEqual([
      'ErrandDone',
      expect.arrayContaining(['a snapshot was not saved']),
    ]);
  });

  test('takes an effect whose result can never be written as failed, and comes to rest', async () => {
    const { ports, submit, types } = await setUp();
    const reason = 'x'.repeat(EVENT_BYTES_MAX);
    ports.agents.ask = async () => ({ type: 'failed', failure: 'crash', reason, usage: USAGE });
    await submit('run', { retriesMax: 0 });
    await ports.clock.advance(10_000);
    const failed = ports.journal.eventsOf('run').find(({ type }) => type === 'StepFailed');
    expect(JSON.parse(failed?.data ?? '{}')).toMatchObject({ usage: USAGE, reason: expect.stringContaining('bytes') });
    expect([types('run').at(-1), ports.journal.runs.get('run')?.owner]).toEqual(['HumanNotified', null]);
  });

  test('that has stopped tries no more to write a result that could not be written', async () => {
    const { ports, submit, engine } = await setUp();
    ports.agents.ask = async () => ANSWER;
    const { append } = ports.store;
    ports.store.append = (group) =>
      JSON.stringify(group).includes('StepAnswered')
        ? Promise.reject(new Error('full'))
        : append.call(ports.store, group);
    const tries = () => ports.logged.filter((message) => message === 'a result could not be written yet').length;
    await submit('run');
    await ports.clock.advance(3_000);
    expect(tries()).toBeGreaterThan(1);
    let isStopped = false;
    void engine.stop(0).then(() => {
      isStopped = true;
    });
    await ports.clock.advance(2_000);
    const before = tries();
    await ports.clock.advance(10_000);
    expect([isStopped, tries(), ports.journal.runs.get('run')?.owner]).toEqual([true, before, null]);
  });

  test('hears of a commit although it could not be read at first', async () => {
    const { ports, submit } = await setUp();
    ports.agents.ask = async () => ANSWER;
    const watcher = testEngine(ports, 'watcher', { claimsAny: false });
    await eventually(ports, watcher.start());
    const heard: string[] = [];
    watcher.watch('run', () => heard.push('commit'));
    const { feedHeads } = ports.store;
    ports.store.feedHeads = () => Promise.reject(new Error('the store did not answer'));
    await submit('run');
    await ports.clock.advance(200);
    ports.store.feedHeads = feedHeads;
    expect(heard).toEqual([]);
    await ports.clock.advance(1000);
    expect(heard).not.toEqual([]);
  });

  test('drives what it was told to drive again after it was silent', async () => {
    const { ports, submit, types, engine } = await setUp({ claimsAny: false });
    slowToEnd(ports);
    await submit('run');
    await eventually(ports, engine.drive('run'));
    ports.agents.ask = async () => ANSWER;
    const beat = ports.store.beat;
    ports.store.beat = () => Promise.reject(new Error('the store did not answer'));
    await ports.clock.advance(7000);
    ports.store.beat = beat;
    await ports.clock.advance(3000);
    expect(types('run')).toContain('StepLost');
    expect(types('run').at(-1)).toBe('ErrandDone');
  });

  test('told to drive what it drives already, or takes just now, it loses nothing of it', async () => {
    const { ports, submit, types, engine } = await setUp();
    slowToEnd(ports);
    const submitted = submit('run');
    await Promise.all([submitted, eventually(ports, engine.drive('run'))]);
    await eventually(ports, engine.drive('run'));
    await ports.clock.advance(1000);
    expect([types('run'), ports.journal.runs.get('run')?.epoch]).toEqual([
      ['ErrandSubmitted', 'Queued', 'StepAsked'],
      1,
    ]);
  });

  test('told to drive one run several times at once, it takes it once', async () => {
    const { ports, submit, types, engine } = await setUp({ claimsAny: false });
    slowToEnd(ports);
    await submit('run');
    await eventually(ports, Promise.all([engine.drive('run'), engine.drive('run'), engine.drive('run')]));
    await ports.clock.advance(1000);
    expect([types('run'), ports.journal.runs.get('run')?.epoch]).toEqual([
      ['ErrandSubmitted', 'Queued', 'StepAsked'],
      1,
    ]);
  });

  test('takes a run with a command, before anything that it owed then is done', async () => {
    const { ports, submit, types, engine } = await setUp({ claimsAny: false });
    slowToEnd(ports);
    await submit('run');
    const outcome = await eventually(ports, engine.takeWith('run', CANCEL, { actor: 'test' }));
    expect(outcome).toMatchObject({ type: 'accepted' });
    expect(types('run')).toEqual(['ErrandSubmitted', 'Queued', 'ErrandCanceled']);
  });

  test('takes no run with a command that somebody alive has', async () => {
    const { ports, submit, types, engine } = await setUp({ claimsAny: false });
    slowToEnd(ports);
    await submit('run');
    await eventually(ports, engine.drive('run'));
    const other = testEngine(ports, 'other', { claimsAny: false });
    await eventually(ports, other.start());
    expect(await eventually(ports, other.takeWith('run', CANCEL, { actor: 'test' }))).toBeUndefined();
    expect(types('run')).not.toContain('ErrandCanceled');
  });

  test('drives nothing before it has started, and nothing once it stops', async () => {
    const { ports, submit, engine } = await setUp({ claimsAny: false });
    await submit('run');
    await expect(testEngine(ports, 'new').drive('run')).rejects.toThrow('before this process has started');
    await eventually(ports, engine.stop(0));
    expect(await engine.drive('run')).toBe(false);
  });
});

const CANCEL = { type: 'Cancel', atMs: 5 } as { type: string };

/** An agent that works for ever and takes a while to end. */
function slowToEnd(ports: TestPorts): { alive: boolean } {
  const agent = { alive: false };
  ports.agents.ask = (_held, _ask, _request, signal) =>
    new Promise((resolve) => {
      agent.alive = true;
      signal.addEventListener('abort', () => {
        ports.clock.after(400, () => {
          agent.alive = false;
          resolve({ type: 'failed', failure: 'crash', reason: 'ended', usage: USAGE });
        });
      });
    });
  return agent;
}

type Methods = Pick<TestPorts['store'], 'append' | 'run' | 'body'>;

function failOnce<Name extends keyof Methods>(
  { store }: TestPorts,
  name: Name,
  when: (...args: Parameters<Methods[Name]>) => boolean,
): void {
  const original = store[name] as (...args: Parameters<Methods[Name]>) => Promise<unknown>;
  let failed = false;
  Object.assign(store, {
    [name]: (...args: Parameters<Methods[Name]>) => {
      if (failed || !when(...args)) return original.apply(store, args);
      failed = true;
      return Promise.reject(new Error(`${name} failed once`));
    },
  });
}

function testEngine(ports: TestPorts, worker: string, changes: Partial<EngineOptions> = {}): Engine {
  return new Engine(ports, new Machines().add(errandDecider), {
    worker,
    host: 'here',
    claimsAny: true,
    ownedMax: 10,
    snapshotEvery: 100,
    laneLimit: () => 1,
    ...changes,
  });
}

async function setUp(changes: Partial<EngineOptions> = {}) {
  const ports = testPorts();
  const engine = testEngine(ports, 'w', changes);
  await eventually(ports, engine.start());
  const { ref, body } = sealBody(ports, 'please');
  const submit = (run: string, changes: Partial<ErrandOrder> = {}) =>
    eventually(
      ports,
      engine.create(run, 'errand', submission({ request: ref, stepTimeoutMs: 60_000, ...changes }), {
        ...CLIENT,
        bodies: [body],
      }),
    );
  const types = (run: string) => ports.journal.eventsOf(run).map(({ type }) => type);
  return { ports, engine, submit, types };
}
