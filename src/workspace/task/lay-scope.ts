import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { resourceOf, resourceProblem } from '../../contracts/shared/resource.js';
import type { MadeFile, TaskRecord } from '../workspace-record.js';
import { findAnyCase, findOnDisk } from './find-on-disk.js';

export type LaidScope = Pick<TaskRecord, 'writable' | 'kept' | 'forbidden' | 'made'>;

/** Each of them is one more mount. */
const KEPT_MAX = 1_000;
const ODD_LENGTH_MAX = 200;
const CONTROL_NAMES = new Set(['.GIT', '.BATON', 'BATON.JSON']);

/**
 * Makes what the scope names and is not there: only what exists can be made writable. Whether it is to be a file or a
 * folder is told by its name; where it is not, the folder above is writable with everything in it as it is.
 */
export function layScope(
  workspace: string,
  { lock_scope, forbidden_scope }: PlanTask,
): LaidScope | { refused: string } {
  const odd = [...lock_scope, ...forbidden_scope].find((text) => resourceProblem(text) !== undefined);
  if (odd !== undefined) return { refused: `${JSON.stringify(odd.slice(0, ODD_LENGTH_MAX))} ${resourceProblem(odd)}` };
  const writable: string[] = [];
  const unclear: string[] = [];
  const made: MadeFile[] = [];
  for (const text of lock_scope) {
    const resource = resourceOf(text);
    const control = resource.split('/').find((name) => CONTROL_NAMES.has(name.toUpperCase()));
    if (control !== undefined) return { refused: `${resource}: ${control} holds control files` };
    const found = findOnDisk(workspace, resource);
    if ('refused' in found) return found;
    if (found.facts) writable.push(found.at);
    else if (/[/\\]\s*$/.test(text)) writable.push(makeFolder(workspace, found.at));
    else if (hasEnding(found.at)) {
      makeFolder(workspace, path.posix.dirname(found.at));
      made.push(makeFile(workspace, found.at));
      writable.push(found.at);
    } else unclear.push(makeFolder(workspace, path.posix.dirname(found.at)));
  }
  const kept = [...new Set(unclear)].flatMap((folder) => entriesOf(workspace, folder));
  if (kept.length > KEPT_MAX)
    return { refused: `${lock_scope.join(', ')}: end folders with a slash, so that it is clear what is meant` };
  const open = new Set([...writable, ...unclear]);
  return {
    writable: [...open],
    kept: kept.filter((one) => !open.has(one)),
    forbidden: forbidden_scope.flatMap((text) => findAnyCase(workspace, resourceOf(text))),
    made,
  };
}

/** As `a.ts` has and `Makefile`, `.env`, `v1.2` and `conf.d` have not. */
const hasEnding = (file: string): boolean => /.\.(?!d$)[A-Za-z][A-Za-z0-9_-]*$/.test(path.posix.basename(file));

function makeFolder(workspace: string, folder: string): string {
  const at = folder === '.' ? '' : folder;
  mkdirSync(path.join(workspace, at), { recursive: true });
  return at;
}

function makeFile(workspace: string, file: string): MadeFile {
  const whole = path.join(workspace, file);
  writeFileSync(whole, '', { flag: 'wx' });
  return { path: file, stamp: stampOf(whole) ?? '' };
}

/** Undefined when it is gone. */
export function stampOf(file: string): string | undefined {
  try {
    const { ino, size, mtimeNs } = lstatSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return undefined; // with its folder, perhaps
  }
}

/** A link cannot be kept, nor what has no name in UTF-8: whoever replaces it is found out afterwards. */
function entriesOf(workspace: string, folder: string): string[] {
  return readdirSync(path.join(workspace, folder), { withFileTypes: true })
    .filter((one) => !one.isSymbolicLink())
    .map(({ name }) => path.posix.join(folder, name))
    .filter((one) => lstatSync(path.join(workspace, one), { throwIfNoEntry: false }));
}
