import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';

const KEPT_MAX = 40;
const kept = new Map<string, Promise<string>>();

/** A text by its address, where there always is the same; of none it is empty. */
export function useText(run: string, sha256: string | null): { text: string | null; error: Error | null } {
  const { value, error } = useLoaded(`text ${run} ${sha256}`, 0, () => readText(run, sha256));
  return { text: value, error };
}

export function readText(run: string, sha256: string | null): Promise<string> {
  if (sha256 === null) return Promise.resolve('');
  const found = kept.get(sha256);
  if (found) return found;
  const reading = client.body(run, sha256).then(({ text }) => text);
  kept.set(sha256, reading);
  reading.catch(() => kept.delete(sha256));
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(oldest);
  }
  return reading;
}
