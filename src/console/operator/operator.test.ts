import { describe, expect, test } from 'vitest';
import type { BoardAttempt, BoardRow, LedgerBoard, LedgerTask } from '../../client/index.js';
import { type BoardTask, heldUpBy, inStateOrder, tasksOf } from './board-task.js';
import { barsOf, edgesOf } from './gantt-bars.js';
import { meanwhile, percent, stateWords, troubleOf } from './ledger-words.js';
import { lockRows } from './lock-rows.js';
import { plannedTimes } from './planned-times.js';
import { deadlineMs, placeOf, timeScale } from './time-scale.js';

const MINUTE = 60_000;
const at = (minute: number): string => new Date(minute * MINUTE).toISOString();

function attempt(
  from: number,
  to: number | null,
  end: BoardAttempt['end'] = to === null ? null : 'done',
): BoardAttempt {
  return {
    attempt: 1,
    owner: 'codex',
    run_id: null,
    from: at(from),
    to: to === null ? null : at(to),
    end,
    code: end === 'again' ? 'TASK_TIMEOUT' : null,
  };
}

function task(task_id: string, given: Partial<LedgerTask & BoardRow> = {}): BoardTask {
  return {
    ...{
      task_id,
      title: task_id,
      status: 'todo',
      owner: 'codex',
      attempt: 1,
      code: null,
      reason: null,
      dependencies: [],
      lock_scope: [task_id],
    },
    ...{
      priority: 'normal',
      type: 'parallelizable',
      agent: null,
      forbidden_scope: [],
      timeout_seconds: 300,
      heartbeat_at: null,
    },
    ...{ waits_for: [], criteria: { proven: 0, of: 1 }, commit: null, attempts: [], item: null },
    ...given,
  };
}

function board(tasks: readonly BoardTask[], status: LedgerBoard['ledger']['status'] = 'running'): LedgerBoard {
  const active_locks = tasks
    .filter((one) => one.status === 'in_progress')
    .flatMap(({ task_id, lock_scope }) => lock_scope.map((resource) => ({ task_id, resource, active: true as const })));
  return {
    ledger: { run_id: 'r', status, version: 1, tasks, active_locks, blockers: [] },
    ...{
      objective: 'o',
      repository: '/r',
      branch: 'baton/r',
      opened_at: at(0),
      at: at(10),
      rested_at: null,
      cost_usd: 0,
      tokens: 0,
    },
    ...{
      rows: tasks,
      metrics: { packets_valid: null, lock_conflicts: null, first_pass: null, retry_success: null },
      issues: [],
    },
  };
}

describe('tasks of a board', () => {
  test('stand by state: who needs somebody first, who is over last', () => {
    const tasks = [
      task('a', { status: 'done' }),
      task('b'),
      task('c', { status: 'blocked' }),
      task('d', { status: 'in_progress' }),
    ];
    expect(inStateOrder(tasks)).toEqual(['c', 'd', 'b', 'a']);
  });

  test('wait for what they depend on when the board does not tell what for', () => {
    const tasks = [task('a', { status: 'done' }), task('b'), task('c', { dependencies: ['a', 'b'] })];
    expect(tasksOf(board(tasks)).at(-1)?.waits_for).toEqual([{ task_id: 'b' }]);
  });

  test('hold up all that need them, also through others, but nothing that is over', () => {
    const tasks = [
      task('a', { status: 'blocked' }),
      task('b', { dependencies: ['a'] }),
      task('c', { dependencies: ['b'] }),
    ];
    const over = task('d', { dependencies: ['a'], status: 'done' });
    expect(heldUpBy([...tasks, over], 'a')).toEqual(['b', 'c']);
    expect(heldUpBy(tasks, 'c')).toEqual([]);
  });
});

