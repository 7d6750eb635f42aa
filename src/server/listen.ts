import type { AddressInfo } from 'node:net';
import { BatonError } from '../contracts/shared/errors.js';
import type { Baton } from '../engine/opened-baton.js';
import type { OwnAddress } from '../transports/same-site.js';
import { createApp } from './create-app.js';
import { Access, type LocalToken } from './guard/access.js';
import type { SessionKeeper } from './guard/sessions.js';
import { createServerLog, type LogLevel } from './log/server-log.js';
import { type Environment, openTelemetry } from './telemetry/telemetry.js';

export type ListenOptions = LocalToken & {
  host: string;
  /** 0 takes a free one. */
  port: number;
  tls?: { cert: string; key: string };
  version: string;
  consoleFolder?: string;
  sessionKeeper: SessionKeeper;
  env: Environment;
  logLevel: LogLevel;
  /** Gets the lines of the log. */
  writeLog(line: string): void;
};
export type Listening = { url: string; close(): Promise<void> };

const LOOPBACK = new Set(['127.0.0.1', '::1']);

/** Opens the API at an address. Off loopback only with TLS: whoever listens on the wire would have every token. */
export async function listen(baton: Baton, options: ListenOptions): Promise<Listening> {
  const { host, port, tls, version, logLevel, writeLog } = options;
  if (!tls && !LOOPBACK.has(host)) {
    throw new BatonError('USAGE', `${host} is not this machine alone: name --tls-cert and --tls-key`, { host });
  }
  const log = createServerLog({ level: logLevel, scrub: baton.scrub, write: writeLog });
  baton.logTo(log.note);
  const telemetry = await openTelemetry(options.env, { store: baton.store, version, log: log.note });
  const access = new Access(baton, options);
  await access.load();
  let address: OwnAddress = { host: '', origin: '' };
  const app = await createApp({
    ...{ baton, access, version, log, telemetry },
    sessionKeeper: options.sessionKeeper,
    address: () => address,
    ...(tls && { https: tls }),
    ...(options.consoleFolder !== undefined && { consoleFolder: options.consoleFolder }),
  });
  const close = async (): Promise<void> => {
    access.close();
    await app.close();
  };
  await app.listen({ host, port }).catch(async (failure: NodeJS.ErrnoException) => {
    await close();
    throw listenProblem(failure, host, port);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  const own = `${name}:${(app.server.address() as AddressInfo).port}`;
  address = { host: own, origin: `${tls ? 'https' : 'http'}://${own}` };
  log.note('info', 'listening', { url: address.origin, version });
  return {
    url: address.origin,
    async close() {
      await close();
      log.note('info', 'closed');
    },
  };
}

function listenProblem({ code, message }: NodeJS.ErrnoException, host: string, port: number): BatonError {
  const taken = code === 'EADDRINUSE';
  const reason = taken ? `somebody else listens at ${host}:${port}; choose another with --port` : message;
  return new BatonError('USAGE', reason, { host, port });
}
