import { existsSync } from 'node:fs';
import type { DeedProblem } from '../core/job/job-deeds.js';
import { saysDiskFull } from '../sandbox/says-disk-full.js';
import type { Deed } from './deed.js';
import { GitMissing } from './git.js';
import { dropUnfinishedObjects } from './unfinished-objects.js';
import { workspaceProblem } from './workspace-problem.js';
import { readRecord } from './workspace-record.js';

/** What is not known to need a person may pass by itself, but is not tried for ever. */
const TRIES_MAX = 5;
const SAID_LENGTH_MAX = 1_000;

/** Tells what a person must see to from what passes by itself. It remembers how often a deed has failed. */
export class DeedFailures {
  readonly #failed = new Map<string, number>();

  /** Null when it shall be tried again. What lands or merges work needs no workspace. */
  problemOf(deed: Deed, failure: unknown, needsWorkspace = deed.errand.held.run === deed.run): DeedProblem | null {
    const { held, key } = deed.errand;
    const name = `${held.run}/${held.epoch}/${key}`;
    const known = knownProblem(deed, failure, needsWorkspace);
    const tries = (this.#failed.get(name) ?? 0) + 1;
    if (known || tries >= TRIES_MAX) this.#failed.delete(name);
    else this.#failed.set(name, tries);
    if (known || tries < TRIES_MAX) return known;
    const said = (failure instanceof Error ? failure.message : String(failure)).slice(0, SAID_LENGTH_MAX);
    return { kind: 'workspace', problem: `It failed ${TRIES_MAX} times: ${said}. Repair it.` };
  }
}

function knownProblem({ folder, sinceMs }: Deed, failure: unknown, needsWorkspace: boolean): DeedProblem | null {
  const repository = readRecord(folder)?.repository;
  if (failure instanceof GitMissing) return { kind: 'workspace', problem: 'git was not found. Install it.' };
  if (saysDiskFull(String(failure))) {
    if (repository && existsSync(repository.commonDir)) dropUnfinishedObjects(repository.commonDir, sinceMs);
    return { kind: 'disk-full', problem: `There is no space left for ${folder.root} or its repository. Free some.` };
  }
  if (repository && !existsSync(repository.commonDir)) {
    return { kind: 'workspace', problem: `The repository ${repository.commonDir} is gone. Put it back.` };
  }
  const away = needsWorkspace ? workspaceProblem(folder.workspace) : null;
  return away === null ? null : { kind: 'workspace', problem: awayProblem(away, folder.workspace) };
}

export function awayProblem(away: string, workspace: string): string {
  return `${away.slice(0, 1).toUpperCase()}${away.slice(1)}: ${workspace}. It is made again from the last commit.`;
}
