import { describe, expect, test } from 'vitest';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import type { Effect } from '../kernel/effect.js';
import { ledgerDecider, statusOf } from './ledger-decider.js';
import type { LedgerCommand, LedgerEvent, LedgerOrder, TaskOutcome } from './ledger-messages.js';
import type { Ledger, LiveLedger } from './ledger-state.js';

const ORDER: LedgerOrder = {
  ...{ run: 'r', objective: 'Do it', constraints: {}, concurrency: 2, context: [], repository: '/r', project: 'r' },
  ...{ agent: 'a', fallback: null, planner: null, env: [], network: [], limits: {} },
};
const USAGE = { inputTokens: 60, outputTokens: 40, costMicroUsd: 500 };

function task(number: number, more: Partial<PlanTask> = {}): PlanTask {
  const task_id = `T-${number}`;
  return {
    ...{
      task_id,
      title: task_id,
      type: 'parallelizable',
      dependencies: [],
      lock_scope: [task_id],
      forbidden_scope: [],
    },
    ...{ acceptance_criteria: ['it works'], worklog_path: `w/${task_id}.jsonl` },
    ...{ timeout_seconds: 60, heartbeat_interval_seconds: 5 },
    ...more,
  };
}

/** A ledger whose wishes are fulfilled one by one, as an engine would. */
class Going {
  ledger: Ledger = ledgerDecider.initialState();
  atMs = 1_000;
  readonly events: LedgerEvent[] = [];

  constructor(tasks: readonly PlanTask[], order: Partial<LedgerOrder> = {}) {
    this.give({ type: 'Open', order: { ...ORDER, ...order }, tasks });
    this.give({ type: 'Go', concurrency: null, agent: null, fallback: null });
  }

  get live(): LiveLedger {
    return this.ledger as LiveLedger;
  }

  give(command: object): string {
    const decision = ledgerDecider.decide(this.ledger, { atMs: this.atMs, ...command } as LedgerCommand);
    if ('refusal' in decision) return decision.refusal.code;
    for (const event of decision.events) this.ledger = ledgerDecider.evolve(this.ledger, event);
    this.events.push(...decision.events);
    return 'ok';
  }

  owed(type: Effect['type']): Effect[] {
    return [...ledgerDecider.outstanding(this.ledger)].filter((effect) => effect.type === type);
  }

  /** Everything that needs nobody: wake-ups, merges, notices, attempts that have ended. */
  settle(): this {
    for (;;) {
      const [effect] = [...ledgerDecider.outstanding(this.ledger)].filter(
        (one) => (one.type === 'Wake' && one.atMs <= this.atMs) || FULFILLED.has(one.type) || isLeaving(one),
      );
      if (!effect) return this;
      if (effect.type === 'Wake') this.give({ type: 'Woke', key: effect.key });
      if (effect.type === 'Notify') this.give({ type: 'Notified', key: effect.key });
      if (effect.type === 'Tell') this.give({ type: 'Told', key: effect.key, accepted: true });
      if (effect.type === 'Child') this.give({ type: 'Ended', key: effect.key, run: effect.run, status: 'reported' });
      if (effect.type === 'Perform')
        this.give({ type: 'Performed', key: effect.key, result: this.merged(effect.input) });
    }
  }

  conflicts = new Set<string>();

  private merged(input: object): object {
    const { merges } = input as { merges: { task: string; attempt: number }[] };
    return {
      merged: merges.map(({ task, attempt }) =>
        this.conflicts.has(task) ? { task, attempt, conflicts: ['x'] } : { task, attempt, commit: `c-${task}` },
      ),
    };
  }

  report(id: string, outcome: TaskOutcome, more: object = {}): string {
    const attempt = this.live.tasks.get(id)?.attempt ?? 0;
    const work = outcome.status === 'done' ? { base: 'b', commit: 'w' } : null;
    const rest = { proven: 1, worklog: null, usage: USAGE, activeMs: 5, work };
    const said = this.give({ type: 'Report', task: id, attempt, outcome, ...rest, ...more });
    if (said === 'ok') this.settle();
    return said;
  }

  row(id: string) {
    const row = this.live.tasks.get(id);
    if (!row) throw new Error(id);
    return row;
  }
}

const FULFILLED: ReadonlySet<string> = new Set(['Notify', 'Tell', 'Perform']);
const isLeaving = (effect: Effect): boolean => effect.type === 'Child' && !effect.begin;
const done = { status: 'done' } as const;
const failed = { status: 'failed', code: 'AGENT_FAILED', reason: 'no' } as const;
const blocked = { status: 'blocked', code: 'TASK_BLOCKED', reason: 'a key' } as const;
const silent = { status: 'blocked', code: 'TASK_TIMEOUT', reason: 'silent' } as const;

