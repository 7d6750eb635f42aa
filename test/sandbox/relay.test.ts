import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.js';
import { openRelay, type Relay, type RelayOptions, type RelayPolicy } from '../../src/sandbox/relay/relay-server.js';
import { PATH, Scene } from './scene.js';

let folder: string;
let echo: net.Server;
let port: number;
let relay: Relay;
const refused: string[] = [];

beforeEach(async () => {
  refused.length = 0;
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-relay-'));
  echo = net.createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const address = echo.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterEach(async () => {
  await relay.close();
  echo.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(policy: Partial<RelayPolicy>, options: RelayOptions = {}): Promise<void> {
  const onRefused = (target: string, reason: string): void => void refused.push(`${target}: ${reason}`);
  relay = await openRelay(path.join(folder, 'r'), { ports: [], hosts: [], ...policy }, { onRefused, ...options });
}

/** All that comes back before the other side ends. */
function say(text: string, where: net.NetConnectOpts = { path: relay.socket }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ ...where, allowHalfOpen: true } as net.NetConnectOpts);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.once('error', reject).once('close', () => resolve(heard));
    socket.end(text);
  });
}

const connect = (target: string, rest = ''): string => `proxy\nCONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n${rest}`;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

describe('the relay', () => {
  test('forwards to a listed port of loopback, whole and in both directions', async () => {
    await open({ ports: [port] });
    const much = 'x'.repeat(1_000_000);
    expect(await say(`forward ${port}\n${much}`)).toBe(much);
    expect(refused).toEqual([]);
  });

  test.each(['forward 1', 'forward', 'forward 0x50', 'forward 443 extra', 'GET / HTTP/1.1', ''])(
    'forwards nothing for %j',
    async (word) => {
      await open({ ports: [port] });
      expect(await say(`${word}\nhello`)).toBe('');
      expect(refused).toHaveLength(1);
    },
  );

  test('connects to a listed host, at the address that was checked', async () => {
    const asked: string[] = [];
    const resolve = async (host: string): Promise<string[]> => {
      asked.push(host);
      return ['127.0.0.1'];
    };
    await open({ hosts: [{ host: 'models.test', port, mayBePrivate: true }] }, { resolve });
    expect(await say(connect(`models.test:${port}`, 'hello'))).toBe(`${ESTABLISHED}hello`);
    expect(asked).toEqual(['models.test']);
  });

  test.each([
    ['a host that is not listed', 'evil.test', ['93.184.216.34'], 'is not a host that may be reached'],
    ['a listed host that leads to this machine', 'models.test', ['127.0.0.1'], 'leads to this machine'],
    ['one that does so with one of its addresses', 'models.test', ['93.184.216.34', '10.0.0.1'], 'leads to this'],
    ['a number', '127.0.0.1', [], 'is not a host that may be reached'],
    ['a number in disguise', '2130706433', ['127.0.0.1'], 'not a host and a port'],
  ])('refuses %s and says so', async (_, host, addresses, reason) => {
    await open({ hosts: [{ host: 'models.test', port }] }, { resolve: async () => addresses });
    const heard = await say(connect(`${host}:${port}`, 'hello'));
    expect(heard).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(heard).toContain(reason);
    expect(refused).toEqual([expect.stringContaining(reason)]);
  });

  test('refuses a neighbour, whose address may be public', async () => {
    const netmask = 'ffff:ffff:ffff:ffff::';
    const own = { address: '2a00:1450:1::1', cidr: '2a00:1450:1::1/64', netmask, scopeid: 0 };
    const interfaces = () => ({ eth0: [{ ...own, family: 'IPv6' as const, mac: '', internal: false }] });
    const resolve = async (host: string) => [host === 'beside.test' ? '2a00:1450:1::7' : '2a00:1450:2::7'];
    const unreached: string[] = [];
    const onUnreached = (target: string) => void unreached.push(target);
    const hosts = ['beside.test', 'far.test'].map((host) => ({ host, port: 1 }));
    await open({ hosts }, { resolve, interfaces, onUnreached });
    expect(await say(connect('beside.test:1'))).toContain('leads to this machine or its network');
    expect(unreached).toEqual([]);
  });

  test('tells whom it could not reach, apart from whom it refuses', async () => {
    const unreached: string[] = [];
    const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND'));
    const onUnreached = (target: string) => void unreached.push(target);
    await open({ hosts: [{ host: 'gone.test' }] }, { resolve, onUnreached });
    expect(await say(connect('gone.test:443'))).toMatch(/^HTTP\/1\.1 502 /);
    await say(connect('evil.test:443'));
    expect([unreached, refused.length]).toEqual([['gone.test:443'], 1]);
  });

  test('refuses what is not CONNECT', async () => {
    await open({ hosts: [{ host: 'models.test' }] });
    expect(await say('proxy\nGET http://models.test/ HTTP/1.1\r\n\r\n')).toContain('only CONNECT is relayed');
  });

  test('does not read for ever', async () => {
    await open({ ports: [port] });
    expect(await say('f'.repeat(100_000)).catch(() => '')).toBe('');
    expect(await say(`proxy\n${'x'.repeat(100_000)}`).catch(() => '502')).toContain('502');
  });

  test('may listen on loopback too, for hosts alone', async () => {
    const hosts = [{ host: 'models.test', port, mayBePrivate: true }];
    await open({ hosts, ports: [port] }, { onLoopback: true, resolve: async () => ['127.0.0.1'] });
    const where = { host: '127.0.0.1', port: relay.proxyPort ?? 0 };
    expect(await say(connect(`models.test:${port}`, 'hi').slice('proxy\n'.length), where)).toBe(`${ESTABLISHED}hi`);
    expect(await say(`forward ${port}\r\n\r\nhi`, where)).toContain('403');
  });
});

