import { constants, lstatSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { refusePath } from '../../contracts/shared/relative-path.js';
import { renderTemplate, type Values } from '../generate/render-template.js';
import { decode } from '../generate/source-file.js';
import type { StoredTemplate } from './read-template.js';

const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** Writes the project a template describes into a folder that is new. Gives the paths that were written. */
export async function fillTemplate(template: StoredTemplate, values: Values, target: string): Promise<string[]> {
  const written = new Map<string, string>();
  for (const { path: from, executable } of template.files) {
    const place = `templates/${from}`;
    const to = targetPath(from, values, place);
    const earlier = written.get(to);
    if (earlier) throw collision(earlier, place, to);
    written.set(to, place);
    const bytes = await readPart(template.folder, place);
    const text = decode(bytes);
    await writeNew(target, to, text === undefined ? bytes : renderTemplate(text, values, place), executable);
  }
  return [...written.keys()];
}

/** A value is put in first: it is what could lead elsewhere. */
export function targetPath(from: string, values: Values, place: string): string {
  const to = renderTemplate(from, values, `the path ${place}`);
  const verdict = refusePath(to, `the path ${place}`);
  if (verdict !== true) throw new BatonError('PATH_REFUSED', verdict.reason, { ...verdict.details, file: place });
  return path.posix.normalize(to);
}

async function readPart(folder: string, place: string): Promise<Buffer> {
  const handle = await open(path.join(folder, place), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = await handle.stat();
    if (stats.isFile() && stats.size <= FILE_BYTES_MAX) return await handle.readFile();
  } finally {
    await handle.close();
  }
  throw new BatonError('TEMPLATE_INVALID', `${place} of the template is larger than ${FILE_BYTES_MAX} bytes`, {
    file: place,
  });
}

async function writeNew(target: string, to: string, content: string | Buffer, executable: boolean): Promise<void> {
  const file = path.join(target, to);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { flag: 'wx', mode: executable ? 0o755 : 0o644 });
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    // Two names that are one here, or a file where another needs a folder.
    if (code === 'EEXIST' || code === 'ENOTDIR' || lstatSync(file, { throwIfNoEntry: false })) {
      throw collision('another file', to, to);
    }
    throw new BatonError('FILE_UNWRITABLE', `${file} cannot be written (${code})`, { file });
  }
}

function collision(first: string, second: string, to: string): BatonError {
  const reason = `with these values ${first} and ${second} would both become ${to}; choose another project_name`;
  return new BatonError('PATH_REFUSED', reason, { file: second, path: to });
}
