import { existsSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from './bwrap/place.js';
import { LIMITS_DEFAULT, type ResourceLimits } from './resource-limits.js';
import type { Confined, Confinement, Network, Sandbox } from './sandbox.js';

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

/** What tells Baton what to run: once a person has agreed to that very text. */
export const CONTROL_FILES: readonly string[] = ['baton.json'];
/**
 * What tells git what to run, for whoever opens the workspace later and with all rights. Not `.git/commondir`: git
 * takes anything in its place for a fault.
 */
const GIT_CONTROL_FILES: readonly string[] = ['.git/config', '.git/hooks', '.git/info', '.git/modules'];
const GIT_GUARDED: readonly string[] = [...GIT_CONTROL_FILES, '.git/config.worktree'];
const GIT_NEEDED: readonly string[] = ['.git/config', '.git/hooks'];

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
    ...controlIn(workspace, home),
    network,
    limits,
  };
  return { sandbox, confinement };
}

/** Folders of Baton's own are those in its home. */
function controlIn(workspace: string, home: string): Pick<Confinement, 'control' | 'mayCover'> {
  const mayCover = isBelow(realPath(workspace), realPath(home));
  return { control: mayCover ? controlFilesOf(workspace) : controlFilesIn(workspace), mayCover };
}

/** What nobody may change in a folder of Baton's own that they may write to, there or not. */
function controlFilesOf(folder: string): string[] {
  return [...CONTROL_FILES, ...gitControlOf(folder, () => GIT_CONTROL_FILES)].map((name) => path.join(folder, name));
}

/**
 * The same in a folder of the user's: what is there. For what is missing nothing is made in its place. A project file
 * that a command makes counts when a person has agreed to it, and what there is in `info` and `modules` of git can be said
 * elsewhere too (`.gitattributes`, a repository that it makes). Where a command could make settings or hooks, all of `.git`
 * is only read.
 */
export function controlFilesIn(folder: string): string[] {
  const isThere = (name: string): boolean => existsAt(path.join(folder, name));
  const ours = CONTROL_FILES.filter((name) => isThere(name) && !isFolder(path.join(folder, name)));
  const git = gitControlOf(folder, () => (GIT_NEEDED.every(isThere) ? GIT_GUARDED.filter(isThere) : ['.git']));
  return [...ours, ...git].map((name) => path.join(folder, name));
}

function gitControlOf(folder: string, ofRepository: () => readonly string[]): readonly string[] {
  const git = path.join(folder, '.git');
  // Where there is no repository an agent may make one.
  if (!existsAt(git)) return [];
  // A file in its place says where the repository is: of a worktree, or of a submodule.
  return isFolder(git) ? ofRepository() : ['.git'];
}

/** Links are not followed. */
function existsAt(one: string): boolean {
  return lstatSync(one, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(one: string): boolean {
  return lstatSync(one, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realPath(one: string): string {
  return existsSync(one) ? realpathSync(one) : path.resolve(one);
}
