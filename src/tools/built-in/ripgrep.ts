import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { findProgram } from '../../sandbox/find-program.js';
import { runGated } from '../../workspace/run-gated.js';
import { FILE_BYTES_MAX } from '../files/read-text.js';
import type { Place } from './built-in.js';

/** Below that, starting a program takes longer than looking ourselves. */
export const FILES_WORTH_IT = 200;
const ARGUMENT_CHARS_MAX = 64 * 1024;
const RIPGREP_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
const NOTHING_FOUND = 1;

/** `others` hold nothing, `large` and `unreadable` were not looked into. */
export type Sifted = { holding: string[]; others: number; large: number; unreadable: number };

/**
 * Which of the files hold the text, where ripgrep is installed; undefined where it is not, or did not answer. It only
 * says where to look: every line that is shown was read by ourselves, so that the lines are the same without it.
 */
export async function siftFiles(query: string, files: readonly string[], place: Place): Promise<Sifted | undefined> {
  const { folder, machine } = place;
  const { PATH } = machine.environment;
  if (files.length < FILES_WORTH_IT) return undefined;
  const found = findProgram('rg', { cwd: folder, PATH });
  if ('reason' in found) return undefined;
  const argv = [found.file, ...OPTIONS, '-e', query, '--'];
  const held = await confinedFor(argv, place);
  if ('refused' in held) return undefined;
  const named = new Set<string>();
  const { plain, ...passedOver } = await plainFiles(folder, files);
  for (const batch of batches(plain)) {
    const { exitCode, stdout, timedOut } = await runGated(place.errand, {
      argv: [...argv, ...batch],
      cwd: folder,
      env: { ...(PATH !== undefined && { PATH }), LC_ALL: 'C' },
      msMax: RIPGREP_MS_MAX,
      outputBytesMax: OUTPUT_BYTES_MAX,
      ...held,
    });
    if (timedOut || exitCode === null || exitCode > NOTHING_FOUND) return undefined;
    for (const name of stdout.split('\0')) named.add(name);
  }
  const holding = files.filter((file) => named.has(`./${file}`));
  return { holding, others: plain.length - holding.length, ...passedOver };
}

/** Where the sandbox that was asked for does not hold, it is not run at all. It reaches no host: nothing is closed after it. */
async function confinedFor(argv: readonly string[], { folder, machine }: Place) {
  try {
    return { confined: (await machine.confine?.(folder, { argv, mayWrite: false, hosts: [] }))?.confined };
  } catch (problem) {
    if (problem instanceof BatonError) return { refused: true };
    throw problem;
  }
}

const OPTIONS: readonly string[] = [
  ...['--no-config', '--no-ignore', '--hidden', '--no-messages', '--color=never', '--encoding=none'],
  ...['--text', '--fixed-strings', '--case-sensitive', '--files-with-matches', '--null'],
];

/** What is named to ripgrep it opens, links and pipes too. */
async function plainFiles(folder: string, files: readonly string[]) {
  const sorted = { plain: [] as string[], large: 0, unreadable: 0 };
  for (const file of files) {
    const stats = await lstat(path.join(folder, file)).catch(() => undefined);
    if (!stats?.isFile() || stats.nlink > 1) sorted.unreadable += 1;
    else if (stats.size > FILE_BYTES_MAX) sorted.large += 1;
    else sorted.plain.push(`./${file}`);
  }
  return sorted;
}

function batches(files: readonly string[]): string[][] {
  const all: string[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (chars + file.length > ARGUMENT_CHARS_MAX) {
      all.push([]);
      chars = 0;
    }
    all.at(-1)?.push(file);
    chars += file.length + 1;
  }
  return all;
}
