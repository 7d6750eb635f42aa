import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';

/** Looked at before anything is spent: a file that cannot be written would be known of only behind a whole task. */
export async function checkLastMessageFile(file: string): Promise<void> {
  const parent = path.dirname(file);
  const folder = await stat(parent).catch(() => undefined);
  if (!folder?.isDirectory())
    throw unwritable(file, `there is no folder ${parent}`, 'Make that folder, or name another file.');
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw unwritable(file, `${file} is a folder`, 'Name a file in it.');
  const isOpen = await access(found ? file : parent, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isOpen) throw unwritable(file, `${file} may not be written`);
}

/** `session`: where it can still be read what was said. */
export async function writeLastMessage(file: string, message: string, session: string): Promise<void> {
  try {
    await writeFile(file, message);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    const hint = `What was said last is kept: baton chat --resume ${session} shows it.`;
    throw unwritable(file, `the task has ended, but ${file} cannot be written (${code})`, hint);
  }
}

function unwritable(file: string, reason: string, hint?: string): BatonError {
  return new BatonError('FILE_UNWRITABLE', reason, { file }, hint);
}
