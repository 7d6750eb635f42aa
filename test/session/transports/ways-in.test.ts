import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSync } from '@grpc/proto-loader';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { SessionClient } from '../../../src/engine/session/session-client.js';
import type { WireEvent } from '../../../src/engine/session/session-desk.js';
import { parseAddress } from '../../../src/transports/address.js';
import { connect } from '../../../src/transports/connect.js';
import { connectInProcess } from '../../../src/transports/in-process.js';
import { type Listening, listen } from '../../../src/transports/listen.js';
import type { HostOptions } from '../../../src/transports/session-host.js';
import { sessionService } from '../../../src/transports/session-proto.js';
import { BAD_LINES, ENDLESS_LINE } from '../conformance.js';
import { FakeDesk } from '../fake-desk.js';
import { hostOptions, TOKEN, WAYS_IN } from './ways-in.js';

const CONFIGURE = { id: 'c', op: { type: 'configure_session', cwd: '/x' } };
const open: Listening[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'baton-ways-'));
});
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listenAt(address: string, more: Partial<HostOptions> = {}): Promise<string> {
  const listening = await listen(address, hostOptions(new FakeDesk(), more));
  open.push(listening);
  return listening.address;
}

async function allEvents(client: SessionClient): Promise<WireEvent[]> {
  const all: WireEvent[] = [];
  for await (const event of client.events) all.push(event);
  return all;
}

async function firstEvent(client: SessionClient): Promise<WireEvent | undefined> {
  const { value } = await client.events[Symbol.asyncIterator]().next();
  return value;
}

const codeOf = (failure: unknown) => (failure as { code?: string }).code;

describe('addresses', () => {
  test.each(['http://127.0.0.1:1', 'tcp://127.0.0.1', 'tcp://127.0.0.1:99999', 'unix:', 'tcp://user@127.0.0.1:1', ''])(
    '%s is none',
    (address) => {
      expect(() => parseAddress(address)).toThrow(/is no address/);
    },
  );

  test.each(['tcp', 'ws', 'h2', 'grpc'])('%s is served on this machine alone, at the port it says', async (scheme) => {
    for (const host of ['0.0.0.0', '[::]', '192.168.1.1', 'example.org']) {
      await expect(listenAt(`${scheme}://${host}:0`)).rejects.toThrow(/on loopback only/);
    }
    const address = await listenAt(`${scheme}://localhost:0`);
    expect(address).toMatch(new RegExp(`^${scheme}://127\\.0\\.0\\.1:[1-9]\\d+$`));
    expect(codeOf(await listenAt(address).catch((failure) => failure))).toBe('USAGE');
  });
});

describe('a socket of this user', () => {
  const socket = () => path.join(folder, 's.sock');

  test('[R551] is private from the first moment, needs no token and is gone at the end', async () => {
    const address = await listenAt(`unix:${socket()}`);
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['s.sock']);
    const client = await connect(address);
    await client.submit(CONFIGURE);
    expect((await firstEvent(client))?.msg.type).toBe('session_configured');
    await open.pop()?.close();
    expect(existsSync(socket())).toBe(false);
  });

  test('is not taken from somebody who listens', async () => {
    await listenAt(`unix:${socket()}`);
    await expect(listenAt(`unix:${socket()}`)).rejects.toThrow(/somebody else listens/);
    expect((await firstEvent(await connectedTo(`unix:${socket()}`)))?.msg.type).toBe('session_configured');
  });

  test('is replaced when a dead process left it', async () => {
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(path.join(folder, 'first'), resolve));
    // Closing removes the name it was made under; a killed process would have left it.
    renameSync(path.join(folder, 'first'), socket());
    await new Promise((resolve) => dead.close(resolve));
    expect(statSync(socket()).isSocket()).toBe(true);
    const address = await listenAt(`unix:${socket()}`);
    expect((await firstEvent(await connectedTo(address)))?.msg.type).toBe('session_configured');
  });

  test('is never made over another file, in a folder that is not there, or under a name that is too long', async () => {
    writeFileSync(socket(), 'precious');
    chmodSync(socket(), 0o644);
    await expect(listenAt(`unix:${socket()}`)).rejects.toThrow(/is no socket/);
    await expect(listenAt(`unix:${path.join(folder, 'no', 's')}`)).rejects.toThrow(/there is no folder/);
    await expect(listenAt(`unix:${path.join(folder, 'x'.repeat(100))}`)).rejects.toThrow(/too long/);
    expect(readdirSync(folder)).toEqual(['s.sock']);
  });

  async function connectedTo(address: string): Promise<SessionClient> {
    const client = await connect(address);
    await client.submit(CONFIGURE);
    return client;
  }
});

