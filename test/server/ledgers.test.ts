import { expect, test } from 'vitest';
import { planOf, resultOf } from './plan-of.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 120_000;

/** A server with a ledger of so many tasks that is open and not begun. */
async function opened(tasks: number, changes: object = {}) {
  const stage = await ServerStage.start();
  const plan = planOf(tasks, changes);
  const { status, json } = await stage.post('/ledgers', { plan, repo: stage.repo });
  expect([status, json.status, json.run_id]).toEqual([201, 'todo', plan.run_id]);
  const at = (part: string): string => `/ledgers/${plan.run_id}/${part}`;
  return { stage, run: plan.run_id, at };
}

test('a ledger is opened once for a key; its parts are told', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const { run_id: _, ...plan } = planOf(2);
  const order = { plan, repo: stage.repo, cost_usd: 5, concurrency: 1 };
  const first = await stage.post('/ledgers', order, { key: 'k' });
  const again = await stage.post('/ledgers', order, { key: 'k' });
  expect([first.status, again.status, again.json]).toEqual([201, 201, first.json]);
  expect((await stage.post('/ledgers', { ...order, concurrency: 2 }, { key: 'k' })).json.code).toBe('KEY_REUSED');
  const run = String(first.json.run_id);
  const named = { ...order, plan: { ...plan, run_id: run } };
  for (const key of [undefined, 'other']) {
    const taken = await stage.post('/ledgers', named, key === undefined ? {} : { key });
    expect([taken.status, taken.json.code]).toEqual([409, 'ID_TAKEN']);
  }
  expect((await stage.get('/runs?kind=ledger')).json.items).toHaveLength(1);
  const part = async (name: string) => (await stage.get(`/ledgers/${run}${name}`)).json;
  expect(await part('')).toEqual(first.json);
  expect(await part('/reconcile')).toEqual(first.json);
  expect(await part('/locks')).toEqual({ run_id: run, active_locks: [] });
  expect(await part('/worklog')).toEqual({ items: [], next: null });
  expect(await part('/board')).toMatchObject({ ledger: first.json, objective: 'Write files', repository: stage.repo });
  const bundle = await part('/handoff');
  expect((await stage.post('/validate/handoff-bundle', bundle)).json).toMatchObject({ allow: true });
  expect((await stage.get('/ledgers/nothing')).json.code).toBe('RUN_NOT_FOUND');
  expect((await stage.get(`/ledgers/${run}/worklog?task=T-9`)).json.code).toBe('LEDGER_INCONSISTENT');
  expect(stage.problems).toEqual([]);
});

