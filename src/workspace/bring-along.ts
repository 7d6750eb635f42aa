import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Git, joinPaths, splitPaths } from './git.js';
import { at, indexEntries, type Place, skipSubmodules } from './index-entries.js';
import type { UserRepository } from './user-repository.js';

/**
 * Looks at the user's files through Baton's own git directory and a copy of the user's index: the user's index is not
 * refreshed, and filters and hooks of the user's settings do not run.
 */
export class UserFiles {
  readonly #git: Git;
  readonly #place: Place;

  private constructor(git: Git, place: Place) {
    this.#git = git;
    this.#place = place;
  }

  static async open(git: Git, { top, gitDir }: UserRepository, dir: string): Promise<UserFiles | null> {
    if (top === null || !existsSync(path.join(gitDir, 'index'))) return null;
    const index = path.join(dir, 'user-index');
    // An index can be split in two; the larger part lies beside it.
    for (const file of readdirSync(gitDir).filter((name) => name === 'index' || name.startsWith('sharedindex.'))) {
      copyFileSync(path.join(gitDir, file), file === 'index' ? index : path.join(dir, file));
    }
    const place = { dir, tree: top, index };
    await skipSubmodules(git, place, await indexEntries(git, place));
    await git.run(at(place, ['update-index', '-q', '--really-refresh']));
    return new UserFiles(git, place);
  }

  /** Tracked files that differ from the commit, as Latin-1. */
  async changed(commit: string): Promise<string[]> {
    const args = ['diff-index', '--name-only', '-z', '--no-renames', '--ignore-submodules=all', commit, '--'];
    return splitPaths(await this.#git.out(at(this.#place, args)));
  }

  /** Neither tracked nor ignored. A repository within is named with a slash at its end. */
  async untracked(): Promise<string[]> {
    return splitPaths(await this.#git.out(at(this.#place, ['ls-files', '-o', '-z', '--exclude-standard'])));
  }

  /** Not tracked, and matched by a list of patterns. */
  async matching(patterns: string): Promise<string[]> {
    const args = ['ls-files', '-o', '-i', '-z', `--exclude-from=${patterns}`];
    return splitPaths(await this.#git.out(at(this.#place, args))).filter((file) => !file.endsWith('/'));
  }

  /** The tree of all these files as they are now. */
  async writeTree(untracked: readonly string[]): Promise<string> {
    await this.#git.out(at(this.#place, ['add', '-u']));
    const files = untracked.filter((file) => !file.endsWith('/'));
    const args = ['update-index', '--add', '-z', '--stdin'];
    if (files.length > 0) await this.#git.out(at(this.#place, args, { stdin: joinPaths(files) }));
    return this.#git.line(at(this.#place, ['write-tree']));
  }

  close(): void {
    const { dir, index = '' } = this.#place;
    rmSync(index, { force: true });
    for (const file of readdirSync(dir)) if (file.startsWith('sharedindex.')) rmSync(path.join(dir, file));
  }
}
