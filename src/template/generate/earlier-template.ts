import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isBatonError } from '../../contracts/shared/errors.js';
import { readHead } from '../apply/read-template.js';

/** A template consists of these and nothing else: a folder with more in it is somebody's. */
const ENTRIES = new Set(['manifest.json', 'settings.json', 'README.md', 'templates', 'agents']);
const SOURCE_ID_LENGTH = 16;
const REPLACE = '; --replace replaces it';

/** What is to be made: a template of this name, of the project in this folder. */
export type Wanted = { name: string; project: string };

/** Why what lies in `output` may not be replaced by a template; undefined: it may. */
export function keepReason(output: string, wanted: Wanted, replace: boolean): string | undefined {
  try {
    const { name } = readHead(output);
    const foreign = readdirSync(output).find((entry) => !ENTRIES.has(entry));
    if (foreign !== undefined) return `holds ${JSON.stringify(foreign)}, which is no part of a template`;
    return replace ? undefined : changeReason(output, name, wanted);
  } catch (failure) {
    const isNone = isBatonError(failure) || (failure as NodeJS.ErrnoException).code === 'ENOTDIR';
    if (isNone) return 'is there already and is no template';
    throw failure;
  }
}

function changeReason(output: string, name: string, wanted: Wanted): string | undefined {
  if (name !== wanted.name) return `holds the template ${name}, not ${wanted.name}${REPLACE}`;
  const { source_id, source_project, content_sha256 } = readManifest(output);
  if (source_id !== sourceId(wanted.project)) {
    return `holds a template of another project (${JSON.stringify(source_project ?? null)})${REPLACE}`;
  }
  return content_sha256 === contentHash(output) ? undefined : `was changed since it was made${REPLACE}`;
}

function readManifest(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
}

/** Tells projects of the same name apart. Templates are given to others, so it does not say where the project lies. */
export function sourceId(project: string): string {
  return createHash('sha256').update(realPath(project)).digest('hex').slice(0, SOURCE_ID_LENGTH);
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}

/** Over every file of a template and over its manifest, without the hash that stands there itself. */
export function contentHash(folder: string): string {
  const hash = createHash('sha256');
  const { content_sha256: _, ...manifest } = readManifest(folder);
  add(JSON.stringify(manifest));
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  if (!entries.every((entry) => entry.isFile())) return 'none: there is more than files';
  const files = entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  for (const file of files.map((name) => name.split(path.sep).join('/')).sort()) {
    if (file === 'manifest.json') continue;
    add(file);
    add(readFileSync(path.join(folder, file)));
  }
  return hash.digest('hex');

  /** With its length before it, so that no two lists give the same bytes. */
  function add(part: string | Buffer): void {
    hash.update(`${Buffer.byteLength(part)}:`).update(part);
  }
}
