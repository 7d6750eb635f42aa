import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ServerStage } from './server-stage.js';

const TIMEOUT = { timeout: 120_000 };
const ID = '550e8400-e29b-41d4-a716-446655440000';
const PROMPT = `# Codebase analysis\n\nSay which language it is written in. ${'It has many files. '.repeat(5)}`;

/** A folder in which an orchestrator that somebody else has started asks a person. */
async function asked(stage: ServerStage, name = 'app'): Promise<{ run: string; dir: string; item: number }> {
  const dir = path.join(stage.folder, name);
  mkdirSync(dir);
  const request = {
    ...{ request_id: ID, version: '1.0', phase: 1, phase_name: 'codebase_analysis', prompt: PROMPT },
    ...{ agent_name: 'architectural-reviewer', created_at: '2025-11-18T10:30:00Z' },
  };
  writeFileSync(path.join(dir, '.agent-request.json'), JSON.stringify(request));
  const { bridges, engine } = stage.baton;
  const run = await bridges.take({ dir, agents: { '*': 'human' } }, await bridges.files(dir));
  if (run === null) throw new Error('nothing was taken');
  await engine.drive(run);
  const { json } = await stage.get('/inbox');
  const item = json.items?.find(({ run_id }) => run_id === run)?.item;
  return { run, dir, item: Number(item) };
}

const responseIn = (dir: string): unknown => JSON.parse(readFileSync(path.join(dir, '.agent-response.json'), 'utf8'));

test('bridges are told as cards and as a board, now and behind any event, to whoever may look', TIMEOUT, async () => {
  const stage = await ServerStage.start();
  const token = await stage.tokenOf('viewer');
  const { run, dir, item } = await asked(stage);
  const { json: cards } = await stage.get(`/bridges?ids=${run},nothing`, { token });
  expect(cards).toEqual({
    items: [
      {
        ...{ run_id: run, version: expect.any(Number), dir, command: null, holder: 'you', phase: 1, rounds: 0 },
        ...{ phase_name: 'codebase_analysis', agent_name: 'architectural-reviewer', idle_rounds: { used: 0, max: 5 } },
      },
    ],
    next: null,
  });
  const { json: board } = await stage.get(`/bridges/${run}`, { token });
  expect(board).toMatchObject({
    ...{ run_id: run, status: 'waiting', holder: 'you', pending: ID, item, command: null },
    crossings: [{ request_id: ID, agent: 'human', status: null }],
    files: { request: { id: ID }, response: null, state: null },
  });
  const { json: first } = await stage.get(`/bridges/${run}?at=1`, { token });
  expect([first.event, first.events, first.crossings]).toEqual([1, board.events, []]);
  expect((await stage.get(`/bridges/${run}?at=999`)).json.code).toBe('USAGE');
  expect((await stage.get(`/bridges/${run}?at=x`)).status).toBe(400);
  expect((await stage.get('/bridges/nothing')).json.code).toBe('RUN_NOT_FOUND');
  expect((await stage.get('/bridges/system')).json.code).toBe('RUN_NOT_FOUND');
  expect(stage.problems).toEqual([]);
});

test(
  'a person answers over HTTP, once for a key, and the text lies where the orchestrator reads it',
  TIMEOUT,
  async () => {
    const stage = await ServerStage.start();
    const { run, dir, item } = await asked(stage);
    expect((await stage.get(`/inbox/${item}`)).json).toMatchObject({
      question: 'What does architectural-reviewer answer for codebase_analysis?',
      details: {
        ...{ request_id: ID, agent_name: 'architectural-reviewer', phase: 1, phase_name: 'codebase_analysis' },
        ...{ agent: 'human', dir, command: null, words: PROMPT },
      },
    });
    const send = (body: object, key?: string) =>
      stage.post(`/inbox/${item}/answer`, body, key === undefined ? {} : { key });
    for (const body of [{ decision: 'approve' }, { text: ' ' }, { text: 'x', always: true }]) {
      expect((await send(body)).json.code, JSON.stringify(body)).toBe('USAGE');
    }
    const viewer = await stage.tokenOf('viewer');
    expect((await stage.post(`/inbox/${item}/answer`, { text: 'x' }, { token: viewer })).status).toBe(403);
    const text = '{"technology_stack":{"primary_language":"Go"},"overall_confidence":0.92}';
    const given = await send({ text }, 'k');
    expect([given.status, given.json.said]).toEqual([200, `${run} goes on with the answer.`]);
    expect((await send({ text }, 'k')).status).toBe(200);
    expect((await send({ text })).json.code).toBe('ITEM_CLOSED');
    await stage.baton.bridges.untilStill(run);
    expect(responseIn(dir)).toMatchObject({ request_id: ID, status: 'success', response: text });
    const { json: board } = await stage.get(`/bridges/${run}`);
    expect(board).toMatchObject({ status: 'watching', files: { response: { id: ID, by_baton: true } } });
    const shaOf = (name: string) =>
      (board as never as { files: Record<string, { sha256: string }> }).files[name]?.sha256;
    const bytes = readFileSync(path.join(dir, '.agent-response.json'));
    expect(shaOf('response')).toBe(stage.baton.hasher.sha256(bytes));
    expect(stage.problems).toEqual([]);
  },
);

test(
  'whoever does not want to answer says so from the command line, and the orchestrator is told',
  TIMEOUT,
  async () => {
    const stage = await ServerStage.start();
    const { run, dir, item } = await asked(stage);
    const { out } = await stage.ok('inbox', String(item));
    expect(out).toContain('# Codebase analysis');
    expect(out).toContain(`baton answer ${item} --deny`);
    const { err } = await stage.ok('answer', String(item), '--deny');
    expect(err).toContain(`${run} is told that nobody answers.`);
    await stage.baton.bridges.untilStill(run);
    expect(responseIn(dir)).toMatchObject({ request_id: ID, status: 'cancelled' });
  },
);