describe('a ledger that goes by itself', () => {
  test('begins what can be begun, merges before it counts, frees what waits, and comes to rest', () => {
    const going = new Going([task(1), task(2, { dependencies: ['T-1'] }), task(3), task(4)]).settle();
    expect(going.owed('Child').map((one) => 'run' in one && one.run)).toEqual(['r.T-1.1', 'r.T-3.1']);
    going.report('T-1', done);
    expect([going.row('T-1').status, going.row('T-1').commit, going.row('T-2').status]).toEqual([
      'done',
      'c-T-1',
      'todo',
    ]);
    going.report('T-3', done);
    going.report('T-4', done);
    going.report('T-2', done);
    expect([statusOf(going.live), going.live.locks.size, [...ledgerDecider.outstanding(going.ledger)]]).toEqual([
      'done',
      0,
      [],
    ]);
    expect(ledgerDecider.summary(going.ledger)).toMatchObject({
      ended: true,
      owes: false,
      tokens: 400,
      costMicroUsd: 2_000,
    });
  });

  test('counts nothing as done before it is merged, and holds its paths until then', () => {
    const going = new Going([task(1), task(2, { lock_scope: ['T-1/x'] })]).settle();
    const rest = { proven: 1, worklog: null, usage: USAGE, activeMs: 5, work: { base: 'b', commit: 'w' } };
    going.give({ type: 'Report', task: 'T-1', attempt: 1, outcome: done, ...rest });
    expect([going.row('T-1').status, going.live.locks.size]).toEqual(['in_progress', 1]);
    expect(going.give({ type: 'Report', task: 'T-1', attempt: 1, outcome: done, ...rest })).toBe('HANDOFF_LOST');
    const cancel = { task_id: 'T-1', status: 'canceled', owner: 'x', reason: 'x', delta_id: 'd' };
    expect(going.give({ type: 'TakeDelta', delta: cancel, base: null })).toBe('CONCURRENCY_CONFLICT');
    going.settle();
    expect([going.row('T-1').status, going.row('T-2').status]).toEqual(['done', 'in_progress']);
  });
});

describe('what did not come to a done', () => {
  test('tries once more, then alone, then gives up', () => {
    const going = new Going([task(1), task(2)]).settle();
    going.report('T-1', failed);
    expect(going.row('T-1')).toMatchObject({ status: 'in_progress', attempt: 2, alone: false, code: 'AGENT_FAILED' });
    going.report('T-1', failed);
    expect(going.row('T-1'), 'it waits until it is alone').toMatchObject({ status: 'todo', alone: true });
    going.report('T-2', done);
    expect(going.row('T-1')).toMatchObject({ status: 'in_progress', attempt: 3 });
    going.report('T-1', failed);
    expect([going.row('T-1').status, statusOf(going.live)]).toEqual(['failed', 'failed']);
  });
});

describe('a task that did not come to a done', () => {
  test('gives it to somebody else when there is somebody', () => {
    const going = new Going([task(1)], { fallback: 'b' }).settle();
    going.report('T-1', failed);
    going.report('T-1', failed);
    expect(going.row('T-1')).toMatchObject({ status: 'in_progress', attempt: 3, owner: 'b', alone: false });
  });

  test.each(['SCHEMA_INVALID', 'SCOPE_VIOLATION', 'NON_COMPLIANT'] as const)('never tries %s again', (code) => {
    const going = new Going([task(1)]).settle();
    going.report('T-1', { status: 'failed', code, reason: 'no' });
    expect(going.row('T-1')).toMatchObject({ status: 'failed', attempt: 1, code });
  });

  test('waits as long as it is asked to before it tries again', () => {
    const going = new Going([task(1)]).settle();
    going.report('T-1', { ...failed, retryAfterMs: 5_000 });
    expect([going.row('T-1').status, ledgerDecider.summary(going.ledger).wakeAtMs]).toEqual(['todo', 6_000]);
    going.atMs += 5_000;
    expect(going.settle().row('T-1')).toMatchObject({ status: 'in_progress', attempt: 2 });
  });

  test('whoever was silent is blocked, told to stop, and tried again; late words are not heard', () => {
    const going = new Going([task(1)]).settle();
    going.report('T-1', silent);
    expect(going.row('T-1')).toMatchObject({ status: 'in_progress', attempt: 2 });
    const late = {
      task: 'T-1',
      attempt: 1,
      outcome: done,
      work: null,
      proven: 1,
      worklog: null,
      usage: USAGE,
      activeMs: 1,
    };
    expect(going.give({ type: 'Report', ...late })).toBe('HANDOFF_LOST');
    const moves = going.events.filter((event) => event.type === 'TaskMoved' || event.type === 'TaskRequeued');
    expect(moves.map(({ type }) => type)).toEqual(['TaskMoved', 'TaskRequeued']);
  });
});

