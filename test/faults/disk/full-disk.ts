import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BatonError } from '../../../src/contracts/shared/errors.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { appendNext } from '../../conformance/store/sealed.js';
import { collectGarbage } from '../stage/collect-garbage.js';
import type { Report } from '../stage/report.js';
import { pause } from '../stage/waiting.js';
import { worksAgain } from '../stage/works-again.js';

const DISK = 'size=6m';
const STEP_BYTES = 4_096;
const EVENT_BYTES = 3_000;
const APPENDS_MAX = 400;
const COLLECTIONS_MAX = 20;
const COLLECT_AGAIN_MS = 50;
const ALLOWED = new Set(['STORE_FULL']);

type Tally = { acknowledged: string[]; codes: Map<string, number>; lost: string[]; problems: string[] };

/** A small disk with 0, 4, 8 … KiB left: what is written until it is full stays, the rest is refused with a code. */
export async function fullDiskHarness({ steps, every }: { steps: number; every: number }): Promise<Report> {
  const disk = mkdtempSync(path.join(os.tmpdir(), 'baton-disk-'));
  const tally: Tally = { acknowledged: [], codes: new Map(), lost: [], problems: [] };
  let tried = 0;
  execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', disk]);
  try {
    for (let step = 0; step < steps; step += every) {
      for (const begins of ['new', 'used'] as const) {
        await fillUp(disk, step * STEP_BYTES, begins, tally);
        tried += 1;
        await letGo(disk);
      }
    }
  } finally {
    // The driver still has files open: the kernel lets go of the disk when this process ends.
    execFileSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
  return {
    what: `full disk, ${tried} times at steps of ${(every * STEP_BYTES) / 1024} KiB`,
    acknowledged: tally.acknowledged.length,
    lost: tally.lost,
    twice: [],
    problems: tally.problems,
    notes: [`ended with: ${[...tally.codes].map(([code, count]) => `${code} ${count}`).join(', ')}`],
  };
}

/** The driver keeps files of closed stores open, and their space with them, until their statements are collected. */
async function letGo(disk: string): Promise<void> {
  for (let round = 0; round < COLLECTIONS_MAX; round += 1) {
    await collectGarbage();
    const { bfree, blocks } = statfsSync(disk);
    if (bfree === blocks) return;
    await pause(COLLECT_AGAIN_MS);
  }
  throw new Error(`closed stores are still open on ${disk} after ${COLLECTIONS_MAX} collections`);
}

async function fillUp(disk: string, freeBytes: number, begins: 'new' | 'used', tally: Tally): Promise<void> {
  const when = `${freeBytes / 1024} KiB free, ${begins} home`;
  const home = path.join(disk, 'home');
  const ballast = path.join(disk, 'ballast');
  mkdirSync(home, { mode: 0o700 });
  const acknowledged: string[] = [];
  if (begins === 'used') await appendUntilFull(home, 3, `before-${freeBytes}`, acknowledged);
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - freeBytes)));
  const code = await appendUntilFull(home, APPENDS_MAX, `key-${freeBytes}`, acknowledged);
  tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
  if (!ALLOWED.has(code)) tally.problems.push(`${when}: ended with ${code}`);
  // A child that another thread is just starting holds what was open here until it is another program; so the file is
  // made empty before it goes.
  truncateSync(ballast);
  rmSync(ballast);
  const { lost, problems } = await worksAgain(home, acknowledged, when);
  tally.acknowledged.push(...acknowledged);
  tally.lost.push(...lost);
  tally.problems.push(...problems);
  rmSync(home, { recursive: true });
}

/** How it ended: a code, or in words. */
async function appendUntilFull(
  home: string,
  appendsMax: number,
  name: string,
  acknowledged: string[],
): Promise<string> {
  let store: SqliteStore;
  try {
    store = await openSqliteStore({ home, writer: 'main' });
  } catch (problem) {
    return codeOf(problem);
  }
  const ended = await appendMany(store, appendsMax, name, acknowledged).then(() => 'not full', codeOf);
  const closed = await store.close().then(() => undefined, codeOf);
  return closed === undefined || ALLOWED.has(closed) ? ended : `${ended}, then close() with ${closed}`;
}

async function appendMany(store: SqliteStore, appendsMax: number, name: string, acknowledged: string[]): Promise<void> {
  for (let count = 0; count < appendsMax; count += 1) {
    const key = `${name}-${count}`;
    await appendNext(store, 'run', { key, data: [JSON.stringify({ text: 'x'.repeat(EVENT_BYTES) })] });
    acknowledged.push(key);
  }
}

function codeOf(problem: unknown): string {
  return problem instanceof BatonError ? problem.code : `an error without a code (${String(problem)})`;
}