describe.each(['ws', 'h2', 'grpc'])('%s', (scheme) => {
  test('takes a token that comes with the connection instead of the first message', async () => {
    const client = await connect(await listenAt(`${scheme}://127.0.0.1:0`), TOKEN);
    await client.submit(CONFIGURE);
    expect((await firstEvent(client))?.msg.type).toBe('session_configured');
    client.close();
  });

  test('has room again after those that were refused, and after one that could not be looked at', async () => {
    const failures: unknown[] = [];
    const address = await listenAt(`${scheme}://127.0.0.1:0`, {
      ...{ connectionsMax: 2, onFailure: (failure: unknown) => void failures.push(failure) },
      async authenticate(token) {
        if (token === 'broken') throw new Error('the file is gone');
        return token === TOKEN ? { actor: 'eva', role: 'admin', agent: null, client: '', isLocal: false } : null;
      },
    });
    for (const token of ['wrong', 'wrong', 'broken', 'wrong']) {
      const [refusal] = await allEvents(await connect(address, token));
      expect(refusal?.msg.code).toBe(token === 'broken' ? 'INTERNAL' : 'UNAUTHENTICATED');
    }
    expect(failures).toHaveLength(1);
    const client = await connect(address, TOKEN);
    await client.submit(CONFIGURE);
    expect((await firstEvent(client))?.msg.type).toBe('session_configured');
    client.close();
  });

  test('lets go whose token has ended by itself', async () => {
    let counts = true;
    const address = await listenAt(`${scheme}://127.0.0.1:0`, {
      recheckMs: 20,
      authenticate: async () =>
        counts ? { actor: 'eva', role: 'admin', agent: null, client: '', isLocal: false } : null,
    });
    const client = await connect(address, TOKEN);
    await client.submit(CONFIGURE);
    const events = client.events[Symbol.asyncIterator]();
    expect((await events.next()).value?.msg.type).toBe('session_configured');
    counts = false;
    expect((await events.next()).value?.msg.code).toBe('UNAUTHENTICATED');
    expect((await events.next()).done).toBe(true);
  });

  test('refuses one that does not count', async () => {
    const client = await connect(await listenAt(`${scheme}://127.0.0.1:0`), 'wrong');
    const [refusal, ...more] = await allEvents(client);
    expect(refusal?.msg).toMatchObject({ type: 'error', code: 'UNAUTHENTICATED' });
    expect(more).toEqual([]);
  });
});

