import { constants, existsSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { workspacePlace } from './commit-work.js';
import type { SetupRights } from './confinement.js';
import type { Deed } from './deed.js';
import { shownPath, splitPaths } from './git.js';
import { includedFiles } from './included-secrets.js';
import { at } from './index-entries.js';
import { keepNewest } from './keep-newest.js';
import { removeFolder } from './remove-folder.js';
import { runGated } from './run-gated.js';
import type { SetupOrder } from './run-setup.js';
import { readRecord } from './workspace-record.js';

/** What a setup command installs is decided by one of these. */
const LOCKFILES = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'deno.lock'],
  ...['requirements.txt', 'poetry.lock', 'uv.lock', 'Pipfile.lock', 'pdm.lock'],
  ...['Cargo.lock', 'go.sum', 'Gemfile.lock', 'composer.lock', 'mix.lock', 'pubspec.lock'],
];
const KEPT_MAX = 5;
const SEARCH_MS_MAX = 60_000;
const COPY = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE };

/** What an earlier setup left, by everything it depends on. Null when nothing says what it depends on. */
export class SetupCache {
  private readonly deed: Deed;
  private readonly folder: string;

  private constructor(deed: Deed, key: string) {
    this.deed = deed;
    this.folder = path.join(foldersOf(deed), key);
  }

  static of(deed: Deed, { argv, env }: SetupOrder, rights: SetupRights): SetupCache | null {
    const commonDir = readRecord(deed.folder)?.repository?.commonDir;
    if (commonDir === undefined) return null;
    const { workspace } = deed.folder;
    const locks = LOCKFILES.flatMap((file) => {
      const there = statSync(path.join(workspace, file), { throwIfNoEntry: false })?.isFile();
      return there ? [[file, deed.options.hasher.sha256(readFileSync(path.join(workspace, file)))]] : [];
    });
    if (locks.length === 0) return null;
    const { platform, arch, version } = process;
    const depends = [commonDir, argv, env, rights, locks, platform, arch, version];
    return new SetupCache(deed, deed.options.hasher.sha256(JSON.stringify(depends)));
  }

  /** True when the workspace has it now. */
  async restore(): Promise<boolean> {
    if (!existsSync(this.folder)) return false;
    await cp(this.folder, this.deed.folder.workspace, COPY);
    const now = new Date(this.deed.options.clock.nowMs());
    utimesSync(this.folder, now, now);
    return true;
  }

  /** Kept only when it is nothing but ignored files, which work in another place as well. */
  async keep(): Promise<void> {
    const made = await this.ignoredFiles();
    if (made.length === 0 || (await this.namesItsPlace(made))) return;
    const { workspace } = this.deed.folder;
    const beside = `${this.folder}.${process.pid}.tmp`;
    removeFolder(beside); // of a process with the same number that was killed
    await mkdir(beside, { recursive: true, mode: 0o700 });
    for (const one of made) await cp(path.join(workspace, one), path.join(beside, one), COPY);
    try {
      renameSync(beside, this.folder);
    } catch {
      removeFolder(beside); // somebody else was faster
    }
    this.forgetOld();
  }

  /** Empty when it changed or made anything that is not ignored: that belongs to the work. */
  private async ignoredFiles(): Promise<string[]> {
    const { git, folder } = this.deed;
    const args = ['status', '--porcelain', '-z', '--ignored=matching', '--untracked-files=normal', '--no-renames'];
    const lines = splitPaths(await git.out(at(workspacePlace(this.deed), args))).map(shownPath);
    if (lines.some((line) => !line.startsWith('!! '))) return [];
    const brought = new Set(includedFiles(folder));
    return lines.map((line) => line.slice(3).replace(/\/$/, '')).filter((file) => !brought.has(file));
  }

  /** Such as a Python environment, whose scripts begin with where they are. */
  private async namesItsPlace(made: readonly string[]): Promise<boolean> {
    const { workspace } = this.deed.folder;
    const end = await runGated(this.deed.errand, {
      argv: ['grep', '-rqIF', '-e', workspace, '--', ...made],
      cwd: workspace,
      env: { PATH: this.deed.options.environment.PATH ?? '' },
      merge: true,
      msMax: SEARCH_MS_MAX,
      outputBytesMax: 1024,
    });
    return end.exitCode !== 1;
  }

  private forgetOld(): void {
    keepNewest(foldersOf(this.deed), KEPT_MAX);
  }
}

function foldersOf({ options }: Deed): string {
  return path.join(options.home, 'cache', 'setup');
}
