import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpSpec } from '../../src/agents/agent-spec.js';
import { httpAdapter } from '../../src/agents/http/http-adapter.js';
import type { Ask } from '../../src/core/kernel/effect.js';

const ASK: Ask = { type: 'Ask', key: 'h1', agent: 'far', attempt: 2, deadlineMs: 0, request: { sha256: '', bytes: 0 } };
const REQUEST = new TextEncoder().encode('{"job_id":"j"}');

type Serve = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function service(serve: Serve): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    serve(request, response, Buffer.concat(chunks).toString());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`;
}

function ask(spec: Partial<HttpSpec> & { url: string }, environment = {}, signal = new AbortController().signal) {
  const adapter = httpAdapter({ adapter: 'http', headerEnv: {}, allowPrivate: true, ...spec }, { environment });
  return adapter({ run: 'j', epoch: 1 }, ASK, REQUEST, signal);
}

describe('a service over HTTP', () => {
  test('is sent the request, with headers from the environment, and its body is the answer', async () => {
    const url = await service(({ method, headers }, response, body) => {
      const { authorization, 'x-baton-handoff': handoff } = headers;
      response.end(JSON.stringify({ method, authorization, handoff, body }));
    });
    const outcome = await ask({ url, headerEnv: { Authorization: 'FAR_TOKEN' } }, { FAR_TOKEN: 'Bearer abc' });
    expect(JSON.parse((outcome as { text: string }).text)).toEqual({
      method: 'POST',
      authorization: 'Bearer abc',
      handoff: 'j/h1/2',
      body: '{"job_id":"j"}',
    });
    expect(await ask({ url, headerEnv: { Authorization: 'NOT_SET' } })).toMatchObject({ failure: 'auth' });
  });

  test.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'http://2130706433/',
    'http://0x7f.1/',
  ])('at %s is only asked when that is allowed', async (url) => {
    expect(await ask({ url, allowPrivate: false })).toMatchObject({ type: 'failed', failure: 'refused' });
  });

  test.each<[number, Record<string, string>, object]>([
    [302, { location: 'http://127.0.0.1:9/' }, { failure: 'refused' }],
    [401, {}, { failure: 'auth' }],
    [429, { 'retry-after': '90' }, { failure: 'limit', retryAfterMs: 90_000 }],
    [500, {}, { failure: 'network' }],
    [422, {}, { failure: 'refused' }],
  ])('that answers %i is what the matrix calls it', async (status, headers, expected) => {
    const url = await service((_, response) => response.writeHead(status, headers).end('no'));
    expect(await ask({ url })).toMatchObject({ type: 'failed', ...expected });
  });

  test('that says too much, goes away or says nothing is left', async () => {
    const endless = await service((_, response) => {
      const write = (): void =>
        void (response.write('x'.repeat(1024 * 1024)) ? setImmediate(write) : response.once('drain', write));
      write();
    });
    expect(await ask({ url: endless })).toMatchObject({
      failure: 'network',
      reason: expect.stringContaining('larger than'),
    });
    const gone = await service((request) => request.socket.destroy());
    expect(await ask({ url: gone })).toMatchObject({ failure: 'network' });
    const silent = await service(() => {});
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await ask({ url: silent }, {}, stop.signal)).toMatchObject({ failure: 'timeout' });
  });
});
