import { lstatSync } from 'node:fs';
import path from 'node:path';
import { LIMITS_DEFAULT, type ResourceLimits } from './resource-limits.js';
import type { Confined, Network, Sandbox } from './sandbox.js';

export type JobPlaces = {
  /** Baton's own folder, with the store, tokens and the workspaces of other jobs. */
  home: string;
  /** What the command may write to. */
  workspace: string;
  /** Besides. */
  writable?: readonly string[];
  /** Such as the folder of objects that the workspace borrows from the user's repository. */
  readOnly?: readonly string[];
  hidden?: readonly string[];
  network?: Network;
  limits?: ResourceLimits;
};

/** What tells Baton what to run. */
export const CONTROL_FILES: readonly string[] = ['baton.json'];
/**
 * What tells git what to run, for whoever opens the workspace later and with all rights. Not `.git/commondir`: git
 * takes anything in its place for a fault.
 */
const GIT_CONTROL_FILES: readonly string[] = ['.git/config', '.git/hooks', '.git/info', '.git/modules'];

/** What a command of a job may reach: its workspace, no network, nothing of Baton. */
export function confineJob(sandbox: Sandbox, places: JobPlaces): Confined {
  const {
    home,
    workspace,
    writable = [],
    readOnly = [],
    hidden = [],
    network = { type: 'none' },
    limits = LIMITS_DEFAULT,
  } = places;
  const confinement = {
    writable: [workspace, ...writable],
    readOnly,
    hidden: [home, ...hidden],
    control: controlFilesOf(workspace),
    network,
    limits,
  };
  return { sandbox, confinement };
}

/** What nobody may change in a folder that they may write to. */
export function controlFilesOf(folder: string): string[] {
  return [...CONTROL_FILES, ...gitControlIn(folder)].map((name) => path.join(folder, name));
}

function gitControlIn(folder: string): readonly string[] {
  const facts = lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false });
  // Where there is no repository an agent may make one.
  if (!facts) return [];
  // A file in its place says where the repository is: of a worktree, or of a submodule.
  return facts.isDirectory() ? GIT_CONTROL_FILES : ['.git'];
}
