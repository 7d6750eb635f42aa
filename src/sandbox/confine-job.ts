import { existsSync } from 'node:fs';
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
const CONTROL_FILES: readonly string[] = ['baton.json'];
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
  // Where there is no repository an agent may make one.
  const hasGit = existsSync(path.join(folder, '.git'));
  return [...CONTROL_FILES, ...(hasGit ? GIT_CONTROL_FILES : [])].map((name) => path.join(folder, name));
}
