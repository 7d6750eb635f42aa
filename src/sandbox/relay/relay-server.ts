/**
 * The outer side of a sandbox's network: one Unix socket per sandbox, which is therefore all the proof of identity it
 * needs. Each connection begins with a line:
 *
 *   forward PORT   then bytes to and from that port of this machine's loopback, when it is listed
 *   proxy          then one HTTP CONNECT to a listed host
 *
 * R1. A name is resolved here, once, and the address that was checked is the one that is connected to.
 * R2. Whatever is not allowed is answered and reported, never silently dropped.
 * R3. Connections, first bytes and waiting are bounded; no bytes are kept.
 */
import { lookup } from 'node:dns/promises';
import { chmodSync, rmSync } from 'node:fs';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { type HostRule, nameOf, readTarget, ruleFor, type Target } from './host-rules.js';
import { type Interfaces, isInOwnNetwork } from './own-networks.js';
import { isPublicAddress } from './public-address.js';
import { readHead } from './read-head.js';
import { FORWARD, PROXY } from './relay-inside.js';

export type RelayPolicy = {
  /** Of loopback, outside: the metering proxy and whatever else is meant to be reached. */
  ports: readonly number[];
  hosts: readonly HostRule[];
  /** Refused even so. */
  isClosed?(host: string): boolean;
};

export type RelayOptions = {
  /** Gets what was asked for and why it was refused. Must not throw. */
  onRefused?: (target: string, reason: string) => void;
  /** Gets what was allowed and could not be reached. Must not throw. */
  onUnreached?: (target: string) => void;
  resolve?: (host: string) => Promise<readonly string[]>;
  interfaces?: () => Interfaces;
  /** Also takes `proxy` connections, without their first line, on a port of loopback that it chooses. */
  onLoopback?: boolean;
};

export type Relay = { socket: string; proxyPort: number | undefined; close(): Promise<void> };

/** Of one sandbox. All that run at once share the connections of the metering proxy. */
const CONNECTIONS_MAX = 128;
const HEAD_MS_MAX = 10_000;
const CONNECT_MS_MAX = 15_000;
const WORD_BYTES_MAX = 64;
const CONNECT_BYTES_MAX = 8 * 1024;
const LOOPBACK = '127.0.0.1';

class Refused extends Error {
  override readonly name = 'Refused';
  readonly target: string;
  constructor(target: string, reason: string) {
    super(reason);
    this.target = target;
  }
}

/** Listens at `socket`, a path that only this user can reach. */
export async function openRelay(socket: string, policy: RelayPolicy, options: RelayOptions = {}): Promise<Relay> {
  const bySocket = await listening(socket, options, (inner) => serve(inner, policy, options));
  chmodSync(socket, 0o600);
  const byPort = options.onLoopback
    ? await listening({ port: 0, host: LOOPBACK }, options, (inner) => serveProxy(inner, policy, options))
    : undefined;
  return {
    socket,
    proxyPort: byPort?.port,
    async close() {
      await Promise.all([bySocket.close(), byPort?.close()]);
      rmSync(socket, { force: true });
    },
  };
}

async function listening(
  where: string | net.ListenOptions,
  { onRefused }: RelayOptions,
  handle: (inner: net.Socket) => Promise<void>,
): Promise<{ port: number | undefined; close(): Promise<void> }> {
  const open = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (inner) => {
    open.add(inner);
    inner.on('error', () => inner.destroy()).once('close', () => open.delete(inner));
    handle(inner).catch((problem) => {
      if (problem instanceof Refused) onRefused?.(problem.target, problem.message);
      inner.destroySoon();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : undefined,
    close: () =>
      new Promise((resolve) => {
        for (const one of open) one.destroy();
        server.close(() => resolve());
      }),
  };
}

async function serve(inner: net.Socket, policy: RelayPolicy, options: RelayOptions): Promise<void> {
  const [word, argument] = (await readHead(inner, '\n', { bytesMax: WORD_BYTES_MAX, msMax: HEAD_MS_MAX })).split(' ');
  if (word === FORWARD) return join(inner, await forwarded(argument ?? '', policy));
  if (word !== PROXY) throw new Refused(String(word), 'the relay was not asked in its own words');
  return serveProxy(inner, policy, options);
}

async function serveProxy(inner: net.Socket, policy: RelayPolicy, options: RelayOptions): Promise<void> {
  try {
    const outer = await proxied(inner, policy, options);
    inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
    join(inner, outer);
  } catch (problem) {
    const { status, reason } = answerOf(problem);
    inner.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`);
    throw problem;
  }
}

async function forwarded(digits: string, { ports }: RelayPolicy): Promise<net.Socket> {
  const port = Number(digits);
  if (!ports.includes(port)) throw new Refused(`${LOOPBACK}:${digits}`, 'this port is not listed');
  return connected({ host: LOOPBACK, port });
}

async function proxied(
  inner: net.Socket,
  { hosts, isClosed }: RelayPolicy,
  options: RelayOptions,
): Promise<net.Socket> {
  const head = await readHead(inner, '\r\n\r\n', { bytesMax: CONNECT_BYTES_MAX, msMax: HEAD_MS_MAX });
  const [method = '', text = ''] = (head.split('\r\n')[0] ?? '').split(' ');
  if (method !== 'CONNECT') throw new Refused(text, 'only CONNECT is relayed: use https');
  const target = readTarget(text);
  if (!target) throw new Refused(text, 'this is not a host and a port');
  const rule = ruleFor(target, hosts);
  if (!rule || isClosed?.(nameOf(target))) throw new Refused(text, `${text} is not a host that may be reached`);
  try {
    return await connected({ host: await addressOf(target, rule, options), port: target.port });
  } catch (problem) {
    if (!(problem instanceof Refused)) options.onUnreached?.(text);
    throw problem;
  }
}

async function addressOf(
  { host }: Target,
  { mayBePrivate = false }: HostRule,
  { resolve = resolveAll, interfaces = networkInterfaces }: RelayOptions,
): Promise<string> {
  const addresses = net.isIP(host) !== 0 ? [host] : await resolve(host);
  const [address] = addresses;
  // All of them: a name that leads to this machine with one of its addresses is not one to be trusted with the others.
  const isFar = (one: string) => isPublicAddress(one) && !isInOwnNetwork(one, interfaces());
  if (!mayBePrivate && !addresses.every(isFar)) {
    throw new Refused(host, `${host} leads to this machine or its network`);
  }
  if (address === undefined) throw new Error(`${host} has no address`);
  return address;
}

async function resolveAll(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

function connected(target: Target): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const outer = net.connect({ ...target, allowHalfOpen: true, noDelay: true });
    const timer = setTimeout(() => outer.destroy(new Error('no answer in time')), CONNECT_MS_MAX);
    outer.once('close', () => clearTimeout(timer));
    outer.once('error', reject);
    outer.once('connect', () => {
      clearTimeout(timer);
      resolve(outer);
    });
  });
}

function join(inner: net.Socket, outer: net.Socket): void {
  outer.on('error', () => inner.destroy()).once('close', () => inner.destroySoon());
  inner.once('close', () => outer.destroySoon());
  if (inner.destroyed) outer.destroy();
  inner.pipe(outer).pipe(inner);
}

function answerOf(problem: unknown): { status: string; reason: string } {
  const reason = problem instanceof Error ? problem.message : String(problem);
  if (problem instanceof Refused) return { status: '403 Forbidden', reason };
  return { status: '502 Bad Gateway', reason };
}
