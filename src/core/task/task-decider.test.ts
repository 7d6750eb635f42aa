import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../kernel/effect.js';
import { taskDecider } from './task-decider.js';
import type { TaskCommand, TaskEvent } from './task-messages.js';
import type { TaskOrder } from './task-order.js';
import type { LiveTask, TaskRun } from './task-state.js';

const BODY = { sha256: 'ab', bytes: 2 };
const USAGE = { inputTokens: 10, outputTokens: 5, costMicroUsd: 100 };
const ORDER: TaskOrder = {
  ...{ ledger: 'r', attempt: 1, agent: 'a', objective: 'all', context: [], othersLocks: [], worklog: [] },
  ...{ repository: { folder: '/r' }, project: 'r', env: [], network: [], limits: {}, room: 4 },
  spec: {
    ...{
      task_id: 'T-1',
      title: 'one',
      type: 'parallelizable',
      dependencies: [],
      lock_scope: ['a'],
      forbidden_scope: [],
    },
    ...{ acceptance_criteria: ['ok'], worklog_path: 'w', timeout_seconds: 60, heartbeat_interval_seconds: 5 },
  },
};
const WANTED = { kind: 'exec', what: 'curl x', cwd: '/w', why: null, hash: 'h' } as const;
const READING = {
  ...{ outcome: { status: 'done' }, commit: 'w', changed: { files: 1, added: 1, removed: 0 }, result: BODY },
  ...{ worklog: BODY, proven: 1, reported: null, warnings: [] },
} as const;

class Attempt {
  task: TaskRun = taskDecider.initialState();
  readonly events: TaskEvent[] = [];

  constructor(...commands: object[]) {
    for (const command of commands) this.give(command);
  }

  give(command: object, atMs = 1_000): string[] {
    const decision = taskDecider.decide(this.task, { atMs, ...command } as TaskCommand);
    if ('refusal' in decision) return [decision.refusal.code];
    for (const event of decision.events) this.task = taskDecider.evolve(this.task, event);
    this.events.push(...decision.events);
    return decision.events.map(({ type }) => type);
  }

  get stage(): LiveTask['stage'] {
    return (this.task as LiveTask).stage;
  }

  get owed(): string[] {
    return [...taskDecider.outstanding(this.task)].map((effect) => `${effect.type} ${effect.key}`);
  }

  get told(): object | undefined {
    return this.stage.name === 'reporting' ? this.stage.report : undefined;
  }
}

const begin = { type: 'Begin', order: ORDER };
const prepared = { type: 'Performed', key: 'workspace', result: { folder: '/w', branch: 'b', base: 'b', notes: [] } };
const admitted = { type: 'Admitted', key: 'admit-1' };
const answered = { type: 'Answered', key: 'h1', answer: BODY, usage: USAGE };
const collected = { type: 'Performed', key: 'collect', result: READING };
const told = { type: 'Told', key: 'report', accepted: true };
const failure = (kind: string, more: object = {}) => ({
  type: 'Failed',
  key: 'h1',
  failure: kind,
  reason: 'why',
  usage: USAGE,
  ...more,
});
const asking = (): Attempt => new Attempt(begin, prepared, admitted);

test('a workspace, one handoff, and what is told of it', () => {
  const attempt = new Attempt(begin);
  expect(attempt.owed).toEqual(['Perform workspace']);
  attempt.give(prepared);
  expect(attempt.owed).toEqual(['Admit admit-1']);
  attempt.give(admitted);
  expect([...taskDecider.outstanding(attempt.task)]).toMatchObject([
    { type: 'Ask', agent: 'a', attempt: 1, silence: { maxMs: 60_000, beat: { run: 'r', task: 'T-1' } } },
  ]);
  attempt.give(answered);
  attempt.give(collected);
  expect(attempt.told).toMatchObject({
    task: 'T-1',
    attempt: 1,
    work: { base: 'b', commit: 'w' },
    proven: 1,
    usage: USAGE,
  });
  expect(attempt.give(told)).toEqual(['TaskEnded']);
  expect([attempt.owed, taskDecider.summary(attempt.task)]).toMatchObject([
    [],
    { ended: true, owes: false, parent: 'r', tokens: 15 },
  ]);
});

