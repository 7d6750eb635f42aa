import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { isObject } from '../../contracts/shared/is-object.js';
import type { Placeholder } from '../generate/placeholders.js';

/** What is needed of a manifest in order to use the template; a person may have changed the rest. */
export type TemplateHead = { name: string; placeholders: readonly Placeholder[] };

/** A template as it lies on the disk. */
export type StoredTemplate = TemplateHead & {
  folder: string;
  /** Below `templates/`, with `/` between their parts, in the order of their names. */
  files: readonly { path: string; executable: boolean }[];
};

const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;
const FILES_MAX = 20_000;
const PLACEHOLDERS_MAX = 100;

/** Nothing in a template is trusted: links and special files are refused, and nothing is followed. */
export function readTemplate(folder: string): StoredTemplate {
  const head = readHead(folder);
  const files: { path: string; executable: boolean }[] = [];
  list(path.join(folder, 'templates'), '', files);
  return { ...head, folder, files };
}

export function readHead(folder: string): TemplateHead {
  const file = path.join(folder, 'manifest.json');
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) throw invalid('manifest.json', 'is not there');
  if (!stats.isFile() || stats.size > MANIFEST_BYTES_MAX) throw invalid('manifest.json', 'is no file of a usable size');
  let said: unknown;
  try {
    said = JSON.parse(readFileSync(file, 'utf8'));
  } catch (failure) {
    throw invalid('manifest.json', `is not JSON: ${(failure as Error).message}`);
  }
  if (!isObject(said)) throw invalid('manifest.json', 'is not an object');
  const { schema_version: version, name, placeholders } = said;
  if (typeof version !== 'string' || !/^1\./.test(version)) {
    throw invalid('manifest.json', `has schema_version ${JSON.stringify(version)}; 1.x.y is known`);
  }
  if (typeof name !== 'string' || !Array.isArray(placeholders) || placeholders.length > PLACEHOLDERS_MAX) {
    throw invalid('manifest.json', 'needs a name and a list of placeholders');
  }
  return { name, placeholders: placeholders.map(readPlaceholder) };
}

function readPlaceholder(said: unknown): Placeholder {
  if (isObject(said)) {
    const { name, default: value, description = '', pattern } = said;
    const texts = typeof value === 'string' && typeof description === 'string' && typeof pattern === 'string';
    if (texts && typeof name === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(name) && name !== 'open') {
      return { name, default: value, description, pattern };
    }
  }
  throw invalid('manifest.json', `has a placeholder that is none: ${JSON.stringify(said)?.slice(0, 80)}`);
}

function list(root: string, inside: string, files: { path: string; executable: boolean }[]): void {
  const stats = lstatSync(path.join(root, inside), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) throw invalid('templates', 'is not a folder');
  for (const name of readdirSync(path.join(root, inside)).sort()) {
    const file = inside === '' ? name : `${inside}/${name}`;
    const each = lstatSync(path.join(root, file));
    if (each.isDirectory()) list(root, file, files);
    else if (each.isFile()) files.push({ path: file, executable: (each.mode & 0o111) !== 0 });
    else throw invalid(`templates/${file}`, 'is neither a file nor a folder');
    if (files.length > FILES_MAX) throw invalid('templates', `holds more than ${FILES_MAX} files`);
  }
}

function invalid(file: string, why: string): BatonError {
  return new BatonError('TEMPLATE_INVALID', `${file} of the template ${why}`, { file });
}
