import { beforeEach, describe, expect, test } from 'vitest';
import { LedgerStage, statuses } from './ledger-stage.js';

let stage: LedgerStage;
beforeEach(() => {
  stage = new LedgerStage();
});

async function opened(...tasks: Parameters<LedgerStage['plan']>[0][number][]): Promise<void> {
  expect((await stage.operator('init', stage.plan(tasks))).exit).toBe(0);
}

const refusal = (printed: object): unknown => (printed as { code?: string }).code;

describe('a plan that contradicts itself opens nothing', () => {
  test.each([
    [
      'LEDGER_INCONSISTENT',
      'a cycle',
      (s: LedgerStage) => [s.task(1, ['a'], { dependencies: ['T-2'] }), s.task(2, ['b'], { dependencies: ['T-1'] })],
    ],
    ['LEDGER_INCONSISTENT', 'a missing dependency', (s: LedgerStage) => [s.task(1, ['a'], { dependencies: ['T-9'] })]],
    ['LEDGER_INCONSISTENT', 'a self dependency', (s: LedgerStage) => [s.task(1, ['a'], { dependencies: ['T-1'] })]],
    ['LEDGER_INCONSISTENT', 'a double id', (s: LedgerStage) => [s.task(1, ['a']), s.task(1, ['b'])]],
    ['LOCK_CONFLICT', 'an overlap inside one task', (s: LedgerStage) => [s.task(1, ['src', 'src/a.js'])]],
    ['LOCK_CONFLICT', 'the same in other case', (s: LedgerStage) => [s.task(1, ['src', 'SRC/a.js'])]],
    ['SCHEMA_INVALID', 'a glob', (s: LedgerStage) => [s.task(1, ['src/*.js'])]],
    ['SCHEMA_INVALID', 'a way out', (s: LedgerStage) => [s.task(1, ['../x'])]],
    ['AGENT_NOT_FOUND', 'an unknown agent', (s: LedgerStage) => [s.task(1, ['a'], { agent: 'nobody' })]],
  ] as const)('%s for %s', async (code, _, tasks) => {
    const { exit, printed } = await stage.operator('init', stage.plan(tasks(stage)));
    expect([exit, refusal(printed)]).toEqual([1, code]);
    expect((await stage.json('runs', '--kind', 'ledger')).printed.items).toEqual([]);
  });
});