describe('an ask without an answer', () => {
  test.each([
    ['timeout', { status: 'blocked', code: 'TASK_TIMEOUT', reason: 'a why' }],
    ['crash', { status: 'failed', code: 'AGENT_FAILED', reason: 'a: why' }],
    ['not-found', { status: 'failed', code: 'AGENT_NOT_FOUND' }],
    ['auth', { status: 'blocked', code: 'TASK_BLOCKED' }],
    ['disk-full', { status: 'blocked', code: 'TASK_BLOCKED' }],
  ])('because of %s is told', (kind, outcome) => {
    const attempt = asking();
    attempt.give(failure(kind));
    expect(attempt.told).toMatchObject({ outcome, work: null, usage: USAGE });
  });

  test('because of the network is asked again, three times', () => {
    const attempt = asking();
    for (let tries = 1; tries <= 3; tries += 1) {
      attempt.give(failure('network'));
      expect(attempt.stage.name).toBe('pausing');
      attempt.give({ type: 'Woke', key: 'x' }, 1_000_000);
      attempt.give({ type: 'Admitted', key: `admit-${tries + 1}` }, 1_000_000);
    }
    attempt.give(failure('network'));
    expect(attempt.told).toMatchObject({ outcome: { code: 'AGENT_FAILED' }, usage: { inputTokens: 40 } });
  });

  test('because of a lost owner is asked again at once, and no try is counted', () => {
    const attempt = asking();
    attempt.give({ type: 'Lost', key: 'h1', usage: USAGE, thread: 't' });
    expect([attempt.owed, (attempt.task as LiveTask).repeats, (attempt.task as LiveTask).thread]).toEqual([
      ['Admit admit-2'],
      0,
      't',
    ]);
  });

  test('because a write was refused is a violation', () => {
    const attempt = asking();
    attempt.give(failure('crash', { reason: 'exit 1: touch: cannot touch ‘b’: Read-only file system' }));
    expect(attempt.told).toMatchObject({
      outcome: { code: 'SCOPE_VIOLATION', reason: 'wrote b, outside a (write refused)' },
    });
  });
});

test('what it asks for waits for a person, and is bound to the question', () => {
  const attempt = asking();
  attempt.give({ type: 'Asks', key: 'h1', wanted: WANTED, usage: NO_USAGE, thread: 't' });
  expect(attempt.owed).toEqual(['Notify notify-1']);
  attempt.give({ type: 'Notified', key: 'notify-1' });
  expect([attempt.owed, taskDecider.summary(attempt.task).owes]).toEqual([[], false]);
  expect(attempt.give({ type: 'Decide', question: 2, decision: 'approved', guidance: null })).toEqual([
    'INVALID_TRANSITION',
  ]);
  attempt.give({ type: 'Decide', question: 1, decision: 'approved', guidance: null });
  attempt.give({ type: 'Admitted', key: 'admit-2' });
  expect([...taskDecider.outstanding(attempt.task)]).toMatchObject([
    { type: 'Ask', thread: 't', verdict: { hash: 'h', decision: 'approved' } },
  ]);
});

describe('an attempt that is stopped', () => {
  test('ends whoever works first, and counts what was used', () => {
    const attempt = asking();
    attempt.give({ type: 'Stop', reason: 'no need' });
    expect(attempt.owed).toEqual(['Perform spent']);
    expect(attempt.give(answered), 'it is too late').toEqual([]);
    attempt.give({ type: 'Performed', key: 'spent', result: { usage: USAGE } });
    expect(taskDecider.summary(attempt.task)).toMatchObject({ status: 'stopped', ended: true, tokens: 15 });
  });

  test('in any other moment has ended, and tells nothing', () => {
    const stages = [new Attempt(begin), new Attempt(begin, prepared), new Attempt(begin, prepared, admitted, answered)];
    for (const attempt of [...stages, new Attempt(begin, prepared, admitted, answered, collected)]) {
      attempt.give({ type: 'Stop', reason: 'no need' });
      expect([attempt.owed, attempt.stage.name]).toEqual([[], 'ended']);
      expect(attempt.give({ type: 'Stop', reason: 'again' })).toEqual([]);
    }
  });
});

test.each([
  ['workspace', () => new Attempt(begin)],
  ['collect', () => new Attempt(begin, prepared, admitted, answered)],
  ['spent', () => new Attempt(begin, prepared, admitted, { type: 'Stop', reason: 'enough' })],
] as const)('%s that failed for good is told, or is over', (key, way) => {
  const attempt = way();
  expect(attempt.owed).toEqual([`Perform ${key}`]);
  attempt.give(failure('refused', { key }));
  expect(['reporting', 'ended']).toContain(attempt.stage.name);
});