describe('the axis of time', () => {
  const given = { openedMs: 0, restedMs: null, nowMs: 60 * MINUTE, aheadMs: 0 };

  test('has room for what is expected, up to half of what is past', () => {
    const until = (aheadMs: number): number => timeScale({ ...given, aheadMs }).toMs / MINUTE;
    expect(until(70 * MINUTE)).toBeCloseTo(70);
    expect(until(600 * MINUTE)).toBeCloseTo(90);
    expect(until(0)).toBeGreaterThan(60);
  });

  test('has at most seven marks, at round times', () => {
    for (const minutes of [0.1, 1, 7, 59, 600, 6_000, 600_000]) {
      const { ticks } = timeScale({ ...given, nowMs: minutes * MINUTE });
      expect(ticks.length, `${minutes} min`).toBeGreaterThanOrEqual(2);
      expect(ticks.length, `${minutes} min`).toBeLessThanOrEqual(7);
    }
    expect(timeScale({ ...given, nowMs: 59 * MINUTE }).ticks.every(({ ms }) => ms % (10 * MINUTE) === 0)).toBe(true);
  });

  test('ends where the run ended, and has no now then', () => {
    const scale = timeScale({ ...given, restedMs: 10 * MINUTE });
    expect(scale).toMatchObject({ over: true, nowMs: 10 * MINUTE });
    expect(placeOf(scale, 60 * MINUTE)).toBe(1);
  });
});

describe('the bars of a task', () => {
  const scale = timeScale({ openedMs: 0, restedMs: null, nowMs: 10 * MINUTE, aheadMs: 15 * MINUTE });
  const kinds = (one: BoardTask, planned?: { fromMs: number; toMs: number }) =>
    barsOf(one, scale, planned).bars.map(({ kind }) => kind);

  test('say how each attempt ended, and what holds it now', () => {
    expect(kinds(task('a', { status: 'done', attempts: [attempt(1, 2, 'again'), attempt(2, 3)] }))).toEqual([
      'bad',
      'done',
    ]);
    expect(kinds(task('a', { status: 'blocked', attempts: [attempt(1, 2, 'blocked')] }))).toEqual(['bad', 'held']);
    expect(kinds(task('a', { status: 'in_progress', attempts: [attempt(1, null)] }))).toEqual(['run', 'left']);
    expect(kinds(task('a'), { fromMs: 11 * MINUTE, toMs: 12 * MINUTE })).toEqual(['planned']);
    expect(kinds(task('a'), { fromMs: 60 * MINUTE, toMs: 61 * MINUTE }), 'out of sight').toEqual([]);
  });

  test('end where somebody who is silent is given up: counted from the last heartbeat', () => {
    const running = task('a', { status: 'in_progress', attempts: [attempt(1, null)], heartbeat_at: at(9) });
    expect(deadlineMs(running)).toBe(14 * MINUTE);
    expect(barsOf(running, scale, undefined).deadline).toBeCloseTo(placeOf(scale, 14 * MINUTE));
    expect(barsOf({ ...running, timeout_seconds: 9_000 }, scale, undefined).deadline, 'out of sight').toBeNull();
  });

  test('are joined where work ended, not where time would run out', () => {
    const running = barsOf(task('a', { status: 'in_progress', attempts: [attempt(1, null)] }), scale, undefined);
    expect(edgesOf(running)?.to).toBeCloseTo(placeOf(scale, 10 * MINUTE));
    expect(edgesOf(barsOf(task('a'), scale, undefined))).toBeNull();
  });
});

describe('what is planned', () => {
  const done = task('d', { status: 'done', attempts: [attempt(0, 4)] });

  test('begins when what it waits for might be over, and takes as long as tasks took', () => {
    const running = task('r', { status: 'in_progress', attempts: [attempt(8, null)] });
    const tasks = [
      task('b', { waits_for: [{ task_id: 'a' }] }),
      task('a', { waits_for: [{ task_id: 'r' }] }),
      running,
      done,
    ];
    const planned = plannedTimes(tasks, 10 * MINUTE);
    expect(planned.get('a')).toEqual({ fromMs: 12 * MINUTE, toMs: 16 * MINUTE });
    expect(planned.get('b')).toEqual({ fromMs: 16 * MINUTE, toMs: 20 * MINUTE });
  });

  test('is not guessed at behind a failure, nor before anything was done', () => {
    expect(
      plannedTimes([done, task('f', { status: 'failed' }), task('a', { waits_for: [{ task_id: 'f' }] })], 0).has('a'),
    ).toBe(false);
    expect(plannedTimes([task('a')], 0).size).toBe(0);
  });

  test('comes to an end for a chain of ten thousand, and for a circle', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) =>
      task(`T-${index}`, { waits_for: [{ task_id: `T-${index + 1}` }] }),
    );
    expect(plannedTimes([...chain, task('T-10000'), done], 0).size).toBe(10_001);
    const circle = [task('a', { waits_for: [{ task_id: 'b' }] }), task('b', { waits_for: [{ task_id: 'a' }] }), done];
    expect(() => plannedTimes(circle, 0)).not.toThrow();
  });
});

