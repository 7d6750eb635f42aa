import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ServerProcess } from '../../server/server-process.js';
import { messagesOf } from '../../server/sse-client.js';
import type { Report } from '../stage/report.js';

type Library = typeof import('../../../src/index.js');
type Writer = Awaited<ReturnType<Library['openBaton']>>;

/** What the listener does wrong with what it has heard last. */
export type ListenerBug = 'forgets-the-last' | 'skips-one';
export type StreamsOptions = { root: string; resumes: number; seed: number; planted?: ListenerBug };

const QUIET_MS_MAX = 30_000;
const WRITE_EVERY_MS = 5;
const HEARD_MAX = 40;

/**
 * Somebody listens to the server while another process writes; again and again the listener hangs up, every other time
 * the server is killed as well, and the listener comes back with the last id it has heard.
 */
export async function streamsHarness({ root, resumes, seed, planted }: StreamsOptions): Promise<Report> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-streams-'));
  const home = path.join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const server = new ServerProcess(home, { bin: path.join(root, 'bin/baton.cjs') });
  const { openBaton }: Library = await import(pathToFileURL(path.join(root, 'dist/lib/index.js')).href);
  const baton = await openBaton({ home, env: { PATH: process.env.PATH } });
  const writing = startWriting(baton);
  const heard: number[] = [];
  let kills = 0;
  try {
    await server.start();
    const random = numbersFrom(seed);
    for (let resume = 0; resume < resumes; resume += 1) {
      const cut = new AbortController();
      await listen(server, heard, { planted, signal: cut.signal, enough: 1 + (random() % HEARD_MAX) });
      const killed = resume % 2 === 1;
      if (killed) await server.kill();
      cut.abort();
      if (!killed) continue;
      kills += 1;
      await server.start();
    }
    await writing.stop();
    const written = await lastPosition(baton);
    await listen(server, heard, { planted, signal: AbortSignal.timeout(QUIET_MS_MAX), upTo: written });
    const what = `streams, ${resumes} resumes, ${kills} kills, seed ${seed}`;
    return { what, ...compare(heard, written), problems: [], notes: [`${written} events`] };
  } finally {
    await writing.stop();
    await baton.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Until = { planted: ListenerBug | undefined; signal: AbortSignal; enough?: number; upTo?: number };

/** Until it has heard enough, or all there is. */
async function listen(server: ServerProcess, heard: number[], until: Until): Promise<void> {
  const { planted, signal, enough = Number.POSITIVE_INFINITY, upTo = Number.POSITIVE_INFINITY } = until;
  const last = heard.at(-1) ?? 0;
  if (last >= upTo) return;
  const told = planted === 'forgets-the-last' ? Math.max(0, last - 1) : planted === 'skips-one' ? last + 1 : last;
  const url = `${server.url}/api/v1/events?after=0`;
  let count = 0;
  try {
    for await (const { id, data } of messagesOf(url, { token: server.token, last: String(told), signal })) {
      if (Number(id) !== data.position) throw new Error(`${id} is the event ${data.position}`);
      heard.push(Number(id));
      count += 1;
      if (count >= enough || Number(id) >= upTo) return;
    }
  } catch (failure) {
    if (!signal.aborted) throw failure;
  }
}

function compare(heard: readonly number[], written: number): Pick<Report, 'acknowledged' | 'lost' | 'twice'> {
  const times = new Map<number, number>();
  for (const position of heard) times.set(position, (times.get(position) ?? 0) + 1);
  const all = Array.from({ length: written }, (_, index) => index + 1);
  const misplaced = heard.filter((position, index) => index > 0 && position < (heard[index - 1] ?? 0));
  return {
    acknowledged: heard.length,
    lost: all.filter((position) => !times.has(position)).map((position) => `${position} was never heard`),
    twice: [
      ...[...times].filter(([, count]) => count > 1).map(([position]) => `${position} was heard twice`),
      ...misplaced.map((position) => `${position} was heard too late`),
    ],
  };
}

async function lastPosition(baton: Writer): Promise<number> {
  let last = 0;
  for await (const { position } of baton.events()) last = position;
  return last;
}

/** Drafts of jobs, one after another: each is an event of a run of its own. */
function startWriting(baton: Writer): { stop(): Promise<void> } {
  let stopped = false;
  const written = (async () => {
    for (let number = 1; !stopped; number += 1) {
      await baton.jobs.create({ id: `j${number}`, prompt: 'Wait', agent: 'human', supervisor: 'none' });
      await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await written;
    },
  };
}

function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
