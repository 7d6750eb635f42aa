import { PassThrough, type Readable } from 'node:stream';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { SessionCaller } from '../../engine/session/session-desk.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import { localToken } from '../../settings/server-file.js';
import { eventLine } from '../../transports/event-line.js';
import { serveStdio } from '../../transports/stdio.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { listOption } from '../job/read-options.js';
import { textOption } from '../option-values.js';
import { printableJson } from '../printable.js';
import { type CursorDesk, cursorDesk } from '../session/cursor-desk.js';
import { endOfInput } from '../session/end-of-input.js';
import { findSession } from '../session/find-session.js';
import { hostOptions } from '../session/host-options.js';
import type { SessionCommand } from '../session/opened-sessions.js';
import { relayStdio } from '../session/relay-stdio.js';
import { standingIn } from '../session/session-options.js';
import { type Stopping, untilStopped } from '../until-stopped.js';

const INTERRUPTED = 130;
const EVENTS_AT_ONCE = 200;

/** `baton session`: sessions for other programs, over standard input and output or at addresses. */
export const runSession: SessionCommand = async (parsed, io, open) => {
  const stopped = untilStopped();
  const opened = await open();
  try {
    return 'server' in opened
      ? await relay(opened.server, parsed, io, stopped.signal)
      : await serve(opened.baton, parsed, io, stopped);
  } finally {
    await ('server' in opened ? opened.server : opened.baton).close();
    process.stdin.destroy();
    stopped.forget();
  }
};

async function serve(baton: Baton, parsed: Parsed, io: Io, stop: Stopping): Promise<number> {
  const addresses = listOption(parsed, 'listen') ?? [];
  const isStdio = parsed.values.stdio === true || addresses.length === 0;
  if (!isStdio && parsed.values.resume !== undefined) {
    throw new BatonError('USAGE', 'at an address whoever connects says which session: attach. --resume is for --stdio');
  }
  const options = hostOptions(baton, io);
  // Made with the first use: whoever connects must find it.
  if (addresses.length > 0) await localToken(baton.folder);
  const stopping = whenAborted(stop.signal);
  const listeners: { close(): Promise<void> }[] = [];
  try {
    for (const address of addresses) {
      const { listen } = await import('../../transports/listen.js');
      const listening = await listen(address, options);
      listeners.push(listening);
      io.out(`${printableJson({ listening: listening.address })}\n`);
    }
    if (!isStdio) return await stopping.then(() => stop.serverExit());
    const input = await inputOf({ store: baton.store, isFar: false }, parsed, io);
    const cursor = cursorDesk(baton.sessions);
    const stdio = serveStdio({ ...options, desk: cursor.desk }, input, process.stdout);
    listeners.push(stdio);
    const served = await Promise.race([stdio.served, stopping]);
    if (served === null) return INTERRUPTED;
    if (served.session !== null) await endTask(baton, cursor, served.session, options.local);
    return 0;
  } finally {
    await Promise.all(listeners.map((listener) => listener.close()));
  }
}

/** The same on standard input and output, with the sessions of a server. */
async function relay(server: SessionPlace, parsed: Parsed, io: Io, stop: AbortSignal): Promise<number> {
  if (listOption(parsed, 'listen')) {
    throw new BatonError('USAGE', `${io.env.BATON_URL} listens where it runs: baton serve --listen ADDRESS there`);
  }
  const input = await inputOf(server, parsed, io);
  const client = await server.connect((words) => io.err(`${words}\n`));
  try {
    const relayed = await Promise.race([relayStdio(client, input, process.stdout), whenAborted(stop)]);
    return relayed === null ? INTERRUPTED : 0;
  } finally {
    client.close();
  }
}

function whenAborted(stop: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener('abort', () => resolve(null));
  });
}

/** Who goes on with a session is attached to it before anything else is read. */
async function inputOf(place: Pick<SessionPlace, 'store' | 'isFar'>, parsed: Parsed, io: Io): Promise<Readable> {
  const id = textOption(parsed, 'resume');
  if (id === undefined) return process.stdin;
  const { run } = await findSession(place.store, id, () => standingIn(place, parsed, io));
  const input = new PassThrough();
  input.write(`${JSON.stringify({ id: 'resume', op: { type: 'attach', session_id: run } })}\n`);
  return process.stdin.pipe(input);
}

/** Whoever started the task is gone: nothing of it goes on. Its end is told all the same. */
async function endTask(baton: Baton, { desk, cursorOf }: CursorDesk, session: string, caller: SessionCaller) {
  const { task } = await baton.sessions.state(session);
  if (task === null) return;
  await desk.submit(session, endOfInput(), caller);
  for (let after = cursorOf(session); ; ) {
    const { events, next } = await desk.events(session, after, EVENTS_AT_ONCE);
    for (const event of events) process.stdout.write(eventLine(event));
    if (next === after) return;
    after = next;
  }
}