describe('the tree of locks', () => {
  const rowsOf = (tasks: readonly BoardTask[]) => lockRows(board(tasks), tasks);

  test('writes folders that hold nothing else in one line, and levels below', () => {
    const tasks = [
      task('a', { status: 'in_progress', lock_scope: ['src/api/v1', 'src/api/v2'], forbidden_scope: ['infra'] }),
      task('b', { lock_scope: ['SRC/api'], waits_for: [{ task_id: 'a', resource: 'src/api/v1' }] }),
    ];
    expect(
      rowsOf(tasks).map(({ name, level, holder, wantedBy, forbiddenTo }) => [
        name,
        level,
        holder?.task ?? null,
        wantedBy,
        forbiddenTo,
      ]),
    ).toEqual([
      ['SRC/api', 1, null, ['b'], []],
      ['infra', 1, null, [], ['a']],
      ['src/api', 1, null, [], []],
      ['v1', 2, 'a', [], []],
      ['v2', 2, 'a', [], []],
    ]);
  });

  test('knows who had a path before, and everything as a path', () => {
    const tasks = [
      task('a', { status: 'in_progress', lock_scope: ['.'], attempts: [attempt(1, null)] }),
      task('b', { status: 'blocked', lock_scope: ['x'], attempts: [attempt(0, 1, 'blocked')] }),
    ];
    expect(rowsOf(tasks)).toMatchObject([
      { path: '.', name: '. (everything)', level: 1, holder: { task: 'a', since: at(1) } },
      { path: 'x', level: 2, released: { task: 'b', blocked: true } },
    ]);
  });
});

describe('sentences', () => {
  test('say what happened to a task, how often, and what that means for others', () => {
    const blocked = task('T-6', {
      status: 'blocked',
      code: 'TASK_TIMEOUT',
      attempts: [attempt(0, 1, 'again'), attempt(1, 2, 'again')],
    });
    expect(troubleOf(blocked)).toBe('T-6 timed out twice');
    expect(troubleOf({ ...blocked, code: 'STORE_FULL' })).toBe('T-6 is blocked');
    const others = [blocked, task('T-7', { status: 'in_progress' }), task('T-9', { dependencies: ['T-6'] })];
    expect(meanwhile(others, blocked)).toBe('One task goes on meanwhile; T-9 cannot start without it.');
    expect(meanwhile([blocked], blocked)).toBe('Nothing else is at work; nothing waits for it.');
  });

  test.each([
    ['running', 'One task is at work, 1 waits.'],
    ['done', 'Every task is done, and its work is on baton/r.'],
    ['blocked', 'Nothing can begin before what is blocked goes on.'],
    ['failed', 'f wrote outside of its paths.'],
    ['todo', 'Nothing was begun yet.'],
  ] as const)('say how a run stands that is %s', (status, words) => {
    const tasks = [
      task('a', { status: 'in_progress' }),
      task('b'),
      task('f', { status: 'failed', code: 'SCOPE_VIOLATION' }),
    ];
    expect(stateWords(board(tasks, status), tasks)).toBe(words);
  });

  test('never round a miss into a hit', () => {
    expect(percent({ key: 'first_pass' }, 0.849)).toBe('84 %');
    expect(percent({ key: 'first_pass' }, 0.29)).toBe('29 %');
    expect(percent({ key: 'lock_conflicts' }, 0.0501)).toBe('6 %');
    expect(percent({ key: 'lock_conflicts' }, 0.07)).toBe('7 %');
  });
});
