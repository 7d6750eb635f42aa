import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { homeFolder } from '../../settings/home.js';
import { readProject, trustProject } from '../../settings/project-file.js';
import { repositoryOf } from '../../settings/repository-of.js';
import type { RunCommand } from '../command.js';
import { printable, printableJson } from '../printable.js';

/** Agrees to what a repository's baton.json says, as it is now. */
export const runTrust: RunCommand = async (parsed, io) => {
  const folder = path.resolve(io.cwd, parsed.positionals[0] ?? '.');
  const repo = repositoryOf(folder) ?? folder;
  const found = await readProject(homeFolder(io), repo);
  if (!found) throw new BatonError('INPUT_UNREADABLE', `there is no baton.json in ${repo}`, { file: repo });
  await trustProject(homeFolder(io), found);
  if (parsed.values.json) io.out(`${printableJson({ file: found.file, hash: found.hash, trusted: true })}\n`);
  else {
    for (const [name, value] of Object.entries(found.settings)) {
      io.out(`  ${printable(name.padEnd(10))} ${printable(JSON.stringify(value))}\n`);
    }
    io.err(`${printable(found.file)} is trusted as it is now. A change asks again.\n`);
  }
  return 0;
};
