import { describe, expect, test } from 'vitest';
import { jobDecider } from '../../src/core/job/job-decider.js';
import { builtInPhases, type JobOrder } from '../../src/core/job/job-order.js';
import { SYSTEM_KIND, SYSTEM_RUN } from '../../src/core/kernel/system-run.js';
import { systemDecider } from '../../src/core/system/system-decider.js';
import type { SystemEvent } from '../../src/core/system/system-messages.js';
import { dispatch, type How } from '../../src/engine/dispatch.js';
import { Machines } from '../../src/engine/machines.js';
import { RunCache } from '../../src/engine/run-cache.js';
import { SystemRun } from '../../src/engine/system/system-run.js';
import { settled } from './test-clock.js';
import { eventually, type TestPorts, testPorts } from './test-ports.js';

const USD = 1_000_000;
const DAY_MS = 86_400_000;
const BODY = { sha256: 'a'.repeat(64), bytes: 1 };
const ORDER: Omit<JobOrder, 'project'> = {
  ...{ title: 't', prompt: BODY, phases: builtInPhases('x', null), limits: {}, handoffTimeoutMs: 1_000 },
  ...{ verify: 'warn', approval: false, repository: null, setup: null, checks: [], protect: [], env: [], after: [] },
  ...{ rank: 0, fallback: null, projectFile: null, forkedFrom: null },
};

/** Processes on one store: each has its own view of the system run, and hears of what the others write. */
class Stage {
  readonly ports: TestPorts = testPorts();
  readonly notices: string[] = [];
  private readonly machines = new Machines().add(systemDecider).add(jobDecider);
  private readonly watchers = new Set<() => void>();

  constructor() {
    this.ports.notifier = { notify: async (_, { title }) => void this.notices.push(title) };
  }

  process(): SystemRun {
    return new SystemRun({
      ports: this.ports,
      machines: this.machines,
      send: (run, command, _, how) => this.send(run, command, how),
      watch: (_, call) => {
        this.watchers.add(call);
        return () => this.watchers.delete(call);
      },
    });
  }

  async send(run: string, command: { type: string }, how: How = {}) {
    const cache = new RunCache(this.ports.store, this.machines);
    const outcome = await dispatch(this.ports, cache, run, command, { actor: 'test' }, how);
    for (const call of [...this.watchers]) call();
    return outcome;
  }

  now<Value>(promise: Promise<Value>): Promise<Value> {
    return eventually(this.ports, promise);
  }

  budget(project: string | null, usd: number) {
    const limits = { costMicroUsd: usd * USD };
    const command = { type: 'SetBudget', atMs: this.ports.clock.nowMs(), project, limits };
    return this.now(this.send(SYSTEM_RUN, command, { create: SYSTEM_KIND }));
  }

  /** A job of a project that was answered, and what that cost. */
  async spend(run: string, project: string, usd: number): Promise<void> {
    const atMs = this.ports.clock.nowMs();
    const submit = { type: 'Submit', atMs, order: { ...ORDER, project }, activate: true };
    const usage = { inputTokens: 1, outputTokens: 1, costMicroUsd: usd * USD };
    const prepared = { folder: '/w', branch: null, base: 'b', setupMs: 0, leftOut: 0, notes: [] };
    const fence = { fence: 1 };
    const told = async () => {
      await this.send(run, submit, { create: 'job', owner: 'w' });
      await this.send(run, { type: 'Performed', atMs, key: 'workspace', result: prepared } as object as never, fence);
      await this.send(run, { type: 'Admitted', atMs, key: 'admit-h1.1-x' } as object as never, fence);
      const answered = { type: 'Answered', atMs, key: 'h1', answer: BODY, request: BODY, usage };
      await this.send(run, answered as object as never, fence);
    };
    await this.now(told());
  }

  async systemEvents(): Promise<SystemEvent['type'][]> {
    const rows = await this.now(this.ports.store.events(SYSTEM_RUN, 0, 100));
    return rows.map(({ type }) => type as SystemEvent['type']);
  }
}

