import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Deed } from './deed.js';
import { makeGitDirectory, SPARSE_FILE } from './git-directory.js';
import type { UserRepository } from './user-repository.js';

/**
 * A repository for the agent alone, with objects borrowed and its own index, settings and branch. Baton never reads
 * it: what the agent does to it harms nobody else.
 */
export function makeAgentRepository(
  { folder, refs }: Deed,
  found: Pick<UserRepository, 'format' | 'commonDir'>,
  commit: string,
  sparse: boolean,
): void {
  const dir = path.join(folder.workspace, '.git');
  const identity = ['[user]', '\tname = Agent', '\temail = agent@localhost'];
  const settings = sparse ? [...identity, '[core]', '\tsparseCheckout = true'] : identity;
  // Where they are, not through a link of ours: a sandbox shows the agent that folder and nothing of Baton's.
  const objects = { borrowed: path.join(found.commonDir, 'objects') };
  makeGitDirectory(dir, found, { head: refs.head, commit, objects, bare: false, settings });
  // What a sandbox guards: where it is missing, a cover has to be made and taken away for every command.
  for (const name of ['hooks', 'modules']) mkdirSync(path.join(dir, name));
  copyFileSync(path.join(folder.git, 'index'), path.join(dir, 'index'));
  copyFileSync(path.join(folder.git, 'info', 'exclude'), path.join(dir, 'info', 'exclude'));
  if (sparse) copyFileSync(path.join(folder.git, SPARSE_FILE), path.join(dir, SPARSE_FILE));
}
