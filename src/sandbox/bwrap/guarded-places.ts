import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { isCover } from './covers.js';
import { isBelow, type Place, type PlaceKind } from './place.js';

/**
 * Places for a path inside a writable root that whoever works there must not change. Every folder on the way is pinned:
 * otherwise it could be moved aside, with what is guarded in it, and a new one made in its place.
 */
export function guardedPlaces(
  wanted: string,
  kind: Extract<PlaceKind, 'control' | 'hidden'>,
  { root, mayCover }: { root: string; mayCover: boolean },
): Place[] | { reason: string } {
  const names = path.relative(root, wanted).split(path.sep);
  const places: Place[] = [];
  let at = root;
  for (const [index, name] of names.entries()) {
    at = path.join(at, name);
    const facts = lstatSync(at, { throwIfNoEntry: false });
    if (!facts || (mayCover && isCover(at, facts))) return [...places, { path: at, kind: 'absent' }];
    const isLast = index === names.length - 1;
    const reason = whyNotGuardable(at, facts, isLast);
    if (reason !== undefined) return { reason };
    places.push({ path: at, kind: isLast ? kind : 'pinned' });
  }
  return places;
}

/** The writable root that a path lies in; of several the innermost. */
export function rootOf(wanted: string, roots: readonly string[]): string | undefined {
  return roots.filter((root) => isBelow(wanted, root)).toSorted((a, b) => b.length - a.length)[0];
}

function whyNotGuardable(at: string, facts: Stats, isLast: boolean): string | undefined {
  // What would be guarded is what it points to, while the link itself could be replaced.
  if (facts.isSymbolicLink()) return `${at} is a link, which cannot be guarded`;
  if (!isLast && !facts.isDirectory()) return `${at} is not a folder`;
  if (facts.isFile() && facts.nlink > 1) return `${at} has a second name, by which it could be changed`;
  return undefined;
}
