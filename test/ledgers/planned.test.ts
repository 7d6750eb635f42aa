import { expect, test } from 'vitest';
import { LedgerStage, statuses } from './ledger-stage.js';

const PLANS = `
const make = (number, more = {}) => ({
  schema_version: '1.0.0', run_id, packet_type: 'assignment', global_objective: 'g', active_locks: [], context_package: [],
  required_output_schema: 'subagent_result_v1',
  task: { task_id: 'T-' + number, title: 'Part ' + number, type: 'parallelizable', dependencies: [], lock_scope: ['p' + number + '.txt'],
    forbidden_scope: [], acceptance_criteria: ['it holds'], worklog_path: 'w/T-' + number + '.jsonl', timeout_seconds: 60,
    heartbeat_interval_seconds: 10, ...more },
});
const say = (more) => console.log(JSON.stringify({ schema_version: '1.0.0', run_id, ledger_delta: [], assignments: [],
  active_locks: [], blockers: [], next_actions: [], ...more }));`;

test('an agent plans, others do it, and it plans again around what is blocked', { timeout: 180_000 }, async () => {
  const stage = new LedgerStage();
  const planner = `${PLANS}
if (packet.ask === 'plan') say({ assignments: [make(1), make(2)] });
else say({
  ledger_delta: [{ task_id: 'T-1', status: 'canceled', owner: 'planner', reason: 'another way', delta_id: 'd-1' }],
  assignments: [make(3, { dependencies: ['T-2'] })],
});`;
  await stage.agent('planner', planner);
  await stage.agent(
    'w',
    `if (task_id === 'T-1') result({ status: 'blocked', notes_for_orchestrator: ['no way'] });
else { writeFileSync(task.lock_scope[0], task_id); result(); }`,
  );
  const asked = await stage.json('operator', 'plan', 'Make three parts', '--planner', 'planner', '--agent', 'w');
  expect([asked.exit, asked.printed.status]).toEqual([0, 'todo']);
  stage.run = String(asked.printed.run_id);
  expect(statuses((await stage.ledger()).tasks)).toEqual({ 'T-1': 'todo', 'T-2': 'todo' });
  const { exit, printed } = await stage.operator('run', stage.run);
  expect([exit, statuses(printed.tasks)]).toEqual([0, { 'T-1': 'canceled', 'T-2': 'done', 'T-3': 'done' }]);
  expect((await stage.json('inbox')).printed.items).toEqual([]);
});

test('a plan that does not hold begins nothing', { timeout: 60_000 }, async () => {
  const stage = new LedgerStage();
  await stage.agent(
    'planner',
    `${PLANS}\nsay({ assignments: [make(1, { dependencies: ['T-2'] }), make(2, { dependencies: ['T-1'] })] });`,
  );
  const asked = await stage.json('operator', 'plan', 'Make a circle', '--planner', 'planner', '--agent', 'planner');
  expect([asked.exit, asked.printed.tasks]).toEqual([3, []]);
  const { items } = (await stage.json('inbox')).printed as { items: { kind: string; title: string }[] };
  expect(items).toEqual([expect.objectContaining({ kind: 'intervention', title: expect.stringContaining('cycle') })]);
});
