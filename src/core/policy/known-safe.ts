import { BatonError } from '../../contracts/shared/errors.js';
import { SAFE_FILE_PROGRAMS } from './safe-file-programs.js';
import { SAFE_GIT } from './safe-git.js';
import { fitsSafely, type SafeProgram, wrongExample } from './safe-program.js';
import { SAFE_SEARCHES } from './safe-searches.js';
import type { SimpleCommand } from './shell-reading.js';
import { systemProgram } from './system-programs.js';

export const KNOWN_SAFE = checked([...SAFE_FILE_PROGRAMS, ...SAFE_SEARCHES, ...SAFE_GIT]);

/** A list that contradicts its own examples is not used at all. */
export function checked(list: readonly SafeProgram[]): readonly SafeProgram[] {
  const wrong = wrongExample(list);
  if (wrong !== undefined) throw new BatonError('INTERNAL', `the list of safe programs is wrong: ${wrong}`);
  return list;
}

type Where = { workspace: string; guard: 'inside' | 'leaving' | 'none' };

/** By which entry of the list it only reads; undefined when it is not known to. */
export function isKnownSafe({ argv, openFrom }: SimpleCommand, { workspace, guard }: Where): string | undefined {
  const [program = '', ...rest] = argv;
  const name = systemProgram(program, workspace);
  if (name === undefined) return undefined;
  const found = KNOWN_SAFE.find(
    (safe) => (guard !== 'leaving' || safe.touchesNothing) && fitsSafely(safe, [name, ...rest], openFrom),
  );
  return found?.argv.join(' ');
}