describe.each(['tcp', 'ws', 'h2', 'grpc'])('%s', (scheme) => {
  test('lets go who does not say who it is', async () => {
    const client = await connect(await listenAt(`${scheme}://127.0.0.1:0`, { unknownMs: 50 }));
    const [refusal, ...more] = await allEvents(client);
    expect(refusal?.msg).toMatchObject({ type: 'error', code: 'UNAUTHENTICATED' });
    expect(more).toEqual([]);
  });

  test('lets go whose token was revoked, and nobody else', async () => {
    let change = () => {};
    let counts = true;
    const address = await listenAt(`${scheme}://127.0.0.1:0`, {
      authenticate: async (token) => {
        const caller = { actor: token, role: 'admin', agent: null, client: '', isLocal: false } as const;
        return counts || token !== 'eva' ? caller : null;
      },
      onTokensChanged: (call) => {
        change = call;
        return () => {};
      },
    });
    const [eva, anna] = [await connect(address, 'eva'), await connect(address, 'anna')];
    for (const client of [eva, anna]) await client.submit(CONFIGURE);
    const iterators = [eva, anna].map((client) => client.events[Symbol.asyncIterator]());
    const next = async (index: number) => (await iterators[index]?.next())?.value as WireEvent | undefined;
    for (const index of [0, 1]) {
      let event = await next(index);
      while (event?.msg.type === 'authenticated') event = await next(index);
      expect(event?.msg.type).toBe('session_configured');
    }
    counts = false;
    change();
    expect((await next(0))?.msg.code).toBe('UNAUTHENTICATED');
    expect(await next(0)).toBeUndefined();
    await anna.submit({ id: 's', op: { type: 'shutdown' } });
    expect((await next(1))?.msg.type).toBe('shutdown_complete');
  });
});

describe('a line without end', () => {
  test.each(WAYS_IN.filter(({ name }) => name !== 'in-process'))('$name', async ({ name, needsToken, start }) => {
    const way = await start(hostOptions(new FakeDesk()));
    const client = await way.open(needsToken ? TOKEN : undefined);
    const events = client.events[Symbol.asyncIterator]();
    // Not waited for: whoever is cut off does not take all of it.
    const sent = client.sendLine(ENDLESS_LINE.line).then(() => client.submit(CONFIGURE));
    const seen: unknown[] = [];
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.msg.type !== 'authenticated') seen.push(next.value.msg.code ?? next.value.msg.type);
      if (next.value.msg.type === 'session_configured') break;
    }
    // Messages with a frame of their own are not even taken in: that ends the connection.
    const isFramed = name === 'websocket' || name === 'grpc';
    expect(seen).toEqual(isFramed ? [] : ['PAYLOAD_TOO_LARGE', 'session_configured']);
    client.close();
    await sent;
    await way.close();
  });
});

test('[R556] half a line and then the end of the connection is answered, and so is all that came before', async () => {
  const address = await listenAt('tcp://127.0.0.1:0');
  const socket = createConnection({ port: Number(address.split(':').at(-1)), host: '127.0.0.1', allowHalfOpen: true });
  const lines = [{ id: 't', op: { type: 'authenticate', token: TOKEN } }, CONFIGURE].map((one) => JSON.stringify(one));
  const bytes = Buffer.from(
    `${lines.join('\r\n')}\r\n{"id":"h","op":{"type":"user_input","items":[{"type":"text","text":"é`,
  );
  // In single bytes, so that every character of several is cut.
  for (const byte of bytes.subarray(0, -1)) socket.write(Buffer.from([byte]));
  socket.end();
  let text = '';
  for await (const chunk of socket) text += chunk;
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as WireEvent);
  expect(events.map(({ msg }) => msg.type).sort()).toEqual(['authenticated', 'error', 'session_configured']);
  expect(events.find(({ msg }) => msg.type === 'error')).toMatchObject({ id: '', msg: { code: 'SCHEMA_INVALID' } });
});