describe('an attempt', () => {
  test('that is called off is told so, until it has ended', () => {
    const going = new Going([task(1)]).settle();
    const delta = { task_id: 'T-1', status: 'canceled', owner: 'x', reason: 'no need', delta_id: 'd' };
    going.give({ type: 'TakeDelta', delta, base: null });
    expect(going.owed('Tell')).toEqual([
      expect.objectContaining({ run: 'r.T-1.1', command: expect.objectContaining({ type: 'Stop' }) }),
    ]);
    going.settle();
    expect([...ledgerDecider.outstanding(going.ledger)]).toEqual([]);
  });

  test('that ended without a word counts as failed', () => {
    const going = new Going([task(1)]).settle();
    const [child] = going.owed('Child');
    going.give({ type: 'Ended', key: child?.key, run: 'r.T-1.1', status: 'stopped' });
    expect(going.settle().row('T-1')).toMatchObject({ attempt: 2, code: 'AGENT_FAILED' });
  });
});

describe('what a person decides', () => {
  const stuck = (): Going => {
    const going = new Going([task(1), task(2, { dependencies: ['T-1'] })]).settle();
    going.report('T-1', blocked);
    return going;
  };

  test('is asked once, and the ledger rests meanwhile', () => {
    const going = stuck();
    expect([statusOf(going.live), going.row('T-1').question, ledgerDecider.summary(going.ledger).owes]).toEqual([
      'blocked',
      1,
      false,
    ]);
    const asked = going.events.flatMap((event) => ledgerDecider.inbox(event) ?? []);
    expect(asked).toEqual([{ open: expect.objectContaining({ key: 'blocker-1', kind: 'blocker' }) }]);
  });

  test('another agent, or the same with twice the time, or nobody', () => {
    const other = stuck();
    other.give({ type: 'AnswerBlocker', question: 1, answer: { type: 'again', agent: 'b', longer: false } });
    expect(other.settle().row('T-1')).toMatchObject({ status: 'in_progress', owner: 'b', failures: 0, question: null });
    const same = stuck();
    same.give({ type: 'AnswerBlocker', question: 1, answer: { type: 'again', agent: null, longer: true } });
    expect(same.settle().row('T-1')).toMatchObject({
      status: 'in_progress',
      owner: 'a',
      spec: { timeout_seconds: 120 },
    });
    const nobody = stuck();
    nobody.give({ type: 'AnswerBlocker', question: 1, answer: { type: 'give-up' } });
    expect([nobody.settle().row('T-1').status, statusOf(nobody.live)]).toEqual(['failed', 'failed']);
    expect(nobody.give({ type: 'AnswerBlocker', question: 1, answer: { type: 'give-up' } })).toBe('INVALID_TRANSITION');
  });

  test('work that does not fit to the branch is such a question', () => {
    const going = new Going([task(1)]).settle();
    going.conflicts.add('T-1');
    going.report('T-1', done);
    expect(going.row('T-1')).toMatchObject({ status: 'blocked', code: 'MERGE_CONFLICT', question: 1 });
    expect(going.live.locks.size).toBe(0);
  });

  test('a merge that cannot be made is blocked, not running', () => {
    const going = new Going([task(1)]).settle();
    const work = { base: 'b', commit: 'w' };
    const rest = { proven: 1, worklog: null, usage: USAGE, activeMs: 5, work };
    going.give({ type: 'Report', task: 'T-1', attempt: 1, outcome: done, ...rest });
    const [merge] = going.owed('Perform');
    going.give({ type: 'Performed', key: merge?.key, result: { problem: 'not committed' } });
    expect([statusOf(going.live), going.live.halt?.why]).toEqual(['blocked', 'merge']);
    going.give({ type: 'Go', concurrency: null, agent: null, fallback: null });
    expect([statusOf(going.live), statusOf(going.settle().live)]).toEqual(['running', 'done']);
  });

  test('a limit that is reached begins nothing more until it is raised', () => {
    const going = new Going([task(1), task(2, { dependencies: ['T-1'] })], { limits: { costMicroUsd: 500 } }).settle();
    going.report('T-1', done);
    expect([going.row('T-2').status, going.live.halt?.why, statusOf(going.live)]).toEqual(['todo', 'limit', 'blocked']);
    expect(going.live.halt?.reason).toBe('$0.00 of $0.00 are used up');
    expect(going.give({ type: 'Raise', limits: { costMicroUsd: 500 } })).toBe('LIMIT_TOO_LOW');
    going.give({ type: 'Raise', limits: { costMicroUsd: 900 } });
    expect(going.settle().row('T-2')).toMatchObject({
      status: 'in_progress',
      begun: { limits: { costMicroUsd: 400 } },
    });
  });
});

