import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { refusePath } from './checked-path.js';

/** Where in a folder Baton keeps its token and its log; null when it is elsewhere. */
export type Own = string | null;

export async function ownPlace(folder: string, home: string | undefined): Promise<Own> {
  if (home === undefined) return null;
  const inside = path.relative(folder, await realpath(home).catch(() => path.resolve(home)));
  return inside.startsWith('..') || path.isAbsolute(inside) ? null : inside.split(path.sep).join('/');
}

export function isOwn(own: Own, file: string): boolean {
  return own !== null && (own === '' || file === own || file.startsWith(`${own}/`));
}

export function refuseOwn(own: Own, file: string): void {
  if (isOwn(own, file)) refusePath(file, 'is of Baton itself');
}
