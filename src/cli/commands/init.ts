import path from 'node:path';
import { project as contract } from '../../contracts/baton/project.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { writeAtomically } from '../../system/atomic-write.js';
import type { RunCommand } from '../command.js';
import { type Detection, detectProject } from '../init/detect-project.js';
import { repositoryFolder, repositoryRoot } from '../init/repository-folder.js';

export const runInit: RunCommand = async ({ values }, io) => {
  const root = repositoryRoot(io.cwd);
  const file = path.join(root, 'baton.json');
  const detection = detectProject(repositoryFolder(root));
  const project = parseContract(contract, detection.project);
  await write(file, `${JSON.stringify(project, null, 2)}\n`, values.force === true);
  io.out(values.json ? `${JSON.stringify({ file, project })}\n` : report(path.relative(io.cwd, file), detection));
  return 0;
};

const KEEP_OR_REPLACE = 'Keep the file as it is, or repeat with --force to replace it.';

async function write(file: string, text: string, force: boolean): Promise<void> {
  try {
    await writeAtomically(file, text, { mode: 0o644, exclusive: !force });
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new BatonError('FILE_EXISTS', `${file} is there already`, { file }, KEEP_OR_REPLACE);
    throw new BatonError('FILE_UNWRITABLE', `${file} cannot be written (${code})`, { file });
  }
}

function report(file: string, { project, from, otherSetups }: Detection): string {
  const { setup = '-', checks = [], protect = [] } = project;
  const rows = [
    `Wrote ${file}${from.length > 0 ? `, from ${from.join(', ')}` : ''}`,
    `  setup    ${setup}`,
    ...(otherSetups.length > 0 ? [`           not taken, there can be one: ${otherSetups.join(', ')}`] : []),
    `  checks   ${checks.join(', ') || 'none found; add commands that must succeed, e.g. "make test"'}`,
    `  protect  ${protect.join(', ') || '-'}`,
    ...(checks.length > 0 ? [] : ['  Without a check, finished work is only SUCCESS (unchecked).']),
    'Next: baton doctor',
  ];
  return `${rows.join('\n')}\n`;
}
