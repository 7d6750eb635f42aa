import { describe, expect, test } from 'vitest';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { NO_USAGE } from '../kernel/effect.js';
import { decideLedger } from './ledger-decide.js';
import { ledgerDecider } from './ledger-decider.js';
import { evolveLedger } from './ledger-evolve.js';
import type { LedgerCommand, LedgerOrder } from './ledger-messages.js';
import type { Ledger, LiveLedger } from './ledger-state.js';
import { TASK_STATUSES, type TaskStatus } from './task-status.js';

const ORDER: LedgerOrder = {
  ...{ run: 'r', objective: 'Do it', constraints: {}, concurrency: 4, context: [], repository: '/r', project: 'r' },
  ...{ agent: 'a', fallback: null, planner: null, env: [], network: [], limits: {} },
};

function task(id: string, more: Partial<PlanTask> = {}): PlanTask {
  return {
    ...{ task_id: id, title: id, type: 'parallelizable', dependencies: [], lock_scope: [id], forbidden_scope: [] },
    ...{ acceptance_criteria: ['it works'], worklog_path: `w/${id}.jsonl` },
    ...{ timeout_seconds: 60, heartbeat_interval_seconds: 5 },
    ...more,
  };
}

type Timeless = LedgerCommand extends infer Command ? (Command extends unknown ? Omit<Command, 'atMs'> : never) : never;

/** Gives commands to a ledger, and what was refused by its code. */
class Played {
  ledger: Ledger = { status: 'new' };
  atMs = 1_000;

  constructor(...tasks: PlanTask[]) {
    this.give({ type: 'Open', order: ORDER, tasks });
  }

  give(command: Timeless): string {
    const decision = decideLedger(this.ledger, { ...command, atMs: this.atMs } as LedgerCommand);
    if ('refusal' in decision) return decision.refusal.code;
    for (const event of decision.events) this.ledger = evolveLedger(this.ledger, event);
    return 'ok';
  }

  get live(): LiveLedger {
    if (this.ledger.status === 'new') throw new Error('not open');
    return this.ledger;
  }

  statusOf(id: string): string {
    return this.live.tasks.get(id)?.status ?? 'none';
  }
}

const done = { status: 'done' } as const;
const shown = { proven: 0, worklog: null };
const failed = (code: 'ACCEPTANCE_FAILED' | 'SCOPE_VIOLATION' = 'ACCEPTANCE_FAILED') =>
  ({ status: 'failed', code, reason: 'no' }) as const;
const delta = (status: TaskStatus, id = `d-${status}`) =>
  ({ task_id: 'T-1', status, owner: 'eva', reason: 'said so', delta_id: id }) as const;

/** How a task comes to each status. */
const WAYS: Readonly<Record<TaskStatus, (played: Played) => void>> = {
  todo: () => {},
  in_progress: (played) => played.give({ type: 'Assign', task: 'T-1', owner: 'a' }),
  blocked: (played) => played.give({ type: 'TakeDelta', delta: delta('blocked', 'way'), base: null }),
  done: (played) => {
    played.give({ type: 'Assign', task: 'T-1', owner: 'a' });
    played.give({ type: 'HandIn', task: 'T-1', epoch: null, outcome: done, shown });
  },
  failed: (played) => played.give({ type: 'TakeDelta', delta: delta('failed', 'way'), base: null }),
  canceled: (played) => played.give({ type: 'TakeDelta', delta: delta('canceled', 'way'), base: null }),
};
const HAND_IN = { type: 'HandIn', task: 'T-1', epoch: null, shown } as const;
const COMMANDS = {
  assign: { type: 'Assign', task: 'T-1', owner: 'b' },
  claim: { type: 'Claim', owner: 'b' },
  done: { ...HAND_IN, outcome: done },
  failed: { ...HAND_IN, outcome: failed() },
  'failed for good': { ...HAND_IN, outcome: failed('SCOPE_VIOLATION') },
  blocked: { ...HAND_IN, outcome: { status: 'blocked', code: 'LOCK_CONFLICT', reason: 'no' } },
  ...Object.fromEntries(
    TASK_STATUSES.map((status) => [`delta ${status}`, { type: 'TakeDelta', delta: delta(status), base: null }]),
  ),
  silence: { type: 'Tick', beats: {} },
} as const satisfies Record<string, Timeless>;
type Name = keyof typeof COMMANDS;
const NO = 'INVALID_TRANSITION';
const OF_FINAL = (status: TaskStatus): Readonly<Record<string, string>> => ({
  ...{ assign: NO, claim: status, done: NO, failed: NO, 'failed for good': NO, blocked: NO, silence: status },
  ...Object.fromEntries(TASK_STATUSES.map((to) => [`delta ${to}`, to === status ? status : NO])),
});

