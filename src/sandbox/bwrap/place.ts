/**
 * What is found at a path inside. On the same path the later kind of this list decides; of two paths that lie in each
 * other the longer one does.
 */
export const PLACE_KINDS = ['private', 'read-only', 'writable', 'pinned', 'control', 'absent', 'hidden'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/**
 * - pinned: as it is, but it cannot be renamed or removed, because it is a mount point of its own;
 * - control: as it is, read-only;
 * - absent: nothing is there and nothing can be made there.
 */
export type Place = { path: string; kind: PlaceKind };

export const isBelow = (path: string, folder: string): boolean =>
  folder === '/' ? path !== '/' : path.startsWith(`${folder}/`);
export const isAtOrBelow = (path: string, folder: string): boolean => path === folder || isBelow(path, folder);

/** One place per path, folders before what lies in them. */
export function inMountOrder(places: readonly Place[]): Place[] {
  const strongest = new Map<string, Place>();
  for (const place of places) {
    const other = strongest.get(place.path);
    if (!other || rank(place) > rank(other)) strongest.set(place.path, place);
  }
  return [...strongest.values()].sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
}

const rank = ({ kind }: Place): number => PLACE_KINDS.indexOf(kind);
const depth = ({ path }: Place): number => path.split('/').length;
