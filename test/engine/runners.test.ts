import { describe, expect, test } from 'vitest';
import { type Admit, type Ask, NO_USAGE } from '../../src/core/kernel/effect.js';
import { Lanes } from '../../src/engine/lanes.js';
import { LoginLanes } from '../../src/engine/login-lanes.js';
import { Machines } from '../../src/engine/machines.js';
import type { EventStore, RunRow } from '../../src/engine/ports.js';
import type { Context } from '../../src/engine/runners/context.js';
import { runAdmit } from '../../src/engine/runners/run-admit.js';
import { runAsk } from '../../src/engine/runners/run-ask.js';
import { runAwait } from '../../src/engine/runners/run-await.js';
import { runChild } from '../../src/engine/runners/run-child.js';
import { runWake } from '../../src/engine/runners/run-wake.js';
import { watchSilence } from '../../src/engine/runners/silence.js';
import { SystemRun } from '../../src/engine/system/system-run.js';
import { settled } from './test-clock.js';
import { eventually, testPorts } from './test-ports.js';

describe('a wake', () => {
  test('comes at its time of the wall clock', async () => {
    const { context, clock, timeIn } = setUp();
    const woke = watched(runWake(context, { type: 'Wake', key: 'w', atMs: timeIn(5000) }));
    await clock.advance(4999);
    expect(woke.ended).toBe(false);
    await clock.advance(1);
    expect(woke.result).toEqual({ command: { type: 'Woke', atMs: timeIn(5000), key: 'w' } });
  });

  test('comes at once when its time has passed', async () => {
    const { context, timeIn } = setUp();
    expect(await runWake(context, { type: 'Wake', key: 'w', atMs: timeIn(-1) })).toEqual({
      command: { type: 'Woke', atMs: timeIn(0), key: 'w' },
    });
  });

  test('comes within a minute after the clock was set forward past its time', async () => {
    const { context, clock, timeIn } = setUp();
    const woke = watched(runWake(context, { type: 'Wake', key: 'w', atMs: timeIn(3_600_000) }));
    await clock.advance(1000);
    clock.setWall(3_600_000);
    await clock.advance(60_000);
    expect(woke.ended).toBe(true);
  });

  test('does not come early when the clock was set back', async () => {
    const { context, clock, timeIn } = setUp();
    const woke = watched(runWake(context, { type: 'Wake', key: 'w', atMs: timeIn(5000) }));
    clock.setWall(-10_000);
    await clock.advance(14_999);
    expect(woke.ended).toBe(false);
    await clock.advance(1);
    expect(woke.ended).toBe(true);
  });

  test('that is not wanted any more says nothing', async () => {
    const { context, controller, timeIn } = setUp();
    const woke = runWake(context, { type: 'Wake', key: 'w', atMs: timeIn(5000) });
    controller.abort();
    expect(await woke).toBe(undefined);
  });
});

describe('who is admitted', () => {
  const admit: Admit = { type: 'Admit', key: 'a', lane: 'x', rank: 0, pays: 'shop' };

  test('is not when others have spent the rest while it stood in line', async () => {
    const { context, ports } = setUp();
    const looks = [undefined, { reason: 'used up', untilMs: 9 }];
    context.system.budgets.inTheWay = async () => looks.shift();
    const ran = await eventually(ports, runAdmit(context, admit));
    expect(ran).toMatchObject({ command: { type: 'Parked', key: 'a', untilMs: 9 } });
    expect(looks).toEqual([]);
  });

  test('takes no place when there is nothing to spend', async () => {
    const { context, ports } = setUp();
    context.system.budgets.inTheWay = async () => ({ reason: 'used up', untilMs: 9 });
    expect(await runAdmit(context, admit)).toMatchObject({ command: { type: 'Parked' } });
    const { pays: _, ...free } = admit;
    const other = await eventually(ports, runAdmit({ ...context, run: 'other' }, { ...free, key: 'b' }));
    expect(other).toMatchObject({ command: { type: 'Admitted', key: 'b' } });
  });
});

