import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../src/testing/index.js';
import { ServerStage } from './server-stage.js';

const TIMEOUT = { timeout: 120_000 };
const PRICE = { input_usd: 1_000, cached_input_usd: 1_000, output_usd: 1_000 };
const ASKS = {
  when: { prompt: 'write it' },
  steps: [
    {
      text: 'I write it.',
      tool_calls: [
        {
          name: 'exec_command',
          arguments: { command: ['sh', '-c', 'echo done > made.txt'], with_escalated_permissions: true },
        },
      ],
    },
    { text: 'That was all.' },
  ],
};

type Board = {
  status: string;
  waiting_for: number | null;
  approvals: { call_id: string; item: number; hash: string; command: string[]; where: string }[];
  tasks: { end: { code: string | null } | null; turns: { response_id: string; entries: { type: string }[] }[] }[];
};

class SessionsStage extends ServerStage {
  cwd = '';

  async begin(): Promise<string> {
    const model = await startModelServer({ turns: [ASKS, { steps: [{ text: 'Good morning.' }] }] });
    onTestFinished(() => model.close());
    const agent = { id: 'coder', adapter: 'model', model: 'scripted', base_url: `${model.url}/v1` };
    const made = await this.post('/agents', { ...agent, login: 'key' });
    if (made.status !== 201) throw new Error(made.text);
    this.cwd = path.join(this.folder, 'work');
    mkdirSync(this.cwd);
    const { json, status } = await this.post('/sessions', { cwd: this.cwd, provider: 'coder' });
    expect([status, json.session_id]).toEqual([201, json.run_id]);
    return String(json.run_id);
  }

  say(run: string, text: string, id = 'one') {
    return this.post(`/sessions/${run}/submissions`, {
      id,
      op: { type: 'user_input', items: [{ type: 'text', text }] },
    });
  }

