import { spawn } from 'node:child_process';
import path from 'node:path';
import { BatonError, isErrorCode } from '../../contracts/shared/errors.js';
import { homeFolder } from '../../settings/home.js';
import { writeAtomically } from '../../system/atomic-write.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { printable, printableJson } from '../printable.js';
import { runningServer, startServer } from './serve.js';

type Link = { url: string; seconds: number };
type Server = { url: string; token: string };
/** The server to work through, if there is one. */
export type Reach = (io: Io) => Promise<Server | undefined>;

/** `baton console`: a link that logs a browser in once. Starts the server of the home when none is there. */
export async function runConsole(parsed: Parsed, io: Io, reach: Reach): Promise<number> {
  const home = homeFolder(io);
  const link = await linkOf((await reach(io)) ?? (await started(home, io, reach)));
  if (parsed.values.json) {
    io.out(`${printableJson(link)}\n`);
    return 0;
  }
  io.out(`${printable(link.url)}\n`);
  io.err(`It works once, for ${link.seconds} seconds.\n`);
  if (io.terminal.out && parsed.values['no-open'] !== true) await openPage(home, link);
  return 0;
}

/** Whoever does not show that it serves this home is not told its token, whatever server.json says. */
async function started(home: string, io: Io, reach: Reach): Promise<Server> {
  const { url, pid } = (await runningServer(home)) ?? (await startServer(home, ['serve'], io));
  const server = await reach(io);
  if (server) return server;
  const reason = `${url} does not answer as the server of this home; if process ${pid} is another program, remove server.json`;
  throw new BatonError('SERVER_UNREACHABLE', reason, { url, pid });
}

async function linkOf({ url, token }: Server): Promise<Link> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/console/links`, { method: 'POST', headers }).catch((failure) => {
    throw new BatonError('SERVER_UNREACHABLE', `${url} does not answer: ${failure.message}`);
  });
  const said = (await answer.json()) as Link & { code: string; reason: string };
  if (answer.ok) return said;
  throw new BatonError(isErrorCode(said.code) ? said.code : 'SERVER_UNREACHABLE', said.reason);
}

/**
 * The words a program is started with can be read by everybody on the machine, so the browser is given a page that
 * leads there and lies where only its owner can read it.
 */
async function openPage(home: string, { url }: Link): Promise<void> {
  const file = path.join(home, 'login.html');
  const lead = `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Baton</title>\n`;
  await writeAtomically(file, lead, { mode: 0o600 });
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [file], { detached: true, stdio: 'ignore' });
  // Without one the link that was printed is enough.
  child.on('error', () => {});
  child.unref();
}