describe('a plan that an agent makes', () => {
  const plan = (going: Going, outcome: object): string => {
    const said = going.give({ type: 'TakePlan', plan: going.live.plan.asked, outcome, usage: USAGE, activeMs: 1 });
    going.settle();
    return said;
  };
  const planned = (tasks: PlanTask[], deltas: object[] = []) => ({ status: 'planned', tasks, deltas });

  test('is taken whole, begun, and made again when tasks are blocked', () => {
    const going = new Going([], { planner: 'p' }).settle();
    expect(going.owed('Child').map((one) => 'run' in one && one.run)).toEqual(['r.plan.1']);
    expect(plan(going, planned([task(1), task(2)]))).toBe('ok');
    going.report('T-2', done);
    going.report('T-1', blocked);
    expect(going.owed('Child').map((one) => 'run' in one && one.run)).toEqual(['r.plan.2']);
    const drop = { task_id: 'T-1', status: 'canceled', owner: 'p', reason: 'not needed', delta_id: 'd' };
    plan(going, planned([task(3)], [drop]));
    expect([going.row('T-1').status, going.row('T-3').status, going.live.questions.size]).toEqual([
      'canceled',
      'in_progress',
      0,
    ]);
  });

  test('is not asked for again when a limit is used up', () => {
    const going = new Going([], { planner: 'p', limits: { tokens: 150 } }).settle();
    plan(going, planned([task(1)]));
    going.report('T-1', blocked);
    expect([going.row('T-1').status, going.owed('Child')]).toEqual(['blocked', []]);
    expect(going.give({ type: 'Plan' })).toBe('LIMIT_TOO_LOW');
    going.give({ type: 'Raise', limits: { tokens: 1_000 } });
    expect(going.settle().owed('Child')).toHaveLength(1);
  });

  test.each([
    ['a cycle', [task(1, { dependencies: ['T-2'] }), task(2, { dependencies: ['T-1'] })]],
    ['a task twice', [task(1), task(1)]],
    ['a dependency on nothing', [task(1, { dependencies: ['T-9'] })]],
  ])('with %s changes nothing, and a person is asked', (_, tasks) => {
    const going = new Going([], { planner: 'p' }).settle();
    plan(going, planned(tasks));
    expect([going.live.tasks.size, going.live.halt?.why, going.live.questions.size]).toEqual([0, 'plan', 1]);
    going.give({ type: 'Go', concurrency: null, agent: null, fallback: null });
    expect(
      going
        .settle()
        .owed('Child')
        .map((one) => 'run' in one && one.run),
    ).toEqual(['r.plan.2']);
  });
});

test('a snapshot in every moment goes on as the ledger itself does', () => {
  const going = new Going([task(1), task(2), task(3, { type: 'serial' }), task(4, { dependencies: ['T-1'] })]).settle();
  const acts = [
    () => going.report('T-1', failed),
    () => going.report('T-2', blocked),
    () => going.report('T-1', done),
    () => going.give({ type: 'AnswerBlocker', question: 1, answer: { type: 'again', agent: null, longer: true } }),
    () => going.settle(),
    () => going.report('T-3', done),
  ];
  for (const act of acts) {
    act();
    const { snapshot } = ledgerDecider;
    const copy = snapshot?.decode(JSON.parse(JSON.stringify(snapshot.encode(going.ledger)))) as Ledger;
    expect(ledgerDecider.summary(copy)).toEqual(ledgerDecider.summary(going.ledger));
    expect([...ledgerDecider.outstanding(copy)]).toEqual([...ledgerDecider.outstanding(going.ledger)]);
    expect(snapshot?.encode(copy)).toEqual(snapshot?.encode(going.ledger));
  }
});

test('a merge of which what came cannot be kept is blocked, not running', () => {
  const going = new Going([task(1)]).settle();
  const rest = { proven: 1, worklog: null, usage: USAGE, activeMs: 5, work: { base: 'b', commit: 'w' } };
  going.give({ type: 'Report', task: 'T-1', attempt: 1, outcome: done, ...rest });
  const [merge] = going.owed('Perform');
  going.give({ type: 'Failed', key: merge?.key, failure: 'refused', reason: 'cannot be kept', usage: USAGE });
  expect([statusOf(going.live), going.live.halt?.why]).toEqual(['blocked', 'merge']);
  going.give({ type: 'Go', concurrency: null, agent: null, fallback: null });
  expect([statusOf(going.live), statusOf(going.settle().live)]).toEqual(['running', 'done']);
});
