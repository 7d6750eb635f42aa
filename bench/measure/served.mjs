// `baton serve` as a process of its own with everything on, and clients enough that nobody is turned away for haste.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/baton.cjs', import.meta.url));
const TICKS_A_SECOND = 100;

const started = [];

/** Nothing of them is left afterwards, and nothing is written any more. */
export async function endAll() {
  for (const child of started.splice(0)) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

export async function startServer(home) {
  const words = ['serve', '--port', '0', '--json', '--log-file', path.join(home, 'server.log')];
  const env = { ...process.env, BATON_HOME: home };
  const child = spawn(process.execPath, [BIN, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const token = readFileSync(path.join(home, 'token'), 'utf8').trim();
  return { url: JSON.parse(line).url, token, pid: child.pid };
}

export async function startEcho() {
  const child = fork(fileURLToPath(new URL('echo-process.mjs', import.meta.url)));
  started.push(child);
  const [url] = await once(child, 'message');
  return url;
}

/** The server in a process that can be asked what it holds. */
export async function startHeap(bundle, home) {
  const script = fileURLToPath(new URL('heap-process.mjs', import.meta.url));
  const child = fork(script, [bundle, home], { execArgv: ['--expose-gc'] });
  started.push(child);
  const [{ url, token }] = await once(child, 'message');
  const heapKb = async () => {
    child.send('heap');
    return (await once(child, 'message'))[0];
  };
  return { url, token, heapKb };
}

/** A server takes 200 requests a second of one name: as many tokens as it takes to be faster. */
export async function manyTokens({ url, token }, count) {
  const client = new Client(20);
  const tokens = [];
  for (let number = 0; number < count; number += 1) {
    const body = { name: `bench-${number}`, role: 'admin' };
    tokens.push((await client.json(url, { method: 'POST', path: '/api/v1/tokens', token, body })).token);
    await new Promise((resolve) => setTimeout(resolve, 6));
  }
  return tokens;
}

export class Client {
  constructor(connections) {
    this.connections = connections;
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** So many requests, as many at once as there are connections; `make` says what the next one is. */
  async many(url, count, make) {
    let sent = 0;
    const one = async () => {
      while (sent < count) await this.send(url, make(sent++));
    };
    await Promise.all(Array.from({ length: this.connections }, one));
  }

  async json(url, what) {
    return JSON.parse(await this.send(url, what));
  }

  send(url, { method = 'GET', path: where, token, body }) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${where}`, { method, headers, agent: this.agent }, (response) => {
        let said = '';
        response.setEncoding('utf8').on('data', (piece) => {
          said += piece;
        });
        response.on('end', () => {
          if (response.statusCode < 300) resolve(said);
          else reject(new Error(`${method} ${where}: ${response.statusCode} ${said.slice(0, 200)}`));
        });
      });
      sent.on('error', reject).end(text);
    });
  }
}

/** Of a process on Linux; not a number elsewhere. */
export function cpuSecondsOf(pid) {
  try {
    const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return Number.NaN;
  }
}
