import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBaton } from '../../src/wiring.js';
import { ServerStage } from './server-stage.js';
import { type Heard, messagesOf } from './sse-client.js';

const LONG_MS = 120_000;
const DRAFT = { prompt: 'Wait', agent: 'human', supervisor: 'none' };

/** Keeps what a stream says until the test ends. */
function listening(stage: ServerStage, where: string, last?: string): Heard[] {
  const heard: Heard[] = [];
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const how = { token: stage.token, signal: leave.signal, ...(last !== undefined && { last }) };
  void (async () => {
    for await (const one of messagesOf(`${stage.server.url}/api/v1${where}`, how)) heard.push(one);
  })().catch(() => {});
  return heard;
}

const positions = (heard: readonly Heard[]): number[] => heard.map(({ data }) => data.position);

test('a stream begins behind its cursor; the last id wins over after', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  for (const id of ['a', 'b', 'c']) await stage.post('/jobs', { ...DRAFT, id });
  const all = (await stage.get('/events')).json.items ?? [];
  const last = Number(all.at(-1)?.position);
  expect((await stage.get(`/events?after=${last - 1}`)).json.items).toEqual(all.slice(-1));
  const whole = listening(stage, '/events');
  const after = listening(stage, `/events?after=${last - 1}`);
  const lastId = listening(stage, `/events?after=${last - 1}`, '1');
  await vi.waitUntil(() => whole.length === last && after.length === 1 && lastId.length === last - 1, {
    timeout: 9_000,
  });
  expect(whole.map(({ data }) => data)).toEqual(all);
  expect(whole.map(({ id }) => Number(id))).toEqual(positions(whole));
  expect([positions(after), positions(lastId)[0]]).toEqual([[last], 2]);
  const page = await stage.get('/events?limit=2');
  expect([page.json.items?.length, page.json.next]).toEqual([2, '2']);
});

test('what other processes commit is heard, and streams of a run tell of that run', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  await stage.post('/jobs', { ...DRAFT, id: 'a' });
  const all = listening(stage, '/events');
  const own = listening(stage, '/runs/a/events');
  await vi.waitUntil(() => own.length === 1, { timeout: 9_000 });
  const other = await openBaton({ home: stage.home, env: {}, cwd: stage.repo, writer: 'main' });
  onTestFinished(() => other.close());
  await other.jobs.create({ ...DRAFT, id: 'b' }, { actor: 'other' });
  await other.jobs.send('a', { type: 'Cancel' }, { actor: 'other' });
  await vi.waitUntil(() => own.length === 2 && all.length >= 3, { timeout: 9_000 });
  expect(own.map(({ data }) => [data.run_id, data.seq, data.type])).toEqual([
    ['a', 1, 'JobSubmitted'],
    ['a', 2, 'JobCanceled'],
  ]);
  expect(positions(all)).toEqual(all.map((_, index) => index + 1));
  // A server that has just started has nothing in its memory.
  await stage.close();
  await stage.open();
  const again = listening(stage, '/runs/a/events');
  await vi.waitUntil(() => again.length >= 2, { timeout: 9_000 });
  expect(again).toEqual(own);
  const { json, status } = await stage.get('/runs/none/events', { headers: { accept: 'text/event-stream' } });
  expect([status, json.code]).toEqual([404, 'RUN_NOT_FOUND']);
});

test('who comes while much is written misses nothing and hears nothing twice', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const streams: Heard[][] = [];
  for (let number = 0; number < 60; number += 1) {
    await stage.baton.jobs.create({ ...DRAFT, id: `j${number}` }, { actor: 'test' });
    if (number % 6 === 0) streams.push(listening(stage, '/events'));
  }
  const last = await stage.baton.store.position();
  await vi.waitUntil(() => streams.every((heard) => heard.length >= last), { timeout: 30_000 });
  for (const heard of streams) expect(positions(heard)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
});

test('a reader that takes nothing takes no memory: what it has not taken stays in the store', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  const { hostname, port, host } = new URL(stage.server.url);
  const description = 'x'.repeat(30_000);
  for (let number = 0; number < 400; number += 1) {
    await stage.baton.jobs.create({ ...DRAFT, checks: [[description]] }, { actor: 'test' });
  }
  const before = process.memoryUsage();
  const asleep = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.pause();
      const head = [`Host: ${host}`, `Authorization: Bearer ${stage.token}`, 'Accept: text/event-stream'];
      socket.write(`GET /api/v1/events HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
      return socket;
    }),
  );
  onTestFinished(() => {
    for (const socket of asleep) socket.destroy();
  });
  await sleep(1_000);
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  // Each could take all 12 MB: 600 MB if the server kept it for them.
  expect(grown / 2 ** 20).toBeLessThan(200);
  const awake = listening(stage, '/events');
  const last = await stage.baton.store.position();
  await vi.waitUntil(() => awake.length === last, { timeout: 30_000 });
});

test('streams say that they live', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const headers = { authorization: `Bearer ${stage.token}`, accept: 'text/event-stream' };
  const leave = new AbortController();
  const response = await fetch(`${stage.server.url}/api/v1/events`, { headers, signal: leave.signal });
  expect(response.headers.get('cache-control')).toBe('no-store');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while ((text.match(/^: $/gm) ?? []).length < 2) text += (await reader?.read())?.value ?? '';
  leave.abort();
});
