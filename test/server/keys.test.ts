import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { ServerProcess } from './server-process.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 180_000;
const ORDER = { prompt: 'Do it', agent: 'agent', supervisor: 'none' };

/** Sends a request and hangs up without reading what is said to it. */
async function sendAndHangUp(
  { url, token }: { url: string; token: string },
  {
    where,
    key,
    body,
    until = async () => {},
  }: { where: string; key: string; body: object; until?(): Promise<unknown> },
): Promise<void> {
  const { host, port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const text = JSON.stringify(body);
  const head = [
    `POST /api/v1${where} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `Idempotency-Key: ${key}`,
  ];
  socket.pause();
  await new Promise<void>((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${text}`, () => resolve()));
  await until();
  socket.destroy();
}

test('the same key is the same act, whatever the act; with another body it is refused', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  await stage.scripted('agent', [{ when: {}, answer: ANSWERS.stuck }]);
  const count = async (type: string) =>
    (await stage.get('/events?limit=1000')).json.items?.filter((event) => event.type === type).length;
  let number = 0;
  /** Twice the same, then something else, with one key. */
  const repeat = async (where: string, body: object, other: object) => {
    number += 1;
    const key = `key-${number}`;
    const first = await stage.post(where, body, { key });
    const again = await stage.post(where, body, { key });
    const reused = await stage.post(where, other, { key });
    expect([where, first.status, again.status, reused.status, reused.json.code]).toEqual([
      where,
      first.status,
      first.status,
      409,
      'KEY_REUSED',
    ]);
    expect(first.status, first.text).toBeLessThan(300);
    return { first: first.json, again: again.json };
  };

  const named = await repeat('/jobs', { ...ORDER, id: 'j' }, { ...ORDER, id: 'k' });
  expect(named.again).toEqual(named.first);
  const unnamed = await repeat('/jobs', ORDER, { ...ORDER, prompt: 'Something else' });
  expect(unnamed.again.job_id).toBe(unnamed.first.job_id);
  expect(await count('JobSubmitted')).toBe(2);

  await repeat('/jobs/j/activate', {}, { guidance: 'x' });
  const { waiting_for: item } = await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  const answered = await repeat(`/inbox/${item}/answer`, { guidance: 'So.' }, { guidance: 'Not so.' });
  expect(answered.again).toMatchObject({ job_id: 'j', item });
  expect(await count('JobResumed')).toBe(1);
  await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  await repeat('/jobs/j/raise', { cost_usd: 7 }, { cost_usd: 8 });
  await repeat('/jobs/j/resubmit', { guidance: 'Again.' }, { guidance: 'Differently.' });
  await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  await stage.scripted('good', [{ when: {}, answer: ANSWERS.completed }]);
  await stage.post('/jobs', { ...ORDER, id: 'done', repo: stage.repo, agent: 'good', activate: true });
  await stage.untilStatus('done', 'SUCCESS');
  const forked = await repeat('/jobs/done/fork', {}, { prompt: 'x' });
  expect(forked.again.job_id).toBe(forked.first.job_id);
  await repeat('/jobs/j/terminate', {}, { guidance: 'x' });
  const rule = { decision: 'deny', repo: stage.repo, argv: ['rm'] };
  const ruled = await repeat('/rules', rule, { ...rule, argv: ['dd'] });
  expect(ruled.again).toEqual(ruled.first);
  expect((await stage.get('/rules')).json.items?.length).toBe(1);
  const agent = { id: 'other', adapter: 'human' };
  await repeat('/agents', agent, { ...agent, id: 'third' });

  const token = { name: 'eva', role: 'viewer' };
  expect((await stage.post('/tokens', token, { key: 'token' })).status).toBe(201);
  expect((await stage.post('/tokens', token, { key: 'token' })).json.code, 'told once').toBe('INVALID_TRANSITION');
  expect((await stage.post('/tokens', { ...token, name: 'b' }, { key: 'token' })).json.code).toBe('KEY_REUSED');
  const revoke = () => stage.ask('DELETE', '/api/v1/tokens/eva', { key: 'revoke' });
  expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 200]);
  for (const key of ['', 'a b', 'x'.repeat(201), 'ä']) {
    const { status } = await stage.post('/jobs', ORDER, { headers: { 'idempotency-key': key } }).catch(() => ({
      status: 400,
    }));
    expect([key, status]).toEqual([key, 400]);
  }
  // The keys of others are not one's own.
  const token2 = await stage.tokenOf('orchestrator');
  expect((await stage.post('/jobs', { ...ORDER, id: 'mine' }, { key: 'key-1', token: token2 })).status).toBe(201);
  expect(stage.problems).toEqual([]);
});

test('a request whose answer nobody heard is done once', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  await stage.scripted('agent', []);
  for (let number = 1; number <= 10; number += 1) {
    const order = { ...ORDER, id: `j${number}` };
    const server = { url: stage.server.url, token: stage.token };
    // Half of them hang up at any time, half when it is in the log.
    const done = () => expect.poll(() => stage.baton.store.run(order.id), { timeout: LONG_MS }).toBeTruthy();
    const request = { where: '/jobs', key: `key-${number}`, body: order };
    await sendAndHangUp(server, { ...request, ...(number % 2 === 0 && { until: done }) });
    const again = await stage.post('/jobs', order, { key: `key-${number}` });
    expect([again.status, again.json.job_id]).toEqual([201, `j${number}`]);
  }
  const { json } = await stage.get('/events?limit=1000');
  expect(json.items?.filter(({ type }) => type === 'JobSubmitted').length).toBe(10);
});

test.skipIf(process.platform !== 'linux')(
  'a server that is killed before it answers has done what it is asked again, once or not yet',
  { timeout: LONG_MS },
  async () => {
    const stage = new JobStage();
    await stage.scripted('agent', []);
    const server = new ServerProcess(stage.home);
    onTestFinished(() => server.stop());
    let committedUnheard = 0;
    for (let number = 1; number <= 4; number += 1) {
      await server.start();
      const ask = async (where: string, method = 'GET', body?: object, key = `key-${number}`) => {
        const headers = { authorization: `Bearer ${server.token}`, 'idempotency-key': key };
        const response = await fetch(`${server.url}/api/v1${where}`, {
          ...{ method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } },
          ...(body && { body: JSON.stringify(body) }),
        });
        return { status: response.status, json: (await response.json()) as Record<string, unknown> };
      };
      await sendAndHangUp(server, { where: '/jobs', key: `key-${number}`, body: ORDER });
      const committed = async () => ((await stage.json('runs', '--kind', 'job')).printed.items as []).length === number;
      // Every other one dies at any time, the others when it is in the log but nobody has heard.
      if (number % 2 === 0) await expect.poll(committed, { timeout: LONG_MS }).toBe(true);
      await server.kill();
      await server.start();
      const before = (await ask('/runs?kind=job')).json.items as unknown[];
      committedUnheard += before.length === number ? 1 : 0;
      const again = await ask('/jobs', 'POST', ORDER);
      expect(again.status).toBe(201);
      const after = (await ask('/runs?kind=job')).json.items as unknown[];
      expect(after.length, 'once, whether it had been heard or not').toBe(number);
      await server.stop();
    }
    expect(committedUnheard, 'some were committed before the kill').toBeGreaterThanOrEqual(2);
  },
);