/** Every status with every command: the status that follows, or the code of the refusal. */
const CELLS: Readonly<Record<TaskStatus, Readonly<Record<string, string>>>> = {
  todo: {
    ...{ assign: 'in_progress', claim: 'in_progress', done: NO, failed: NO, 'failed for good': NO, blocked: NO },
    ...{ 'delta todo': 'todo', 'delta in_progress': 'in_progress', 'delta blocked': 'blocked' },
    ...{ 'delta done': NO, 'delta failed': 'failed', 'delta canceled': 'canceled', silence: 'todo' },
  },
  in_progress: {
    ...{ assign: NO, claim: 'in_progress', done: 'done', failed: 'todo', 'failed for good': 'failed' },
    ...{ blocked: 'blocked', 'delta todo': NO, 'delta in_progress': 'in_progress', 'delta blocked': 'blocked' },
    ...{
      'delta done': 'ACCEPTANCE_FAILED',
      'delta failed': 'failed',
      'delta canceled': 'canceled',
      silence: 'blocked',
    },
  },
  blocked: {
    ...{ assign: 'in_progress', claim: 'blocked', done: NO, failed: NO, 'failed for good': NO, blocked: NO },
    ...{ 'delta todo': 'todo', 'delta in_progress': 'in_progress', 'delta blocked': 'blocked' },
    ...{ 'delta done': NO, 'delta failed': 'failed', 'delta canceled': 'canceled', silence: 'blocked' },
  },
  done: OF_FINAL('done'),
  failed: OF_FINAL('failed'),
  canceled: OF_FINAL('canceled'),
};

describe.each(TASK_STATUSES)('a task that is %s', (status) => {
  test.each(Object.keys(COMMANDS) as Name[])('%s', (name) => {
    const played = new Played(task('T-1'));
    WAYS[status](played);
    expect(played.statusOf('T-1')).toBe(status);
    played.atMs += 61_000;
    const said = played.give(COMMANDS[name]);
    expect(said === 'ok' ? played.statusOf('T-1') : said).toBe(CELLS[status][name]);
    const { active, locks, counts } = played.live;
    expect([active.size, locks.size > 0]).toEqual([counts.in_progress, counts.in_progress > 0]);
  });
});

test('dependencies, paths and loneliness are kept; who waits is told for whom', () => {
  const played = new Played(
    task('T-1', { lock_scope: ['src'] }),
    task('T-2', { lock_scope: ['src/api'] }),
    task('T-3', { dependencies: ['T-1'] }),
    task('T-4', { type: 'serial' }),
  );
  expect(played.give({ type: 'Assign', task: 'T-1', owner: 'a' })).toBe('ok');
  expect(played.give({ type: 'Assign', task: 'T-2', owner: 'a' })).toBe('LOCK_CONFLICT');
  expect(played.give({ type: 'Assign', task: 'T-3', owner: 'a' })).toBe('INVALID_TRANSITION');
  expect(played.give({ type: 'Assign', task: 'T-4', owner: 'a' })).toBe('LOCK_CONFLICT');
  expect(played.give({ type: 'Assign', task: 'T-9', owner: 'a' })).toBe('LEDGER_INCONSISTENT');
  expect(played.give({ ...HAND_IN, outcome: done })).toBe('ok');
  expect(played.give({ type: 'Assign', task: 'T-4', owner: 'a' })).toBe('ok');
  expect(played.give({ type: 'Assign', task: 'T-3', owner: 'a' })).toBe('LOCK_CONFLICT');
  expect([...played.live.locks.all()]).toEqual([{ task: 'T-4', resource: 'T-4' }]);
});

test('a claim is fenced: who was paused beyond the time-out hands in nothing', () => {
  const played = new Played(task('T-1'));
  played.give({ type: 'Claim', owner: 'first' });
  played.atMs += 61_000;
  played.give({ type: 'Tick', beats: {} });
  played.give({ type: 'TakeDelta', delta: delta('todo'), base: null });
  played.give({ type: 'Claim', owner: 'second' });
  expect(played.give({ ...HAND_IN, epoch: 1, outcome: done })).toBe('HANDOFF_LOST');
  expect(played.give({ ...HAND_IN, outcome: done })).toBe('HANDOFF_LOST');
  expect(played.give({ ...HAND_IN, epoch: 2, outcome: done })).toBe('ok');
  expect(played.give({ ...HAND_IN, epoch: 2, outcome: done })).toBe('INVALID_TRANSITION');
});