test('whoever claims beats and hands in under its number; a number that is not its own is refused', {
  timeout: LONG_MS,
}, async () => {
  const { stage, run, at } = await opened(2);
  const claim = (key: string) => stage.post(at('claim'), { owner: 'w' }, { key });
  const [first, repeat, second, none] = [await claim('a'), await claim('a'), await claim('b'), await claim('c')];
  expect(first.json).toMatchObject({ assignment: { task: { task_id: 'T-1' } }, epoch: 1 });
  expect(Date.parse(String(first.json.expires_at))).toBeGreaterThan(0);
  expect(repeat.json).toEqual(first.json);
  expect(second.json).toMatchObject({ assignment: { task: { task_id: 'T-2' } }, epoch: 2 });
  expect(none.json).toEqual({ assignment: null, epoch: null, expires_at: null });

  const { text: figures } = await stage.ask('GET', '/metrics');
  expect(figures).toMatch(/^baton_ledgers_running 1$/m);
  expect(figures).toMatch(/^baton_ledgers_blocked 0$/m);

  const beat = (said: object) => stage.post(at('heartbeats'), { task_id: 'T-1', ...said });
  expect((await beat({ epoch: 1 })).json.tasks).toMatchObject([{ status: 'in_progress' }, {}]);
  for (const said of [{ epoch: 2 }, {}]) {
    const { status, json } = await beat(said);
    expect([status, json.code]).toEqual([409, 'HANDOFF_LOST']);
  }
  expect((await beat({ epoch: 1, at: '2999-01-01T00:00:00Z' })).json.code).toBe('SCHEMA_INVALID');

  const hand = (body: object, key?: string) => stage.post(at('results'), body, key === undefined ? {} : { key });
  const result = resultOf(run, 1);
  const wrong: [object, number, string][] = [
    [result, 409, 'HANDOFF_LOST'],
    [{ ...result, epoch: 2 }, 409, 'HANDOFF_LOST'],
    [{ ...result, epoch: 1, x_epoch: 2 }, 422, 'SCHEMA_INVALID'],
    [{ ...result, epoch: 'one' }, 422, 'SCHEMA_INVALID'],
    [{ result, epoch: 1, more: 1 }, 422, 'SCHEMA_INVALID'],
    [{ result: 7, epoch: 1 }, 422, 'SCHEMA_INVALID'],
    [{ ...result, epoch: 1, acceptance_check: [] }, 422, 'ACCEPTANCE_FAILED'],
    [{ ...resultOf(run, 1, { changes: [{ resource: 'src/f2.txt', action: 'x' }] }), epoch: 1 }, 422, 'SCOPE_VIOLATION'],
  ];
  for (const [body, status, code] of wrong) {
    const refused = await hand(body);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
  }
  expect((await hand([])).status).toBe(422);
  expect((await stage.get(`/ledgers/${run}`)).json.tasks).toMatchObject([{ status: 'in_progress' }, {}]);

  const done = await hand({ ...result, epoch: 1 }, 'r');
  expect(done.json.tasks).toMatchObject([{ status: 'done', owner: 'w' }, { status: 'in_progress' }]);
  expect((await hand({ ...result, epoch: 1 }, 'r')).json, 'the same again').toEqual(done.json);
  const late = await hand({ ...result, epoch: 1 });
  expect([late.status, late.json.code]).toEqual([409, 'INVALID_TRANSITION']);
  const text = `---\n${JSON.stringify(resultOf(run, 2))}\n---\nAll is well.\n`;
  expect((await hand({ result: text, epoch: 2 })).json).toMatchObject({ status: 'done', active_locks: [] });
  expect((await stage.get(at('worklog?task=T-1'))).json.items).not.toEqual([]);
  expect(stage.problems).toEqual([]);
});

test('whoever leads assigns by name and changes rows; what contradicts is refused', { timeout: LONG_MS }, async () => {
  const { stage, run, at } = await opened(2, { lock_scope: ['src/'] });
  const assign = (task_id: string) => stage.post(at('assignments'), { task_id, owner: 'eva' });
  expect((await assign('T-1')).json).toMatchObject({ run_id: run, task: { task_id: 'T-1', lock_scope: ['src/'] } });
  const overlapping = await assign('T-2');
  expect([overlapping.status, overlapping.json.code]).toEqual([409, 'LOCK_CONFLICT']);
  expect((await stage.post(at('assignments'), { task_id: 'T-2' })).json.code).toBe('MISSING_REQUIRED_INPUT');
  expect((await stage.get(at('locks'))).json.active_locks).toEqual([{ task_id: 'T-1', resource: 'src', active: true }]);

  const delta = { task_id: 'T-1', status: 'canceled', owner: 'eva', reason: 'not needed', delta_id: 'd1' };
  const send = (body: unknown) => stage.post(at('deltas'), body);
  const stale = await send({ ...delta, x_base_version: 1 });
  expect([stale.status, stale.json.code]).toEqual([409, 'CONCURRENCY_CONFLICT']);
  expect((await send({ ...delta, sudo: true })).json.code).toBe('SCHEMA_INVALID');
  const taken = await send([delta]);
  expect(taken.json.tasks).toMatchObject([{ status: 'canceled' }, { status: 'todo' }]);
  expect((await send(delta)).json, 'a repeat changes nothing').toEqual(taken.json);
  const other = await send({ ...delta, reason: 'another' });
  expect([other.status, other.json.code]).toEqual([409, 'KEY_REUSED']);
  expect((await stage.post(at('tick'))).json.status).toBe('todo');
  expect(stage.problems).toEqual([]);
});

