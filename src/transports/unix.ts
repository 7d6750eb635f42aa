import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { BatonError } from '../contracts/shared/errors.js';
import type { Place } from './address.js';
import type { Listening } from './listen.js';
import { closeServer, listenAt } from './listen-at.js';
import { serveStream } from './serve-stream.js';
import type { SessionHost } from './session-host.js';
import { socketServer } from './tcp.js';

/** What the system takes, less its closing zero. */
const PATH_BYTES_MAX = 107;

/**
 * Only this user may open the socket, so nobody there needs a token. It is made in a folder of its own and moved into
 * its place when its mode is right: at no time could somebody else have connected.
 */
export async function listenUnix(place: Place, host: SessionHost): Promise<Listening> {
  const file = path.resolve((place as { path: string }).path);
  const private_ = mkdtempSync(path.join(parentOf(file), '.b-'));
  const made = path.join(private_, 's');
  try {
    if (Math.max(Buffer.byteLength(file), Buffer.byteLength(made)) > PATH_BYTES_MAX) {
      throw new BatonError('USAGE', `${file} is too long for a socket: at most ${PATH_BYTES_MAX} bytes`, { file });
    }
    await refuseTaken(file);
    const server = socketServer((socket) => void serveStream(host, { input: socket, output: socket, isLocal: true }));
    await listenAt(server, { path: made });
    chmodSync(made, 0o600);
    const own = statSync(made);
    renameSync(made, file);
    return {
      address: `unix:${file}`,
      async close() {
        if (lookAt(file)?.ino === own.ino) rmSync(file, { force: true });
        await closeServer(server);
      },
    };
  } finally {
    rmSync(private_, { recursive: true, force: true });
  }
}

function parentOf(file: string): string {
  const parent = path.dirname(file);
  if (lookAt(parent)) return parent;
  throw new BatonError('USAGE', `there is no folder ${parent} for the socket`, { file });
}

/** A socket that a dead process left behind is replaced; one that answers is not, and neither is any other file. */
async function refuseTaken(file: string): Promise<void> {
  const found = lookAt(file);
  if (!found) return;
  if (!found.isSocket()) throw new BatonError('USAGE', `${file} exists and is no socket`, { file });
  if (await answers(file)) throw new BatonError('USAGE', `somebody else listens at unix:${file}`, { file });
}

function answers(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(file);
    const tell = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => tell(true));
    // Only this says that nobody is there; what may not be asked, or is asked too often, may be somebody's.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => tell(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}

function lookAt(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}
