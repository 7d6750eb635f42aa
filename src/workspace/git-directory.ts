import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { UserRepository } from './user-repository.js';

type Kind = {
  /** The ref HEAD stands for. */
  head: string;
  commit: string;
  objects: { shared: string } | { borrowed: string };
  bare: boolean;
  settings?: readonly string[];
};

/**
 * Writes a git directory file by file: no template, no hooks, and nothing taken over from the user's settings.
 * With `shared` objects are read from and written to that folder; with `borrowed` only read.
 */
export function makeGitDirectory(
  dir: string,
  { format, commonDir }: Pick<UserRepository, 'format' | 'commonDir'>,
  { head, commit, objects, bare, settings = [] }: Kind,
): void {
  mkdirSync(path.join(dir, 'refs', 'heads'), { recursive: true });
  mkdirSync(path.join(dir, 'info'));
  if ('shared' in objects) symlinkSync(objects.shared, path.join(dir, 'objects'));
  else {
    mkdirSync(path.join(dir, 'objects', 'info'), { recursive: true });
    writeFileSync(path.join(dir, 'objects', 'info', 'alternates'), `${objects.borrowed}\n`);
  }
  const extensions = format === 'sha256' ? ['[extensions]', '\tobjectFormat = sha256'] : [];
  const version = format === 'sha256' ? 1 : 0;
  const core = ['[core]', `\trepositoryFormatVersion = ${version}`, `\tbare = ${bare}`, '\tlogAllRefUpdates = true'];
  writeFileSync(path.join(dir, 'config'), `${[...core, ...extensions, ...settings].join('\n')}\n`);
  mkdirSync(path.dirname(path.join(dir, head)), { recursive: true });
  writeFileSync(path.join(dir, head), `${commit}\n`);
  writeFileSync(path.join(dir, 'HEAD'), `ref: ${head}\n`);
  const shallow = path.join(commonDir, 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, path.join(dir, 'shallow'));
}

/** Without a slash at its beginning a pattern would match at any depth. */
export function sparsePatterns(paths: readonly string[]): string {
  const patterns = paths.map((one) => `/${one.replace(/^\/+|\/+$/g, '').replace(/[*?[\]\\]/g, '\\$&')}`);
  return `${patterns.join('\n')}\n`;
}

export const SPARSE_FILE = path.join('info', 'sparse-checkout');