describe('who waits for another run', () => {
  const ended = (status: string, atMs: number) => ({
    command: { type: 'Ended', atMs, key: 'a', run: 'other', status },
  });

  test('is told at once when it has ended before', async () => {
    const { context, timeIn } = setUp({ run: async () => row('done', true) });
    expect(await runAwait(context, { type: 'Await', key: 'a', run: 'other' })).toEqual(ended('done', timeIn(0)));
  });

  test('is told at once when there is none', async () => {
    const { context, timeIn } = setUp({ run: async () => undefined });
    expect(await runAwait(context, { type: 'Await', key: 'a', run: 'other' })).toEqual(ended('missing', timeIn(0)));
  });

  test('is told when it ends, and watches no longer', async () => {
    let over = false;
    const { context, timeIn, commit, watchers } = setUp({ run: async () => row(over ? 'failed' : 'asking', over) });
    const waiting = watched(runAwait(context, { type: 'Await', key: 'a', run: 'other' }));
    commit();
    await settled();
    expect(waiting.ended).toBe(false);
    over = true;
    commit();
    await settled();
    expect([waiting.result, watchers.size]).toEqual([ended('failed', timeIn(0)), 0]);
  });

  test('watches no longer when it is not wanted any more', async () => {
    const { context, controller, watchers } = setUp({ run: async () => row('asking', false) });
    const waiting = runAwait(context, { type: 'Await', key: 'a', run: 'other' });
    controller.abort();
    expect([await waiting, watchers.size]).toEqual([undefined, 0]);
  });
});

describe('an ask', () => {
  const ask: Ask = {
    type: 'Ask',
    key: 'ask-1',
    agent: 'alpha',
    request: { sha256: 'ab', bytes: 2 },
    attempt: 1,
    deadlineMs: 1_005_000,
  };

  test('whose agent was ended because its time was up has timed out, not crashed', async () => {
    const { context, clock, ports } = setUp({ body: async () => new Uint8Array(2) });
    ports.agents.ask = (_run, _ask, _request, signal) =>
      new Promise((resolve) => {
        const usage = { inputTokens: 1, outputTokens: 0, costMicroUsd: 0 };
        signal.addEventListener('abort', () => resolve({ type: 'failed', failure: 'crash', reason: 'ended', usage }));
      });
    const asked = watched(runAsk(context, ask));
    await clock.advance(5000);
    expect(asked.result).toMatchObject({ command: { type: 'Failed', failure: 'timeout', key: 'ask-1' } });
  });

  test('whose answer cannot be read yet is not asked again: the answer is read again', async () => {
    const { context, clock, ports } = setUp({ body: async () => new Uint8Array(2) });
    let [asks, reads] = [0, 0];
    ports.agents.ask = async () => {
      asks += 1;
      return { type: 'answered', text: 'paid for', usage: { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 } };
    };
    const read = async () => {
      reads += 1;
      if (reads < 3) throw new Error('the disk is busy');
      return { reading: { fine: true }, bodies: [] };
    };
    ports.readers = { read };
    const asked = watched(runAsk(context, { ...ask, reading: { reader: 'one', from: {} } }));
    await clock.advance(2_000);
    expect(asked.result).toMatchObject({ command: { type: 'Answered', reading: { fine: true } } });
    expect([asks, reads]).toEqual([1, 3]);
  });

  test('that was called off while its request was read starts no agent', async () => {
    const { context, controller, ports } = setUp({ body: async () => new Uint8Array(2) });
    let asks = 0;
    ports.agents.ask = () => {
      asks += 1;
      return new Promise(() => undefined);
    };
    void runAsk(context, ask);
    controller.abort();
    await settled();
    expect(asks).toBe(0);
  });

  test('that failed says why without secrets, before anybody cuts it', async () => {
    const { context, ports } = setUp({ body: async () => new Uint8Array() });
    ports.scrub.learn(['hunter2-hunter2']);
    ports.agents.ask = async () => ({
      type: 'failed',
      failure: 'auth',
      reason: 'no: hunter2-hunter2',
      usage: NO_USAGE,
    });
    const ran = await eventually(ports, runAsk(context, ask));
    expect(ran?.command).toMatchObject({ type: 'Failed', reason: expect.not.stringContaining('hunter2') });
  });

  test('whose request is not in the store fails', async () => {
    const { context } = setUp({ body: async () => undefined });
    expect(await runAsk(context, ask)).toMatchObject({
      command: { type: 'Failed', failure: 'crash', reason: 'the request ab is not in the store' },
    });
  });
});