describe('budgets of a day', () => {
  test('cost nothing where there are none', async () => {
    const stage = new Stage();
    await stage.spend('one', 'shop', 100);
    expect(await stage.now(stage.process().budgets.inTheWay('shop'))).toBeUndefined();
    expect(await stage.now(stage.ports.store.run(SYSTEM_RUN))).toBeUndefined();
  });

  test('stop every process of the store, the project they are of, and nobody else', async () => {
    const stage = new Stage();
    const [one, other] = [stage.process(), stage.process()];
    await stage.budget('shop', 20);
    expect(await stage.now(one.budgets.inTheWay('shop'))).toBeUndefined();
    await stage.spend('one', 'shop', 20.03);
    for (const process of [one, other]) {
      expect(await stage.now(process.budgets.inTheWay('shop'))).toEqual({
        reason: expect.stringContaining('project shop has used $20.03 of $20.00 today; goes on at 00:00 UTC'),
        untilMs: DAY_MS,
      });
      expect(await stage.now(process.budgets.inTheWay('garden'))).toBeUndefined();
    }
    expect(await stage.systemEvents()).toEqual(['BudgetSet', 'BudgetUsed', 'BudgetTold']);
    expect(await stage.now(stage.ports.store.inbox({ open: true, after: 0, limit: 9 }))).toHaveLength(1);
    expect(stage.notices).toEqual(['limit reached: project shop has used $20.03 of $20.00 today']);
  });

  test('of all projects together stop all', async () => {
    const stage = new Stage();
    await stage.budget(null, 30);
    await stage.spend('one', 'shop', 20);
    await stage.spend('two', 'garden', 10);
    const inTheWay = await stage.now(stage.process().budgets.inTheWay('third'));
    expect(inTheWay?.reason).toContain('all projects together have used $30.00 of $30.00 today');
  });

  test('warn once at four fifths', async () => {
    const stage = new Stage();
    const process = stage.process();
    await stage.budget('shop', 20);
    await stage.spend('one', 'shop', 16);
    for (let time = 0; time < 3; time += 1) {
      expect(await stage.now(process.budgets.inTheWay('shop'))).toBeUndefined();
    }
    expect(await stage.systemEvents()).toEqual(['BudgetSet', 'BudgetNear', 'BudgetTold']);
    expect(stage.notices).toEqual(['nearly used up: project shop has used $16.00 of $20.00 today']);
  });

  test('whoever waits goes on when it is raised, in whatever process', async () => {
    const stage = new Stage();
    await stage.budget('shop', 20);
    await stage.spend('one', 'shop', 21);
    const gone: boolean[] = [];
    const { signal } = new AbortController();
    for (const process of [stage.process(), stage.process()]) {
      void process.budgets.afford('shop', signal).then((well) => gone.push(well));
    }
    await stage.ports.clock.advance(60_000);
    expect(gone).toEqual([]);
    await stage.budget('shop', 21);
    expect(gone, 'that is not enough').toEqual([]);
    await stage.budget('shop', 22);
    await settled();
    expect(gone).toEqual([true, true]);
    expect(await stage.now(stage.ports.store.inbox({ open: true, after: 0, limit: 9 }))).toEqual([]);
  });

  test('whoever waits goes on when the day turns, also when the clock was set', async () => {
    const stage = new Stage();
    await stage.budget('shop', 20);
    await stage.spend('one', 'shop', 21);
    let gone = false;
    void stage
      .process()
      .budgets.afford('shop', new AbortController().signal)
      .then(() => {
        gone = true;
      });
    await stage.ports.clock.advance(60_000);
    expect(gone).toBe(false);
    stage.ports.clock.setWall(DAY_MS - stage.ports.clock.nowMs() - 1);
    await stage.ports.clock.advance(60_000);
    expect(gone).toBe(true);
    expect(await stage.now(stage.ports.store.inbox({ open: true, after: 0, limit: 9 })), 'the old question').toEqual(
      [],
    );
  });

  test('who is told to stop waits no more', async () => {
    const stage = new Stage();
    await stage.budget('shop', 20);
    await stage.spend('one', 'shop', 21);
    const stop = new AbortController();
    const waiting = stage.process().budgets.afford('shop', stop.signal);
    await stage.ports.clock.advance(100);
    stop.abort();
    expect(await waiting).toBe(false);
  });
});