test('pages of other sites, and names that only point here, open no WebSocket, and are told why', async () => {
  const address = await listenAt('ws://127.0.0.1:0');
  const host = address.slice('ws://'.length);
  const tried = (headers: Record<string, string>) => {
    const socket = new WebSocket(address, { headers });
    return new Promise<unknown>((resolve, reject) => {
      socket.on('open', () => {
        socket.terminate();
        resolve('open');
      });
      socket.on('error', reject);
      socket.on('unexpected-response', async (_, response) => {
        const { code, hint } = JSON.parse((await response.toArray()).join(''));
        resolve([response.statusCode, code, hint]);
      });
    });
  };
  expect(await tried({})).toBe('open');
  expect(await tried({ origin: `http://${host}` })).toBe('open');
  expect(await tried({ 'sec-fetch-site': 'same-origin' })).toBe('open');
  const foreign = [403, 'FORBIDDEN', expect.stringMatching(/^Ask from a program/)];
  expect(await tried({ origin: 'https://evil.example' })).toEqual(foreign);
  expect(await tried({ origin: 'null' })).toEqual(foreign);
  expect(await tried({ 'sec-fetch-site': 'cross-site' })).toEqual(foreign);
  const wrong = [421, 'WRONG_HOST', expect.stringMatching(/^Use the address that was printed/)];
  expect(await tried({ host: 'evil.example', origin: 'http://evil.example' })).toEqual(wrong);
});

test('whoever asks over plain HTTP where only WebSockets are opened is told so', async () => {
  const response = await fetch((await listenAt('ws://127.0.0.1:0')).replace('ws', 'http'));
  expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
  expect(await response.json()).toMatchObject({
    allow: false,
    code: 'USAGE',
    hint: expect.stringMatching(/WebSocket/),
  });
});

test.each([
  ['GET', '/session', 405, { code: 'METHOD_NOT_ALLOWED', details: { allowed: ['POST'] } }],
  ['POST', '/', 404, { code: 'ROUTE_NOT_FOUND', hint: expect.stringMatching(/^Send POST \/session/) }],
  ['POST', '/session?x=1', 404, { code: 'ROUTE_NOT_FOUND' }],
])('over HTTP/2 %s %s is refused with %i and the reason', async (method, where, status, problem) => {
  const session = connectHttp2((await listenAt('h2://127.0.0.1:0')).replace('h2', 'http'));
  const stream = session.request({ ':method': method, ':path': where }, { endStream: true });
  const [headers] = await once(stream, 'response');
  const text = (await stream.toArray()).join('');
  session.destroy();
  expect([headers[':status'], headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
  expect(JSON.parse(text)).toMatchObject({ allow: false, ...problem });
});

describe('a hint can be followed', () => {
  test.each(BAD_LINES)('after $what: it names no details that are not there', async ({ line }) => {
    const client = connectInProcess(hostOptions(new FakeDesk()));
    await client.sendLine(line);
    const { hint = '', details = {} } = (await firstEvent(client))?.msg as { hint?: string; details?: object };
    const named = [...hint.matchAll(/details\.(\w+)/g)].map(([, name = '']) => name);
    expect([hint === '', named.filter((name) => !Object.hasOwn(details, name))]).toEqual([false, []]);
    client.close();
  });

  test('by a stranger: it names the message that says who is there', async () => {
    const client = await connect(await listenAt('tcp://127.0.0.1:0'));
    await client.submit(CONFIGURE);
    expect((await firstEvent(client))?.msg.hint).toContain('the first message, authenticate');
    client.close();
  });
});

test('[R555] the published proto file is what is spoken', async () => {
  const file = path.join(import.meta.dirname, '../../../proto/baton/v1/session.proto');
  const published = loadSync(file, { longs: Number, keepCase: true })['baton.v1.Session'] as Awaited<
    ReturnType<typeof sessionService>
  >;
  const spoken = await sessionService();
  const told = (service: typeof spoken) => {
    const { path: where, requestStream, responseStream, responseSerialize, requestSerialize } = service.Connect ?? {};
    const bytes = [
      responseSerialize?.({ id: 'u1', seq: 7, msg: '{}' }),
      responseSerialize?.({ id: 'u1', msg: '{}' }),
      requestSerialize?.({ id: 'u1', op: '{}' }),
    ];
    return { where, requestStream, responseStream, bytes: bytes.map((one) => one?.toString('hex')) };
  };
  expect(told(published)).toEqual(told(spoken));
  expect(told(published).where).toBe('/baton.v1.Session/Connect');
});
