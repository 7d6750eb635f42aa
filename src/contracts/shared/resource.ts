/**
 * Contract 003: a resource is a normalised path-like name inside the workspace.
 * Two resources conflict when one is the other or lies inside it, even if only their case differs: on many disks
 * that is the same file. Being in scope is stricter and goes by exact case.
 */

import { plainLength } from './plain-path.js';

/** `.` is the workspace itself and covers everything. */
export const ROOT = '.';
const RESOURCE_LENGTH_MAX = 4096;

type Normalised = { resource: string } | { problem: string };

/** Why a text has no normal form; undefined when it has one. */
export function resourceProblem(text: string): string | undefined {
  if (plainLength(text) !== -1) return undefined;
  const normalised = normalise(text);
  return 'problem' in normalised ? normalised.problem : undefined;
}

/** The normal form of a text that has one. */
export function resourceOf(text: string): string {
  const plain = plainLength(text);
  if (plain !== -1) return plain === text.length ? text : text.slice(0, plain);
  const normalised = normalise(text);
  if ('problem' in normalised) throw new Error(`resource ${text} ${normalised.problem}`);
  return normalised.resource;
}

/** A form that would change when it is read again names two files: such a text is refused rather than guessed at. */
function normalise(text: string): Normalised {
  const resolved = resolve(text);
  if ('problem' in resolved || resolved.resource.trim() === resolved.resource) return resolved;
  return { problem: 'begins or ends with a space once it is resolved' };
}

function resolve(text: string): Normalised {
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

/** Both normalised. */
export function overlaps(one: string, other: string): boolean {
  return foldedOverlap(foldCase(one), foldCase(other));
}

/** Both normalised and case-folded. */
export function foldedOverlap(one: string, other: string): boolean {
  return contains(one, other) || contains(other, one);
}

/** Both normalised; exact case. */
export function isInside(resource: string, scope: string): boolean {
  return contains(scope, resource);
}

/** The normal form without regard to case, for a text that has one. */
export function foldedResource(text: string): string {
  const plain = plainLength(text);
  if (plain === -1) return foldCase(resourceOf(text));
  const folded = text.toUpperCase();
  return plain === folded.length ? folded : folded.slice(0, plain);
}

/** Upper case, since lower case keeps ß apart from SS and has two small sigmas. It may leave NFC, so it is put back. */
function foldCase(resource: string): string {
  return resource.toUpperCase().normalize('NFC');
}

function contains(folder: string, path: string): boolean {
  return (
    folder === ROOT ||
    (path.startsWith(folder) && (path.length === folder.length || path.charCodeAt(folder.length) === 0x2f))
  );
}

/** C0, DEL, C1 and the Unicode direction marks: they make a name look like another one. */
export function hasControlOrBidi(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  return /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text);
}
