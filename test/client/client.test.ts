import { expect, test } from 'vitest';
import { BatonError, createClient, type RunEvent, type StreamState } from '../../src/client/index.js';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { BadWire, through } from './bad-wire.js';
import { serve } from './served.js';

const TIMEOUT = { timeout: 60_000 };
const ORDER = { prompt: 'Look at it', agent: 'worker', supervisor: 'none' } as const;

async function stageWithWorker(): Promise<JobStage> {
  const stage = new JobStage();
  await stage.scripted('worker', [{ answer: ANSWERS.completed }]);
  return stage;
}

test('a job from its making to its end, and everything that can be read of it', TIMEOUT, async () => {
  const stage = await stageWithWorker();
  const client = createClient(await serve(stage));
  const made = await client.jobs.create({ ...ORDER, id: 'j', repo: stage.repo, approve: true, activate: true });
  expect(made).toMatchObject({ job_id: 'j', status: 'PENDING' });
  const stop = new AbortController();
  const types: string[] = [];
  for await (const { type } of client.events({ run: 'j', signal: stop.signal })) {
    types.push(type);
    if (type === 'StewardNotified') stop.abort();
  }
  expect(types[0]).toBe('JobSubmitted');
  const { items } = await client.inbox();
  expect(items).toMatchObject([{ run_id: 'j', kind: 'approval', status: 'open' }]);
  const item = items[0]?.item ?? 0;
  expect(await client.answer(item, { decision: 'approve' })).toMatchObject({ item, status: 'SUCCESS' });
  expect(await client.item(item)).toMatchObject({ item, status: 'closed' });
  expect(await client.jobs.get('j')).toMatchObject({ status: 'SUCCESS', waiting_for: null });
  expect(await client.run('j')).toMatchObject({ kind: 'job', ended: true });
  expect((await client.runs({ kind: 'job' })).items.map(({ run_id }) => run_id)).toEqual(['j']);
  expect((await client.jobs.history('j')).interactions).toHaveLength(1);
  expect(await client.jobs.manifest('j')).toMatchObject({ job_id: 'j', status: 'SUCCESS' });
  expect(await client.jobs.diff('j')).toEqual({ job_id: 'j', patch: '' });
  expect((await client.eventPage({ run: 'j', limit: 2 })).items.map(({ seq }) => seq)).toEqual([1, 2]);
  expect((await client.agents()).items.map(({ id }) => id)).toContain('worker');
  expect(await client.audit.verify()).toMatchObject({ ok: true });
  expect(await client.audit.head()).toMatchObject({ kind: 'baton-head' });
});