describe.runIf(process.platform === 'linux')('a command in the sandbox', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });
  afterEach(() => scene.clear());

  const request = (to: number, text: string): string[] => [
    'perl',
    '-e',
    `use Socket; $| = 1; socket(S, PF_INET, SOCK_STREAM, 0); connect(S, pack_sockaddr_in(${to}, inet_aton("127.0.0.1"))) ` +
      `or die "no: $!"; syswrite(S, "${text}"); shutdown(S, 1); print while <S>;`,
  ];

  test('reaches a listed port of this machine under the same number, and no other', async () => {
    const { sandbox } = await chooseSandbox('bwrap', PATH);
    await open({ ports: [port] });
    const network = { type: 'relay', socket: relay.socket, ports: [port], hosts: 'none' } as const;
    expect(await scene.run(sandbox, request(port, 'hello\\n'), { network })).toMatchObject({ stdout: 'hello\n' });
    expect((await scene.run(sandbox, request(port + 1, 'hello\\n'), { network })).stderr).toContain(
      'Connection refused',
    );
  });

  test('finds the proxy in its environment and reaches listed hosts through it', async () => {
    const { sandbox } = await chooseSandbox('bwrap', PATH);
    const hosts = [{ host: 'models.test', port, mayBePrivate: true }];
    await open({ hosts }, { resolve: async () => ['127.0.0.1'] });
    const network = { type: 'relay', socket: relay.socket, ports: [], hosts: 'through-proxy' } as const;
    const { stdout } = await scene.run(sandbox, ['sh', '-c', 'echo $HTTPS_PROXY'], { network });
    const proxy = Number(new URL(stdout.trim()).port);
    const asking = (host: string): string[] => request(proxy, `CONNECT ${host}:${port} HTTP/1.1\\r\\n\\r\\nhello\\n`);
    expect((await scene.run(sandbox, asking('models.test'), { network })).stdout).toBe(`${ESTABLISHED}hello\n`);
    expect((await scene.run(sandbox, asking('evil.test'), { network })).stdout).toContain('403 Forbidden');
  });

  test('is not the parent of the relay, for which it would wait for ever', async () => {
    const { sandbox } = await chooseSandbox('bwrap', PATH);
    await open({ ports: [port] });
    const network = { type: 'relay', socket: relay.socket, ports: [port], hosts: 'none' } as const;
    expect((await scene.run(sandbox, ['perl', '-e', '1 while wait() != -1; print "over"'], { network })).stdout).toBe(
      'over',
    );
  });

  test('gets no further by talking to the socket itself', async () => {
    const { sandbox } = await chooseSandbox('bwrap', PATH);
    await open({ ports: [port] });
    const network = { type: 'relay', socket: relay.socket, ports: [port], hosts: 'none' } as const;
    const program = `use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("/run/baton/relay")) or die "no: $!"; syswrite(S, "forward 22\\n"); print while <S>;`;
    expect((await scene.run(sandbox, ['perl', '-e', program], { network })).stdout).toBe('');
    expect(refused).toEqual(['127.0.0.1:22: this port is not listed']);
  });
});
