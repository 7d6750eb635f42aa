import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import { type LogLevel, readConfig } from '../../settings/config-file.js';
import { homeFolder, tilde, userFolder } from '../../settings/home.js';
import {
  isAlive,
  localToken,
  readServerFile,
  removeServerFile,
  type ServerFile,
  writeServerFile,
} from '../../settings/server-file.js';
import { sessionFile } from '../../settings/session-file.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { listOption } from '../job/read-options.js';
import { inBaton, type OpenBaton } from '../opened-baton.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { hostOptions } from '../session/host-options.js';
import { untilStopped } from '../until-stopped.js';

/** What opens the API; given by whoever knows the server. */
export type Listen = (
  baton: Baton,
  options: {
    host: string;
    port: number;
    tls?: { cert: string; key: string };
    localToken: string;
    localName: string;
    sessionKeeper: ReturnType<typeof sessionFile>;
    env: Io['env'];
    logLevel: LogLevel;
    writeLog(line: string): void;
  },
) => Promise<{ url: string; close(): Promise<void> }>;

const PORT_DEFAULT = 4770;
const LOOK_AGAIN_MS = 100;
const WAIT_LOOKS = 150;

/** `baton serve`: the API, and the worker of this home. */
export async function runServe(parsed: Parsed, io: Io, open: OpenBaton, listen: Listen): Promise<number> {
  const home = homeFolder(io);
  if (parsed.values.stop) return stopServer(home, parsed, io);
  const running = await runningServer(home);
  if (running) {
    throw new BatonError('INVALID_TRANSITION', `this home is served already at ${running.url}`, { ...running });
  }
  if (parsed.values.detach) return startInBackground(home, parsed, io);
  const stop = untilStopped();
  const token = await localToken(home);
  try {
    return await inBaton(open, { drives: true, claimsAny: parsed.values['no-worker'] !== true }, async (baton) => {
      const log = await logOf(home, parsed, io);
      const who = { localToken: token, localName: io.env.USER || 'local', sessionKeeper: sessionFile(home) };
      const server = await listen(baton, { ...(await addressOf(parsed, io)), ...who, env: io.env, ...log });
      let transports: Awaited<ReturnType<typeof openTransports>> = [];
      try {
        transports = await openTransports(baton, parsed, io);
        const started_at = new Date(baton.clock.nowMs()).toISOString();
        await writeServerFile(home, { pid: process.pid, url: server.url, started_at });
        tell({ pid: process.pid, url: server.url, started_at }, home, parsed, io);
        await new Promise<void>((resolve) => {
          if (stop.signal.aborted) resolve();
          stop.signal.addEventListener('abort', () => resolve());
        });
      } finally {
        await removeServerFile(home, process.pid);
        await Promise.all(transports.map((one) => one.close()));
        await server.close();
      }
      return stop.serverExit();
    });
  } finally {
    stop.forget();
  }
}

/** Sessions for programs that do not speak HTTP. */
async function openTransports(baton: Baton, parsed: Parsed, io: Io): Promise<{ close(): Promise<void> }[]> {
  const addresses = listOption(parsed, 'listen') ?? [];
  if (addresses.length === 0) return [];
  const { listen } = await import('../../transports/listen.js');
  const opened: Awaited<ReturnType<typeof listen>>[] = [];
  try {
    for (const address of addresses) opened.push(await listen(address, hostOptions(baton, io)));
  } catch (problem) {
    await Promise.all(opened.map((one) => one.close()));
    throw problem;
  }
  for (const { address } of opened) {
    if (parsed.values.json) io.out(`${printableJson({ listening: address })}\n`);
    else io.err(`Sessions at ${printable(address)}\n`);
  }
  return opened;
}