test('a run led by hand: packets, results held against them, final entries [R449, R450]', {
  timeout: 120_000,
}, async () => {
  const [one, two, three] = [stage.task(1, ['src/']), stage.task(2, ['src/a.js']), stage.task(3, ['docs/'])];
  await opened(one, two, three);
  const packet = (await stage.json('operator', 'assign', stage.run, 'T-1', '--owner', 'eva')).printed;
  expect(packet).toMatchObject({
    packet_type: 'assignment',
    run_id: stage.run,
    required_output_schema: 'subagent_result_v1',
  });
  expect(refusal((await stage.json('operator', 'assign', stage.run, 'T-2', '--owner', 'ben')).printed)).toBe(
    'LOCK_CONFLICT',
  );
  const hand = async (value: unknown, ...more: string[]) =>
    stage.operator('result', stage.run, stage.payload('result.json', value), ...more);
  expect(refusal((await hand(stage.result(one, { acceptance_check: [] }))).printed)).toBe('ACCEPTANCE_FAILED');
  expect(refusal((await hand(stage.result(one, { changes: [{ resource: 'docs/x', action: 'edit' }] }))).printed)).toBe(
    'SCOPE_VIOLATION',
  );
  expect(refusal((await hand(stage.result(one, { run_id: '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4' }))).printed)).toBe(
    'NON_COMPLIANT',
  );
  expect(
    refusal((await hand(stage.result(one, { notes_for_orchestrator: ['key AKIAABCDEFGHIJKLMNOP'] }))).printed),
  ).toBe('UNTRUSTED_CONTEXT_BLOCK');
  expect(refusal((await hand(stage.result(three))).printed), 'nobody works on it').toBe('INVALID_TRANSITION');
  expect(statuses((await stage.ledger()).tasks), 'nothing has moved').toEqual({
    'T-1': 'in_progress',
    'T-2': 'todo',
    'T-3': 'todo',
  });
  expect((await hand(stage.result(one))).exit).toBe(0);
  expect(refusal((await hand(stage.result(one))).printed), 'a second one').toBe('INVALID_TRANSITION');

  const claim = (await stage.json('operator', 'claim', stage.run, '--owner', 'ben')).printed as {
    epoch: number;
    assignment: { task: { task_id: string } };
  };
  expect([claim.epoch, claim.assignment.task.task_id]).toEqual([1, 'T-3']);
  const blocked = stage.result(three, {
    status: 'blocked',
    acceptance_check: [],
    notes_for_orchestrator: ['I need a key'],
  });
  expect(refusal((await hand(blocked)).printed), 'without its number').toBe('HANDOFF_LOST');
  expect(refusal((await stage.operator('heartbeat', stage.run, 'T-3', '--epoch', '9')).printed)).toBe('HANDOFF_LOST');
  const ahead = new Date(Date.now() + 120_000).toISOString();
  expect(refusal((await stage.operator('heartbeat', stage.run, 'T-3', '--epoch', '1', '--at', ahead)).printed)).toBe(
    'SCHEMA_INVALID',
  );
  expect((await stage.operator('heartbeat', stage.run, 'T-3', '--epoch', '1')).exit).toBe(0);
  expect((await hand(blocked, '--epoch', '1')).exit).toBe(0);
  const { items } = (await stage.json('operator', 'worklog', stage.run, 'T-3')).printed as {
    items: Record<string, string>[];
  };
  expect(items.at(-1)).toMatchObject({
    actor: 'baton',
    result: 'blocked',
    code: 'TASK_BLOCKED',
    decision: 'I need a key',
  });
  expect(items.at(-1)?.next_step).toBeTruthy();
});

test('deltas: in their order, repeats once, the last wins, stale ones refused [R471, R472, R473, R475, R476, R477]', async () => {
  await opened(stage.task(1, ['a.txt']), stage.task(2, ['b.txt']));
  const delta = (id: string, status: string, more: object = {}) => ({
    ...{ task_id: 'T-1', status, owner: 'eva', reason: 'said so', delta_id: id, ...more },
  });
  const take = (...deltas: object[]) => stage.operator('delta', stage.run, stage.payload('d.json', deltas));
  const blocked = delta('1', 'blocked');
  const first = await take(blocked, delta('2', 'todo'), delta('3', 'in_progress', { owner: 'ben' }));
  expect([first.exit, first.printed.tasks[0]]).toMatchObject([0, { status: 'in_progress', owner: 'ben' }]);
  const { version } = first.printed;
  const again = await take(blocked, delta('2', 'todo'), delta('3', 'in_progress', { owner: 'ben' }));
  expect([again.exit, again.printed.version], 'a repeat changes nothing').toEqual([0, version]);
  expect(refusal((await take(delta('1', 'failed'))).printed)).toBe('KEY_REUSED');
  expect(refusal((await take(delta('4', 'canceled', { x_base_version: version - 1 }))).printed)).toBe(
    'CONCURRENCY_CONFLICT',
  );
  expect(refusal((await take(delta('5', 'done'))).printed), 'only a result makes done').toBe('ACCEPTANCE_FAILED');
  expect((await stage.operator('reconcile', stage.run)).exit).toBe(0);
  const kept = (await stage.events()).filter(({ type }) => type === 'DeltaTaken');
  expect(kept.map((event) => (event as { delta: { delta_id: string } }).delta.delta_id)).toEqual(['1', '2', '3']);
});

test('a time-out as long as numbers go is a long one, and nothing more', async () => {
  await opened(stage.task(1, ['a.txt'], { timeout_seconds: 1e300 }));
  const claim = (await stage.json('operator', 'claim', stage.run, '--owner', 'eva')).printed as { expires_at: string };
  expect(Date.parse(claim.expires_at)).toBeGreaterThan(Date.now());
  expect((await stage.operator('tick', stage.run)).exit).toBe(0);
});