test('rules come and go; what is refused is the error that the server sent', TIMEOUT, async () => {
  const stage = await stageWithWorker();
  const served = await serve(stage);
  const client = createClient(served);
  const rule = await client.addRule({ decision: 'allow', repo: stage.repo, argv: ['ls'] });
  expect((await client.rules()).items).toMatchObject([{ id: rule.id, argv: ['ls'] }]);
  await client.removeRule(rule.id);
  expect((await client.rules()).items).toEqual([]);
  await expect(client.run('nothing')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  await expect(client.answer(7, { decision: 'approve' })).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' });
  const other = createClient({ ...served, token: 'baton_wrong' });
  await expect(other.runs()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('an answer that is lost is asked for with the same key: done once', TIMEOUT, async () => {
  const stage = await stageWithWorker();
  const served = await serve(stage, { args: ['--no-worker'] });
  const wire = new BadWire(() => Number(new URL(served.url).port));
  const client = createClient({ ...served, fetch: through(await wire.listen(), served.url) });
  wire.losing = 1;
  const made = await client.jobs.create({ ...ORDER, activate: true });
  wire.losing = 2;
  expect(await client.jobs.act(made.job_id, 'checkpoint', { description: 'here' }).catch((error) => error.code)).toBe(
    'INVALID_TRANSITION',
  );
  wire.losing = 1;
  expect(await client.jobs.act(made.job_id, 'cancel')).toMatchObject({ status: 'CANCELED' });
  expect(wire.lost).toHaveLength(4);
  expect((await client.runs({ kind: 'job' })).items.map(({ run_id }) => run_id)).toEqual([made.job_id]);
  const { items } = await client.eventPage({ run: made.job_id });
  expect(items.map(({ type }) => type)).toEqual(['JobSubmitted', 'JobActivated', 'JobCanceled']);
});

test('nobody there is unknown, and says with which key to ask again', TIMEOUT, async () => {
  const client = createClient({ url: 'http://127.0.0.1:9', token: 'x', fetch: () => Promise.reject(new TypeError()) });
  const failure = await client.jobs.create(ORDER, { key: 'mine' }).catch((error) => error);
  expect(failure).toBeInstanceOf(BatonError);
  expect(failure).toMatchObject({ code: 'SERVER_UNREACHABLE', details: { key: 'mine' } });
});

test('events come once and in order over cut wires and a killed server', TIMEOUT, async () => {
  const stage = await stageWithWorker();
  let served = await serve(stage, { args: ['--no-worker'] });
  const port = Number(new URL(served.url).port);
  const wire = new BadWire(() => port);
  const own = createClient(served);
  const client = createClient({ ...served, fetch: through(await wire.listen(), served.url) });
  const stop = new AbortController();
  const seen: RunEvent[] = [];
  const states: StreamState['name'][] = [];
  const jobsSeen = (count: number): Promise<void> =>
    expect
      .poll(() => seen.filter(({ type }) => type === 'JobSubmitted').length, { timeout: 30_000 })
      .toBe(count) as unknown as Promise<void>;
  const reading = (async () => {
    const how = { signal: stop.signal, onState: ({ name }: StreamState) => states.push(name), silentMsMax: 1_000 };
    for await (const event of client.events(how)) seen.push(event);
  })();
  for (let round = 1; round <= 5; round += 1) {
    await own.jobs.create({ ...ORDER, id: `j${round}` });
    await jobsSeen(round);
    wire.cut();
  }
  await served.stop('SIGKILL');
  await expect.poll(() => states.at(-1), { timeout: 30_000 }).toBe('stale');
  served = await serve(stage, { port, args: ['--no-worker'] });
  await own.jobs.create({ ...ORDER, id: 'j6' });
  await jobsSeen(6);
  await expect.poll(() => states.at(-1)).toBe('live');
  stop.abort();
  await reading;
  expect(seen.map(({ position }) => position)).toEqual(seen.map((_, index) => index + 1));
  expect(seen).toEqual((await own.eventPage({ limit: 1_000 })).items);
});

test('a wire that says nothing is stale, and a token that is revoked is refused', TIMEOUT, async () => {
  const stage = await stageWithWorker();
  const served = await serve(stage, { args: ['--no-worker'] });
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${served.url}/api/v1/tokens${path}`, {
      method,
      headers: { authorization: `Bearer ${served.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const { token } = (await (await ask('POST', '', { name: 'eve', role: 'viewer' })).json()) as { token: string };
  const wire = new BadWire(() => Number(new URL(served.url).port));
  const client = createClient({ ...served, token, fetch: through(await wire.listen(), served.url) });
  const states: StreamState['name'][] = [];
  const reading = (async () => {
    for await (const _ of client.events({ onState: ({ name }) => states.push(name), silentMsMax: 1_000 }));
  })().catch((error) => error);
  await expect.poll(() => states.at(-1)).toBe('live');
  wire.silent = true;
  await expect.poll(() => states.at(-1), { timeout: 10_000 }).toBe('stale');
  wire.silent = false;
  await expect.poll(() => states.at(-1), { timeout: 30_000 }).toBe('live');
  await ask('DELETE', '/eve');
  expect(await reading).toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(states.at(-1)).toBe('refused');
});