  async boardOf(run: string, isSo: (board: Board) => boolean): Promise<Board> {
    for (let looks = 0; looks < 400; looks += 1) {
      const board = (await this.get(`/sessions/${run}`)).json as unknown as Board;
      if (isSo(board)) return board;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error((await this.get(`/sessions/${run}`)).text.slice(0, 2_000));
  }
}

function started(): Promise<SessionsStage> {
  const stage = new SessionsStage();
  stage.extra = { OPENAI_API_KEY: 'sk-c4nary-0f-the-routes-1234567890' };
  return ServerStage.serve(stage, {});
}

const isAsked = ({ approvals }: Board) => approvals.length > 0 && approvals[0]?.item !== null;
const isOver = ({ tasks }: Board) => tasks.at(-1)?.end != null;

test(
  'a session is opened, told something and looked at over HTTP, and its events are told by seq',
  TIMEOUT,
  async () => {
    const stage = await started();
    const run = await stage.begin();
    const sent = await stage.say(run, 'hello');
    expect([sent.status, sent.json]).toEqual([202, { accepted: true, events: [] }]);
    const again = await stage.say(run, 'hello');
    expect(again.json.events, 'the same id is the same submission').toMatchObject([{ msg: { code: 'REPEATED' } }]);
    const { tasks } = await stage.boardOf(run, isOver);
    expect(tasks[0]?.turns[0]?.entries.map(({ type }) => type)).toEqual(['input', 'message']);
    const { json } = await stage.get(`/sessions/${run}/events?limit=2`);
    const { json: rest } = await stage.get(`/sessions/${run}/events?after=${json.next}`);
    const seqs = [...(json.items ?? []), ...(rest.items ?? [])].map(({ seq }) => Number(seq));
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    expect(rest.items?.at(-1)).toMatchObject({ msg: { type: 'task_complete' } });
    expect((await stage.get(`/sessions/${run}/events?after=9999`)).status).toBe(400);
    const { json: cards } = await stage.get('/sessions');
    expect(cards.items).toMatchObject([{ run_id: run, status: 'idle', model: 'scripted', cwd: stage.cwd }]);
    expect((await stage.get('/sessions/nothing')).json.code).toBe('SESSION_NOT_FOUND');
    expect((await stage.post('/sessions', { cwd: 'relative' })).status).toBe(422);
    expect(
      (await stage.post(`/sessions/${run}/submissions`, { id: 'a', op: { type: 'attach', session_id: run } })).json
        .code,
    ).toBe('USAGE');
    expect(stage.problems).toEqual([]);
  },
);

test('what a session asks is answered over HTTP and by the inbox, once, by who may', TIMEOUT, async () => {
  const stage = await started();
  const run = await stage.begin();
  await stage.say(run, 'write it');
  const { approvals } = await stage.boardOf(run, isAsked);
  const [{ call_id, item, hash } = { call_id: '', item: 0, hash: '' }] = approvals;
  expect(approvals).toMatchObject([{ command: ['sh', '-c', 'echo done > made.txt'], where: 'outside' }]);
  expect((await stage.get(`/inbox/${item}`)).json).toMatchObject({
    details: { session: true, command: 'echo done > made.txt', cwd: stage.cwd, hash, where: 'outside', call_id },
  });
  const answer = { id: 'b', op: { type: 'exec_approval', id: call_id, decision: 'approved' } };
  const orchestrator = await stage.tokenOf('orchestrator');
  const refused = await stage.post(`/sessions/${run}/submissions`, answer, { token: orchestrator });
  expect([refused.status, refused.json.code]).toEqual([403, 'FORBIDDEN']);
  expect((await stage.post(`/inbox/${item}/answer`, { decision: 'approve', text: 'why' })).json.code).toBe('USAGE');
  expect((await stage.post(`/inbox/${item}/answer`, { decision: 'approve', always: true })).json.code).toBe(
    'RULE_TOO_WIDE',
  );
  const given = await stage.post(`/inbox/${item}/answer`, { decision: 'approve_for_session' });
  expect([given.status, given.json.said]).toEqual([
    200,
    `${run} does it, and the same again in this session without asking.`,
  ]);
  expect((await stage.post(`/sessions/${run}/submissions`, answer)).json.code).toBe('APPROVAL_CLOSED');
  await stage.boardOf(run, isOver);
  expect(readFileSync(path.join(stage.cwd, 'made.txt'), 'utf8')).toBe('done\n');
  await stage.say(run, 'write it', 'two');
  const { status } = await stage.boardOf(run, (board) => board.tasks.length === 2 && isOver(board));
  expect(status, 'what was allowed for the session is not asked again').toBe('idle');
  expect(stage.problems).toEqual([]);
});

test('whoever may not answer what a session asks does not take the question away', TIMEOUT, async () => {
  const stage = await started();
  const run = await stage.begin();
  const wide = { cwd: stage.cwd, provider: 'coder', sandbox_policy: { mode: 'danger-full-access' } };
  const token = await stage.tokenOf('orchestrator');
  const opened = await stage.post('/sessions', wide, { token });
  expect([opened.status, opened.json.code]).toEqual([403, 'FORBIDDEN']);
  const configure = (op: object) => ({ id: 'w', op: { type: 'configure_session', ...op } });
  const changed = await stage.post(`/sessions/${run}/submissions`, configure(wide), { token });
  expect([changed.status, changed.json.reason]).toEqual([
    403,
    'the sandbox danger-full-access is for the role steward and above, not for orchestrator',
  ]);
  expect((await stage.post('/sessions', wide, { token: await stage.tokenOf('steward') })).status).toBe(201);
  const other = await stage.post(
    `/sessions/${run}/submissions`,
    configure({ cwd: stage.cwd, resume_from: String(opened.json.run_id ?? 'other') }),
  );
  expect(other.json.code, 'the session is named by the address').toBe('USAGE');
  expect(stage.problems).toEqual([]);
});

test('where nothing is held and nobody is asked only who may open such a session says anything', TIMEOUT, async () => {
  const stage = await started();
  await stage.begin();
  const wide = { cwd: stage.cwd, provider: 'coder', sandbox_policy: { mode: 'danger-full-access' } };
  const free = { ...wide, approval_policy: 'never' };
  const steward = await stage.tokenOf('steward');
  const opened = await stage.post('/sessions', free, { token: steward });
  expect(opened.status, JSON.stringify(opened.json)).toBe(201);
  const run = String(opened.json.run_id);
  const token = await stage.tokenOf('orchestrator');
  const send = (op: { type: string }, who: object) =>
    stage.post(`/sessions/${run}/submissions`, { id: op.type, op }, who);
  const input = { type: 'user_input', items: [{ type: 'text', text: 'write it' }] };
  for (const op of [input, { type: 'compact' }, { type: 'configure_session', ...free, instructions: 'write it' }]) {
    const { status, json } = await send(op, { token });
    expect([status, json.code, json.details], op.type).toEqual([403, 'FORBIDDEN', { needed: 'steward' }]);
  }
  expect((await send({ type: 'interrupt' }, { token })).status, 'ending is no work').not.toBe(403);
  expect((await send(input, { token: steward })).status).toBe(202);
  await stage.boardOf(run, isOver);
  expect(stage.problems).toEqual([]);
});

test(
  'what a session has used is counted while it is open, and comes out of the budget of its project',
  TIMEOUT,
  async () => {
    const stage = await started();
    writeFileSync(path.join(stage.home, 'prices.json'), JSON.stringify({ models: { scripted: PRICE } }));
    const run = await stage.begin();
    await stage.say(run, 'hello');
    await stage.boardOf(run, isOver);
    const [row] = (await stage.get('/cost?by=kind')).json.items as { key: string; cost_usd: number; tokens: number }[];
    expect(row).toMatchObject({ key: 'session', handoffs: 1, wasted_usd: 0 });
    expect(row?.tokens).toBeGreaterThan(0);
    expect(row?.cost_usd).toBeGreaterThan(0);
    expect((await stage.get('/cost?by=project')).json.items).toMatchObject([{ key: 'work', tokens: row?.tokens }]);
    expect((await stage.get('/system')).json.today).toMatchObject({ cost_usd: row?.cost_usd });
    const budget = { project: 'work', usd_per_day: null, tokens_per_day: 1 };
    expect((await stage.post('/budgets', budget)).json).toMatchObject({ spent_tokens: row?.tokens });
    await stage.say(run, 'hello again', 'two');
    const { tasks } = await stage.boardOf(run, (board) => board.tasks.length === 2 && isOver(board));
    expect(tasks[1]?.end).toMatchObject({
      code: 'LIMIT_REACHED',
      message: expect.stringContaining('project work has used'),
    });
    await stage.post('/budgets', { ...budget, tokens_per_day: 1_000_000 });
    await stage.say(run, 'hello again', 'three');
    const { tasks: all } = await stage.boardOf(run, (board) => board.tasks.length === 3 && isOver(board));
    expect(all[2]?.end?.code).toBeNull();
    expect(stage.problems).toEqual([]);
  },
);

test('an abort from the command line ends the task, and the session takes new input', TIMEOUT, async () => {
  const stage = await started();
  const run = await stage.begin();
  await stage.say(run, 'write it');
  const { approvals } = await stage.boardOf(run, isAsked);
  const { err } = await stage.ok('answer', String(approvals[0]?.item), '--abort');
  expect(err).toContain('has stopped its task');
  const { tasks } = await stage.boardOf(run, isOver);
  expect(tasks[0]?.end?.code).toBe('INTERRUPTED');
  await stage.say(run, 'hello', 'two');
  const board = await stage.boardOf(run, (now) => now.tasks.length === 2 && isOver(now));
  expect(board.tasks[1]?.end?.code).toBeNull();
});

test('a long list of sessions holds up nobody', TIMEOUT, async () => {
  const stage = await started();
  await stage.begin();
  for (let count = 1; count < 30; count += 1) await stage.post('/sessions', { cwd: stage.cwd, provider: 'coder' });
  const { sessions } = stage.baton;
  const state = sessions.state.bind(sessions);
  let [read, most, turn] = [0, 0, setImmediate(() => {})];
  const others = (): void => {
    read = 0;
    turn = setImmediate(others);
  };
  others();
  sessions.state = (session) => {
    read += 1;
    most = Math.max(most, read);
    return state(session);
  };
  const { json } = await stage.get('/sessions');
  clearImmediate(turn);
  expect([json.items?.length, most]).toEqual([30, 1]);
});