describe('a child', () => {
  const BEGIN = { kind: 'task', command: { type: 'Begin' } };
  const refused: Context['child'] = async () => ({
    type: 'refused',
    refusal: { code: 'KEY_REUSED', reason: 'it was begun with something else' },
  });

  test('that is there is driven to its end, whatever it was begun with', async () => {
    let there: RunRow = { ...row('asking', false), owes: true } as RunRow;
    const { context, commit, timeIn } = setUp({ run: async () => there });
    const driven: string[] = [];
    const drive: Context['drive'] = async (run) => driven.push(run) > 0;
    const ran = runChild(
      { ...context, child: refused, drive },
      { type: 'Child', key: 'c', run: 'r.T-1.1', begin: BEGIN },
    );
    await settled();
    expect(driven).toEqual(['r.T-1.1']);
    there = row('reported', true);
    commit();
    expect(await ran).toEqual({
      command: { type: 'Ended', atMs: timeIn(0), key: 'c', run: 'r.T-1.1', status: 'reported' },
    });
  });

  test('that cannot be made is a failure, to be tried again', async () => {
    const { context } = setUp({ run: async () => undefined });
    const made = runChild({ ...context, child: refused }, { type: 'Child', key: 'c', run: 'r.T-1.1', begin: BEGIN });
    await expect(made).rejects.toThrow('it was begun with something else');
  });
});

describe('silence', () => {
  const SILENCE = { maxMs: 60_000, beat: { run: 'r', task: 'T-1' } };
  const watching = () => {
    const { context, clock, ports } = setUp();
    const said: string[] = [];
    watchSilence(context, SILENCE, (reason) => said.push(reason));
    return { clock, ports, said };
  };

  test('is said once it has lasted too long, also when the clock was set back meanwhile', async () => {
    const { clock, said } = watching();
    await clock.advance(30_000);
    clock.setWall(-3_600_000);
    await clock.advance(25_000);
    expect(said).toEqual([]);
    await clock.advance(10_000);
    expect(said).toEqual(['sent no heartbeat for 60 s; 60 s are allowed']);
  });

  test('is broken by a beat that somebody else has heard, for as long again', async () => {
    const { clock, ports, said } = watching();
    await clock.advance(50_000);
    void ports.store.hear('r', 'T-1', clock.nowMs());
    await clock.advance(60_000);
    expect(said).toEqual([]);
    await clock.advance(65_000);
    expect(said).toHaveLength(1);
  });
});

function watched<Value>(promise: Promise<Value>) {
  const seen: { ended: boolean; result?: Value } = { ended: false };
  void promise.then((result) => Object.assign(seen, { ended: true, result }));
  return seen;
}

function row(status: string, ended: boolean): RunRow {
  return { status, ended } as RunRow;
}

function setUp(changes: Partial<EventStore> = {}) {
  const ports = testPorts(changes);
  const { clock } = ports;
  const startMs = clock.nowMs();
  const controller = new AbortController();
  const watchers = new Set<() => void>();
  const watch: Context['watch'] = (_, call) => {
    watchers.add(call);
    return () => watchers.delete(call);
  };
  const tell: Context['tell'] = async () => ({ type: 'fenced' });
  const context: Context = {
    ports,
    run: 'run',
    epoch: 1,
    signal: controller.signal,
    lanes: new Lanes(() => 1),
    logins: new LoginLanes(
      () => 1,
      async (agent) => agent,
    ),
    system: new SystemRun({ ports, machines: new Machines(), send: tell, watch }),
    tell,
    watch,
    child: async () => ({ type: 'fenced' }),
    drive: async () => false,
  };
  const commit = () => {
    for (const call of [...watchers]) call();
  };
  return { ports, context, clock, controller, watchers, commit, timeIn: (delayMs: number) => startMs + delayMs };
}
