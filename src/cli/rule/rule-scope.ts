import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Rule } from '../../core/policy/rule.js';
import { readProject } from '../../settings/project-file.js';
import { repositoryOf } from '../../settings/repository-of.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { mark } from '../mark.js';
import { textOption } from '../option-values.js';
import { printable } from '../printable.js';

/** Every rule is for one repository. */
export function ruleRepository(parsed: Parsed, io: Io): string {
  const from = path.resolve(io.cwd, textOption(parsed, 'repo') ?? '.');
  const repo = repositoryOf(from);
  if (repo !== undefined) return realpathSync(repo);
  throw new BatonError('USAGE', `${from} is in no repository, and a rule is for one: name it with --repo DIR`);
}

/** The folder of `--folder`, absolute; it must lie in the repository. */
export function ruleFolder(parsed: Parsed, io: Io, repo: string): string | undefined {
  const said = textOption(parsed, 'folder');
  if (said === undefined) return undefined;
  const folder = realFolder(path.resolve(io.cwd, said));
  if (folder === repo || folder.startsWith(`${repo}${path.sep}`)) return folder;
  throw new BatonError('PATH_REFUSED', `${folder} is not in ${repo}`, { path: folder });
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new BatonError('INPUT_UNREADABLE', `${folder} cannot be read (${code})`, { file: folder });
  }
}

/** What baton.json says counts once somebody agreed to it; until then that it does not count is said. */
export async function trustedRules(home: string, repo: string, io: Io): Promise<readonly Rule[]> {
  const project = await readProject(home, repo);
  const rules: readonly Rule[] = project?.settings.rules ?? [];
  if (!project || project.trusted || rules.length === 0) return rules;
  io.err(`${mark(io, 'note')} ${printable(project.file)} has rules that do not count yet. Look, then: baton trust\n`);
  return [];
}

export function ruleId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const where = text.startsWith('baton.json#') ? ': it stands in baton.json' : '';
  throw new BatonError('RULE_NOT_FOUND', `no rule ${JSON.stringify(text)} is kept here${where}`, { id: text });
}
