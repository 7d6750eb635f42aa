import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type Denial, deny } from '../../contracts/shared/verdict.js';

/**
 * Contract 000, layer 3: every evidence path is a file of the workspace. Links are never followed, at any level, so
 * a path cannot be led out of the workspace; a folder counts as not found.
 */
export function evidenceDenial(workspace: string, files: readonly string[]): Denial | undefined {
  const missing: string[] = [];
  for (const [index, file] of files.entries()) {
    const found = lookUp(workspace, file);
    if (found === 'missing') missing.push(file);
    else if (found !== 'file') {
      return deny('PATH_REFUSED', `/evidence_files/${index} ${found}: ${file}`, { path: `/evidence_files/${index}` });
    }
  }
  if (missing.length === 0) return undefined;
  return deny('EVIDENCE_MISSING', `${missing.length} of ${files.length} evidence files do not exist`, { missing });
}

type Found = 'file' | 'missing' | `${'is' | 'leads' | 'has'} ${string}`;

function lookUp(workspace: string, file: string): Found {
  let here = workspace;
  const segments = file.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const [depth, segment] of segments.entries()) {
    here = path.join(here, segment);
    const entry = entryAt(here);
    if (!entry) return 'missing';
    if (entry.isSymbolicLink()) return 'leads through a link';
    const last = depth === segments.length - 1;
    if (last && entry.isDirectory()) return 'missing';
    if (last && !entry.isFile()) return 'is not a regular file';
    if (last && entry.nlink > 1) return 'has another name elsewhere (hard link)';
    if (!last && !entry.isDirectory()) return 'missing';
  }
  return segments.length === 0 ? 'missing' : 'file';
}

function entryAt(where: string): Stats | undefined {
  return lstatSync(where, { throwIfNoEntry: false });
}
