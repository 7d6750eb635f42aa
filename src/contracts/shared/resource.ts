/**
 * Contract 003: a resource is a normalised path-like name inside the workspace.
 * Two resources conflict when one is the other or lies inside it, even if only their case differs: on many disks
 * that is the same file. Being in scope is stricter and goes by exact case.
 */

/** `.` is the workspace itself and covers everything. */
export const ROOT = '.';
const RESOURCE_LENGTH_MAX = 4096;

export type Normalised = { resource: string } | { problem: string };

export function normaliseResource(text: string): Normalised {
  if (text.length > RESOURCE_LENGTH_MAX) return { problem: `is longer than ${RESOURCE_LENGTH_MAX} characters` };
  const trimmed = text.trim();
  if (trimmed === '') return { problem: 'is blank' };
  if (/[*?]/.test(trimmed)) return { problem: 'holds a wildcard; name the folder instead' };
  if (hasControlOrBidi(trimmed)) return { problem: 'holds a control or direction character' };
  const kept: string[] = [];
  for (const segment of trimmed.normalize('NFC').replaceAll('\\', '/').split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) return { problem: 'leaves the workspace' };
  }
  return { resource: kept.length === 0 ? ROOT : kept.join('/') };
}

/** For text that a rule already normalised successfully. */
export function resourceOf(text: string): string {
  const normalised = normaliseResource(text);
  if ('problem' in normalised) throw new Error(`resource ${text} ${normalised.problem}`);
  return normalised.resource;
}

/** Both normalised. */
export function overlaps(one: string, other: string): boolean {
  const a = foldCase(one);
  const b = foldCase(other);
  return contains(a, b) || contains(b, a);
}

/** Both normalised; exact case. */
export function isInside(resource: string, scope: string): boolean {
  return contains(scope, resource);
}

export function foldCase(resource: string): string {
  return resource.toLowerCase().normalize('NFC');
}

function contains(folder: string, path: string): boolean {
  return folder === ROOT || folder === path || path.startsWith(`${folder}/`);
}

/** C0, DEL, C1 and the Unicode direction marks: they make a name look like another one. */
export function hasControlOrBidi(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  return /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text);
}
