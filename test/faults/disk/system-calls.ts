import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PlantedBug } from '../programs/planted-bugs.js';
import { startAppender } from '../stage/appender-process.js';
import { buildPrograms, type Programs } from '../stage/build-programs.js';
import type { Report } from '../stage/report.js';
import { worksAgain } from '../stage/works-again.js';

/** On the way of a write: into the WAL and the database, to the disk, into the file of a large request. */
const CALLS: readonly { call: string; error: string }[] = [
  { call: 'pwrite64', error: 'EIO' },
  { call: 'pwrite64', error: 'ENOSPC' },
  { call: 'fsync', error: 'EIO' },
  { call: 'fdatasync', error: 'EIO' },
  { call: 'ftruncate', error: 'EIO' },
  { call: 'rename', error: 'EIO' },
  { call: 'rename', error: 'ENOSPC' },
  { call: 'openat', error: 'EMFILE' },
  { call: 'openat', error: 'EIO' },
];
const COMMANDS = 8;
/** The last becomes a file. */
const REQUEST_BYTES = [null, 3_000, 300_000];
const CALLS_MAX = 2_000;

export type SystemCallOptions = {
  root: string;
  /** Fails the first call, then that many further, and so on. */
  every: number;
  planted?: PlantedBug;
};

type Tally = { tried: number; acknowledged: number; codes: Map<string, number>; lost: string[]; problems: string[] };

/** Each system call of the write path fails once, in a process of its own on a fresh home. */
export async function systemCallHarness({ root, every, planted }: SystemCallOptions): Promise<Report> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-calls-'));
  const tally: Tally = { tried: 0, acknowledged: 0, codes: new Map(), lost: [], problems: [] };
  const notes: string[] = [];
  try {
    const programs = await buildPrograms(root, path.join(folder, 'programs'));
    for (const { call, error } of CALLS) {
      let failed = 0;
      for (let number = 1; number < CALLS_MAX; number += every) {
        if (!(await failOnce({ folder, programs, call, error, number, planted: planted ?? null }, tally))) break;
        failed += 1;
      }
      notes.push(`${call} fails with ${error}: ${failed === 0 ? 'never called by this build' : `${failed} places`}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const codes = [...tally.codes].map(([code, count]) => `${code} ${count}`).join(', ');
  return {
    what: `failing system calls, ${tally.tried} failures`,
    acknowledged: tally.acknowledged,
    lost: tally.lost,
    twice: [],
    problems: tally.problems,
    notes: [...notes, `ended with: ${codes}`],
  };
}

type Failure = {
  folder: string;
  programs: Programs;
  call: string;
  error: string;
  number: number;
  planted: PlantedBug | null;
};

/** False when there were not so many calls. */
async function failOnce({ folder, programs, call, error, number, planted }: Failure, tally: Tally): Promise<boolean> {
  const when = `${call} ${number} with ${error}`;
  const home = mkdtempSync(path.join(folder, 'home-'));
  const trace = path.join(folder, 'trace');
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${number}`];
  // The process itself opens hundreds of files: only those of the store are meant.
  const only = call === 'openat' ? storeFiles(home).flatMap((file) => ['-P', file]) : [];
  const behind = ['strace', '-f', '-qq', '-o', trace, ...inject, ...only];
  const order = {
    home,
    writer: 'main' as const,
    name: 'appender',
    commands: COMMANDS,
    lanes: 1,
    waits: false,
    planted,
  };
  const appender = startAppender(programs, folder, { ...order, requestBytes: REQUEST_BYTES }, behind);
  const { code } = await appender.process.ended;
  const injected = readFileSync(trace, 'latin1').includes('(INJECTED)');
  if (injected) {
    tally.tried += 1;
    tally.acknowledged += appender.acknowledged.size;
    const said = appender.errors[0] ?? (code === 0 ? 'no error' : 'nothing');
    tally.codes.set(said, (tally.codes.get(said) ?? 0) + 1);
    tally.problems.push(...appender.untyped.map((text) => `${when}: not a typed error: ${text}`));
    if (said === 'nothing' && appender.untyped.length === 0) {
      tally.problems.push(`${when}: ended with ${code} and no error: ${appender.process.last.at(-1)}`);
    }
    const { lost, problems } = await worksAgain(home, appender.acknowledged.keys(), when);
    tally.lost.push(...lost);
    tally.problems.push(...problems);
  }
  rmSync(home, { recursive: true, force: true });
  return injected;
}

function storeFiles(home: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => path.join(home, `baton.db${suffix}`));
}