test('a token that acts for an agent claims and answers as that agent alone; workers do not lead', {
  timeout: LONG_MS,
}, async () => {
  const { stage, run, at } = await opened(2);
  for (const id of ['one', 'two']) await stage.scripted(id, []);
  const [one, two] = [await stage.tokenOf('worker', 'w1', 'one'), await stage.tokenOf('worker', 'w2', 'two')];
  expect((await stage.post(at('claim'), { owner: 'two' }, { token: one })).json.code).toBe('FORBIDDEN');
  const claimed = await stage.post(at('claim'), {}, { token: one });
  expect(claimed.json).toMatchObject({ epoch: 1, assignment: { task: { task_id: 'T-1' } } });
  const beat = { task_id: 'T-1', epoch: 1 };
  const result = { ...resultOf(run, 1), epoch: 1 };
  const text = { result: JSON.stringify(resultOf(run, 1)), epoch: 1 };
  expect((await stage.post(at('heartbeats'), beat, { token: two })).json.code).toBe('FORBIDDEN');
  for (const body of [result, text]) {
    expect((await stage.post(at('results'), body, { token: two })).json.code).toBe('FORBIDDEN');
  }
  expect((await stage.post(at('heartbeats'), beat, { token: one })).status).toBe(200);
  for (const [part, body] of [
    ['assignments', { task_id: 'T-2', owner: 'one' }],
    ['deltas', { task_id: 'T-2', status: 'canceled', owner: 'one', reason: 'x', delta_id: 'd' }],
    ['run', {}],
    ['tick', {}],
  ] as const) {
    expect((await stage.post(at(part), body, { token: one })).json.code, part).toBe('FORBIDDEN');
  }
  expect((await stage.post(at('results'), result, { token: one })).json.tasks).toMatchObject([{ status: 'done' }, {}]);
});

test('a bundle of a run in its middle opens a ledger elsewhere that goes on', { timeout: LONG_MS }, async () => {
  const { stage, run, at } = await opened(2);
  await stage.post(at('claim'), { owner: 'w' });
  await stage.post(at('results'), { ...resultOf(run, 1), epoch: 1 });
  const { json: handoff } = await stage.get(at('handoff'));
  const elsewhere = await ServerStage.start();
  const opening = await elsewhere.post('/ledgers', { handoff, repo: elsewhere.repo });
  expect(opening.json).toMatchObject({ run_id: run, tasks: [{ status: 'done' }, { status: 'todo' }] });
  expect((await elsewhere.post(at('claim'), { owner: 'x' })).json.assignment).toMatchObject({
    task: { task_id: 'T-2' },
  });
});

test('…/run begins it; the worker of the server asks the agent and merges its work', { timeout: LONG_MS }, async () => {
  const { stage, run, at } = await opened(1);
  const nobody = await stage.post(at('run'));
  expect([nobody.status, nobody.json.code]).toEqual([422, 'AGENT_NOT_FOUND']);
  await stage.shell(
    'writer',
    `mkdir -p src; echo x > src/f1.txt; cat <<'END'\n${JSON.stringify(resultOf(run, 1))}\nEND`,
  );
  const begun = await stage.post(at('run'), { agent: 'writer', concurrency: 2 }, { key: 'go' });
  expect(begun.status).toBe(202);
  await expect.poll(async () => (await stage.get(`/ledgers/${run}`)).json.status, { timeout: LONG_MS }).toBe('done');
  expect(stage.git('show', `baton/${run}:src/f1.txt`)).toBe('x');
  expect((await stage.post(at('run'), { agent: 'writer', concurrency: 2 }, { key: 'go' })).json.status).toBe('done');
  expect(stage.problems).toEqual([]);
});