async function logOf(home: string, parsed: Parsed, io: Io) {
  const file = textOption(parsed, 'log-file');
  const kept = (await readConfig(home)).server?.log_level;
  const logLevel = (textOption(parsed, 'log-level') ?? kept ?? 'info') as LogLevel;
  if (file === undefined) return { logLevel, writeLog: (line: string) => io.err(line) };
  const { RotatingFile } = await import('../../system/rotating-file.js');
  const rotating = new RotatingFile(path.resolve(io.cwd, file));
  return { logLevel, writeLog: (line: string) => rotating.write(line) };
}

async function addressOf(parsed: Parsed, io: Io) {
  const [cert, key] = [textOption(parsed, 'tls-cert'), textOption(parsed, 'tls-key')];
  if ((cert === undefined) !== (key === undefined)) throw new BatonError('USAGE', 'name both --tls-cert and --tls-key');
  const read = (file: string) => readFile(path.resolve(io.cwd, file), 'utf8');
  return {
    host: textOption(parsed, 'host') ?? '127.0.0.1',
    port: countOption(parsed, 'port', { min: 0, max: 65_535 }) ?? PORT_DEFAULT,
    ...(cert !== undefined && key !== undefined && { tls: { cert: await read(cert), key: await read(key) } }),
  };
}

/** The server of a home, if one lives. */
export async function runningServer(home: string): Promise<ServerFile | undefined> {
  const server = await readServerFile(home);
  return server && isAlive(server.pid) ? server : undefined;
}

async function startInBackground(home: string, parsed: Parsed, io: Io): Promise<number> {
  const words = Object.entries(parsed.values).flatMap(([name, value]) => {
    if (name === 'detach' || name === 'json' || value === undefined || value === false) return [];
    if (Array.isArray(value)) return value.flatMap((one) => [`--${name}`, String(one)]);
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
  tell(await startServer(home, ['serve', ...words], io), home, parsed, io);
  return 0;
}

/** On its own, and waits until it listens. */
export async function startServer(home: string, words: readonly string[], io: Io): Promise<ServerFile> {
  const log = words.includes('--log-file') ? [] : ['--log-file', path.join(home, 'logs', 'server.log')];
  let ended: string | undefined;
  io.again?.([...words, ...log]).ended.then((said) => {
    ended = said;
  });
  for (let looks = 0; looks < WAIT_LOOKS && ended === undefined; looks += 1) {
    await sleep(LOOK_AGAIN_MS);
    const server = await runningServer(home);
    if (server) return server;
  }
  const [why = ''] = (ended ?? '').split('\n');
  const reason = why === '' ? `look why: baton ${words.join(' ')}` : why;
  throw new BatonError('TOOL_FAILED', `the server did not start: ${printable(reason)}`);
}

async function stopServer(home: string, parsed: Parsed, io: Io): Promise<number> {
  const server = await runningServer(home);
  if (!server) {
    if (parsed.values.json) io.out(`${printableJson({ stopped: null })}\n`);
    else io.err('No server runs.\n');
    return 0;
  }
  process.kill(server.pid, 'SIGTERM');
  for (let looks = 0; looks < WAIT_LOOKS && isAlive(server.pid); looks += 1) await sleep(LOOK_AGAIN_MS);
  if (isAlive(server.pid))
    throw new BatonError('TOOL_FAILED', `process ${server.pid} does not end`, { pid: server.pid });
  if (parsed.values.json) io.out(`${printableJson({ stopped: server.url })}\n`);
  else io.err(`${printable(server.url)} is closed. Runs go on when somebody drives them again.\n`);
  return 0;
}

function tell(server: ServerFile, home: string, parsed: Parsed, io: Io): void {
  if (parsed.values.json) {
    io.out(`${printableJson(server)}\n`);
    return;
  }
  const token = tilde(path.join(home, 'token'), userFolder(io.env));
  const lines = [
    `Baton serves at ${server.url}`,
    `  token   ${token}`,
    `  try     curl -H "Authorization: Bearer $(cat ${token})" ${server.url}/api/v1/runs`,
    '  stop    baton serve --stop',
  ];
  for (const line of lines) io.err(`${printable(line)}\n`);
}
