import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { BatonError } from '../../contracts/shared/errors.js';
import { splitWords } from '../../settings/split-words.js';
import { findRun } from '../find-run.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';

/** Opens the workspace of a job in the editor of the person at the terminal; elsewhere it says where it is. */
export const runJobOpen: BatonCommand = async (parsed, io, open) => {
  const object = await inBaton(open, {}, async (baton) => {
    const { run } = await findRun(baton.store, parsed.positionals[0] ?? '', io.cwd);
    return baton.jobs.show(run);
  });
  const { workspace, job_id: id } = object;
  if (!existsSync(workspace)) {
    throw new BatonError('INVALID_TRANSITION', `${id} has no workspace at ${workspace}: it is made when it first runs`);
  }
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (parsed.values.json) io.out(`${printableJson(object)}\n`);
  else if (!io.ask || editor === undefined) io.out(`${printable(workspace)}\n`);
  else return edit(editor, workspace);
  return 0;
};

function edit(editor: string, folder: string): Promise<number> {
  const [program = '', ...args] = splitWords(editor, 'EDITOR');
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, folder], { cwd: folder, stdio: 'inherit' });
    child.once('error', (problem: NodeJS.ErrnoException) =>
      reject(new BatonError('INPUT_UNREADABLE', `${program} cannot be started (${problem.code})`, { file: program })),
    );
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
