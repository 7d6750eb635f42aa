import { type Loaded, useLoaded } from '../../live/use-loaded.js';
import { useAt } from './use-at.js';

/**
 * A run as it is, or was behind the event that the address names: `at`, null when that is the last one. While another
 * moment is read the one before stays.
 */
export function useMoment<View extends { events: number }>(
  of: string,
  version: number,
  read: (at: number | undefined) => Promise<View>,
): Loaded<View> & { at: number | null } {
  const named = useAt();
  // Moments that are over have numbers of their own, so that they are never taken for a version.
  const which = named === null ? version : -named;
  const loaded = useLoaded(of, which, () => read(named ?? undefined));
  const isOver = named !== null && loaded.value !== null && named < loaded.value.events;
  return { ...loaded, at: isOver ? named : null };
}