test('deltas: repeats count once, other content is refused, an old base too, and only todo creates', () => {
  const played = new Played(task('T-1'));
  const take = (one: object, base: number | null = null) =>
    played.give({ type: 'TakeDelta', delta: one, base } as Timeless);
  expect(take(delta('blocked', 'x'))).toBe('ok');
  const { version } = played.live;
  expect([take(delta('blocked', 'x')), played.live.version]).toEqual(['ok', version]);
  expect(take(delta('failed', 'x'))).toBe('KEY_REUSED');
  expect(take(delta('todo', 'y'), version - 1)).toBe('CONCURRENCY_CONFLICT');
  expect(take(delta('todo', 'y'), version)).toBe('ok');
  expect(take({ ...delta('blocked', 'z'), task_id: 'T-7' })).toBe('LEDGER_INCONSISTENT');
  expect(take({ ...delta('todo', 'z'), task_id: 'T-7' })).toBe('ok');
  expect(played.live.tasks.get('T-7')?.spec).toMatchObject({ type: 'serial', lock_scope: ['.'] });
});

test('it rests when nobody is at work, whatever time they would have had', () => {
  const played = new Played(task('T-1'), task('T-2'));
  const wakesAt = () => ledgerDecider.summary(played.live).wakeAtMs;
  const handIn = (id: string, epoch: number) => played.give({ type: 'HandIn', task: id, epoch, outcome: done, shown });
  for (const owner of ['a', 'b']) played.give({ type: 'Claim', owner });
  const lookMs = wakesAt();
  expect([handIn('T-1', 1), wakesAt()]).toEqual(['ok', lookMs]);
  expect(lookMs).toBeGreaterThan(played.atMs);
  expect([handIn('T-2', 2), wakesAt()]).toEqual(['ok', null]);
});

test('what fails is tried once more, not before its time, and then is failed', () => {
  const played = new Played(task('T-1'));
  const fail = () =>
    played.give({ type: 'HandIn', task: 'T-1', epoch: 1, outcome: { ...failed(), retryAfterMs: 5_000 }, shown });
  played.give({ type: 'Claim', owner: 'a' });
  fail();
  played.give({ type: 'Claim', owner: 'a' });
  expect([played.statusOf('T-1'), played.live.tasks.get('T-1')?.code]).toEqual(['todo', 'ACCEPTANCE_FAILED']);
  played.atMs += 5_000;
  played.give({ type: 'Tick', beats: {} });
  played.give({ type: 'Claim', owner: 'a' });
  expect(played.give({ type: 'HandIn', task: 'T-1', epoch: 2, outcome: failed(), shown })).toBe('ok');
  expect(played.statusOf('T-1')).toBe('failed');
});

test('what a delta sends back waits as long as the delta says', () => {
  const played = new Played(task('T-1'));
  played.give({ type: 'TakeDelta', delta: delta('blocked'), base: null });
  played.give({ type: 'TakeDelta', delta: { ...delta('todo'), retry_after_ms: 5_000 }, base: null });
  played.give({ type: 'Claim', owner: 'a' });
  expect([played.statusOf('T-1'), played.live.tasks.get('T-1')?.notBeforeMs]).toEqual(['todo', 6_000]);
  played.atMs += 5_000;
  played.give({ type: 'Tick', beats: {} });
  played.give({ type: 'Claim', owner: 'a' });
  expect(played.statusOf('T-1')).toBe('in_progress');
});

test('a look for heartbeats that failed for good is not owed again', () => {
  const failed = { type: 'Failed', failure: 'refused', reason: 'cannot be kept', usage: NO_USAGE } as const;
  const owed = (played: Played) => [...ledgerDecider.outstanding(played.live)].map(({ key }) => key);
  const watching = new Played(task('T-1'));
  WAYS.in_progress(watching);
  watching.atMs += 30_000;
  const watch = owed(watching).find((key) => key.startsWith('watch-')) ?? '';
  watching.atMs = Number(watch.slice('watch-'.length));
  watching.give({ type: 'Woke', key: watch });
  const beats = owed(watching).find((key) => key.startsWith('beats-')) ?? '';
  expect(beats).not.toBe('');
  watching.give({ ...failed, key: beats });
  expect(owed(watching)).not.toContain(beats);
});
