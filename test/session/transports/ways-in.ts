import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { SessionClient } from '../../../src/engine/session/session-client.js';
import type { SessionCaller, SessionDesk } from '../../../src/engine/session/session-desk.js';
import { connect } from '../../../src/transports/connect.js';
import { streamClient } from '../../../src/transports/connect-stream.js';
import { connectInProcess } from '../../../src/transports/in-process.js';
import { listen } from '../../../src/transports/listen.js';
import type { HostOptions } from '../../../src/transports/session-host.js';
import { serveStdio } from '../../../src/transports/stdio.js';

export const TOKEN = 'baton_of-anna';

export const ANNA: SessionCaller = { actor: 'anna', role: 'admin', agent: null, client: '', isLocal: true };

export type Opened = { open(token?: string): Promise<SessionClient>; close(): Promise<void>; address?: string };

/** How clients come in. `isLines`: bytes with line feeds between messages. */
export type WayIn = {
  name: string;
  needsToken: boolean;
  isLines: boolean;
  /** One direction can be ended alone. */
  endsHalf: boolean;
  start(options: HostOptions): Promise<Opened>;
};

export function hostOptions(desk: SessionDesk, more: Partial<HostOptions> = {}): HostOptions {
  return {
    desk,
    local: ANNA,
    authenticate: async (token) => (token === TOKEN ? { ...ANNA, isLocal: false } : null),
    ...more,
  };
}

const at =
  (address: () => string) =>
  async (options: HostOptions): Promise<Opened> => {
    const listening = await listen(address(), options);
    return {
      address: listening.address,
      open: (token) => connect(listening.address, token),
      close: () => listening.close(),
    };
  };

async function startUnix(options: HostOptions): Promise<Opened> {
  const folder = mkdtempSync(path.join(tmpdir(), 'baton-unix-'));
  const opened = await at(() => `unix:${path.join(folder, 'session.sock')}`)(options);
  return {
    ...opened,
    async close() {
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every client has a program of its own, as it were. */
async function startStdio(options: HostOptions): Promise<Opened> {
  return {
    async open() {
      const [input, output] = [new PassThrough(), new PassThrough()];
      void serveStdio(options, input, output).served.then(() => output.end());
      return streamClient({ input: output, output: input });
    },
    async close() {},
  };
}

export const WAYS_IN: readonly WayIn[] = [
  {
    ...{ name: 'in-process', needsToken: false, isLines: true, endsHalf: true },
    start: async (options) => ({ open: async () => connectInProcess(options), close: async () => {} }),
  },
  { name: 'stdio', needsToken: false, isLines: true, endsHalf: true, start: startStdio },
  { name: 'unix', needsToken: false, isLines: true, endsHalf: true, start: startUnix },
  { name: 'tcp', needsToken: true, isLines: true, endsHalf: true, start: at(() => 'tcp://127.0.0.1:0') },
  { name: 'websocket', needsToken: true, isLines: true, endsHalf: false, start: at(() => 'ws://127.0.0.1:0') },
  { name: 'http2', needsToken: true, isLines: true, endsHalf: true, start: at(() => 'h2://127.0.0.1:0') },
  { name: 'grpc', needsToken: true, isLines: false, endsHalf: true, start: at(() => 'grpc://127.0.0.1:0') },
];
