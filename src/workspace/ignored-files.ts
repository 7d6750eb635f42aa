import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { UserRepository } from './user-repository.js';

const EXCLUDES_BYTES_MAX = 1024 * 1024;

/**
 * What the user ignores outside of .gitignore files: in this repository and everywhere. Git is not let near the
 * user's settings, so it has to be told.
 */
export function userExcludes({ commonDir }: UserRepository, environment: NodeJS.ProcessEnv): string {
  const { HOME, XDG_CONFIG_HOME } = environment;
  const settings = XDG_CONFIG_HOME || (HOME && path.join(HOME, '.config'));
  const everywhere = configuredExcludes(HOME) ?? (settings && path.join(settings, 'git', 'ignore'));
  const files = [everywhere, path.join(commonDir, 'info', 'exclude')].filter((file) => file !== undefined);
  return files.map((file) => `${contentOf(file)}\n`).join('');
}

/** `core.excludesFile` where people have it; what is set in an included file is not seen. */
function configuredExcludes(home: string | undefined): string | undefined {
  if (!home) return undefined;
  const [, file] = /^\s*excludesfile\s*=\s*"?([^"\n#;]+?)"?\s*$/im.exec(contentOf(path.join(home, '.gitconfig'))) ?? [];
  return file && path.resolve(home, file.replace(/^~\//, `${home}/`));
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, EXCLUDES_BYTES_MAX);
  } catch {
    return ''; // most people have none
  }
}

/** As a line of an ignore file that matches this file and no other. Null when no line can say it. */
export function excludeLine(file: string): string | null {
  if (file.includes('\n')) return null;
  return `/${file.replace(/[*?[\]\\]/g, '\\$&').replace(/ $/, '\\ ')}`;
}
