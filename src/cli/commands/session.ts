import type { Baton } from '../../engine/opened-baton.js';
import type { SessionCaller } from '../../engine/session/session-desk.js';
import { eventLine } from '../../transports/event-line.js';
import { serveStdio } from '../../transports/stdio.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { listOption } from '../job/read-options.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printableJson } from '../printable.js';
import { type CursorDesk, cursorDesk } from '../session/cursor-desk.js';
import { findSession } from '../session/find-session.js';
import { hostOptions } from '../session/host-options.js';
import { untilStopped } from '../until-stopped.js';

const INTERRUPTED = 130;
const EVENTS_AT_ONCE = 200;

/** `baton session`: sessions for other programs, over standard input and output or at addresses. */
export const runSession: BatonCommand = async (parsed, io, open) => {
  const stopped = untilStopped();
  try {
    return await inBaton(open, { drives: true }, (baton) => serve(baton, parsed, io, stopped.signal));
  } finally {
    stopped.forget();
  }
};

async function serve(baton: Baton, parsed: Parsed, io: Io, stop: AbortSignal): Promise<number> {
  const addresses = listOption(parsed, 'listen') ?? [];
  const isStdio = parsed.values.stdio === true || addresses.length === 0;
  const options = hostOptions(baton, io);
  const stopping = new Promise<null>((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener('abort', () => resolve(null));
  });
  const listeners: { close(): Promise<void> }[] = [];
  try {
    for (const address of addresses) {
      const { listen } = await import('../../transports/listen.js');
      const listening = await listen(address, options);
      listeners.push(listening);
      io.out(`${printableJson({ listening: listening.address })}\n`);
    }
    if (!isStdio) return await stopping.then(() => 0);
    const first = await firstLine(baton, parsed, io);
    const input = first === null ? process.stdin : await withFirst(first);
    const cursor = cursorDesk(baton.sessions);
    const served = await Promise.race([serveStdio({ ...options, desk: cursor.desk }, input, process.stdout), stopping]);
    if (served === null) return INTERRUPTED;
    if (served.session !== null) await endTask(baton, cursor, served.session, options.local);
    return 0;
  } finally {
    await Promise.all(listeners.map((listener) => listener.close()));
    process.stdin.destroy();
  }
}

/** Who goes on with a session is attached to it before anything else is read. */
async function firstLine(baton: Baton, parsed: Parsed, io: Io): Promise<string | null> {
  const id = textOption(parsed, 'resume');
  if (id === undefined) return null;
  const { run } = await findSession(baton.store, id, io.cwd);
  return `${JSON.stringify({ id: 'resume', op: { type: 'attach', session_id: run } })}\n`;
}

async function withFirst(line: string) {
  const { PassThrough } = await import('node:stream');
  const input = new PassThrough();
  input.write(line);
  process.stdin.pipe(input);
  return input;
}

/** Whoever started the task is gone: nothing of it goes on. Its end is told all the same. */
async function endTask(baton: Baton, { desk, cursorOf }: CursorDesk, session: string, caller: SessionCaller) {
  const { task } = await baton.sessions.state(session);
  if (task === null) return;
  await desk.submit(session, { id: 'end-of-input', op: { type: 'interrupt' } }, { ...caller, client: 'stdio' });
  for (let after = cursorOf(session); ; ) {
    const { events, next } = await desk.events(session, after, EVENTS_AT_ONCE);
    for (const event of events) process.stdout.write(eventLine(event));
    if (next === after) return;
    after = next;
  }
}
