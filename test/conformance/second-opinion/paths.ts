/** SPEC 6, "Resources", and TRUST.md, "Paths". Names are kept as lists, so that no trick with slashes can matter. */

import { type Finding, unless } from './shapes.js';

export type Path = readonly string[];

const RESOURCE_LONGEST = 4096;
const WORKLOG_LONGEST = 1024;
const NAME_LONGEST = 255;

/** Control characters and the marks that turn the direction of text. */
function isTreacherous(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  return (
    [0x061c, 0x200e, 0x200f].includes(code) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  );
}

/** The names from the workspace's root to the resource, or undefined when it has no normal form. */
export function pathOf(resource: string): Path | undefined {
  const trimmed = resource.trim();
  if (resource.length > RESOURCE_LONGEST || trimmed === '') return undefined;
  if ([...trimmed].some((letter) => letter === '*' || letter === '?' || isTreacherous(letter))) return undefined;
  const path: string[] = [];
  for (const name of trimmed.split('\\').join('/').split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') path.push(name.normalize('NFC'));
    else if (path.length === 0) return undefined;
    else path.pop();
  }
  // Read again it would be trimmed again and be another path: that is no normal form.
  const written = path.join('/');
  return written.trim() === written ? path : undefined;
}

/** For resources already found to be normal. */
export function knownPath(resource: string): Path {
  const path = pathOf(resource);
  if (!path) throw new Error(`no path: ${resource}`);
  return path;
}

export function normal(resources: readonly string[]): Finding {
  return unless(
    resources.every((resource) => pathOf(resource) !== undefined),
    'SCHEMA_INVALID',
  );
}

function sameButForCase(one: string, other: string): boolean {
  const same = (a: string, b: string) => a.normalize('NFC') === b.normalize('NFC');
  return same(one.toLowerCase(), other.toLowerCase()) || same(one.toUpperCase(), other.toUpperCase());
}

/** Equal or folder of: the shorter one is the beginning of the longer one. */
export function conflict(one: Path, other: Path): boolean {
  const shared = Math.min(one.length, other.length);
  for (let index = 0; index < shared; index += 1) {
    if (!sameButForCase(one[index] as string, other[index] as string)) return false;
  }
  return true;
}

/** A change is in scope by exact case only. */
export function isWithin(path: Path, scope: Path): boolean {
  return scope.length <= path.length && scope.every((name, index) => name === path[index]);
}

/** A file name that is opened: stricter than a resource, because it must be harmless as it is written. */
export function isHarmlessFile(file: string): boolean {
  const lower = file.toLowerCase();
  const names = file.split('/');
  if (file.trim() === '' || file.length > WORKLOG_LONGEST) return false;
  if ([...file].some(isTreacherous)) return false;
  if (file.includes('\\') || file.startsWith('/') || file.startsWith('~')) return false;
  if (file.includes('://') || (file[1] === ':' && lower[0] !== undefined && lower[0] >= 'a' && lower[0] <= 'z')) {
    return false;
  }
  if (['%2e', '%2f', '%5c', '%00'].some((hidden) => lower.includes(hidden))) return false;
  return names.every(
    (name) =>
      name === '.' ||
      (name !== '..' &&
        name.length <= NAME_LONGEST &&
        !name.endsWith('.') &&
        !name.endsWith(' ') &&
        !['.git', '.baton'].includes(name.toLowerCase())),
  );
}
