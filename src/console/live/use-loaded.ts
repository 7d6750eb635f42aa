import { useCallback, useEffect, useRef, useState } from 'react';
import { passes, READ_AGAIN_MS } from './passes.js';

export type Loaded<Value> = { value: Value | null; error: Error | null; again(): void };

/**
 * What `load` brings. It is loaded anew when `of` or `version` changes; for another version of the same thing the old
 * value stays until the new one is there, so that nothing flickers. What nobody answered is asked for again.
 */
export function useLoaded<Value>(of: string, version: number, load: () => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<{ of: string; value: Value | null; error: Error | null }>({
    ...{ of, value: null, error: null },
  });
  const [tries, setTries] = useState(0);
  const loading = useRef(load);
  loading.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: version and tries say when, not what
  useEffect(() => {
    let over = false;
    let later: ReturnType<typeof setTimeout> | undefined;
    loading.current().then(
      (value) => !over && setState({ of, value, error: null }),
      (error) => {
        if (over) return;
        setState((before) => ({ ...(before.of === of ? before : { of, value: null }), error }));
        if (passes(error)) later = setTimeout(() => setTries((before) => before + 1), READ_AGAIN_MS);
      },
    );
    return () => {
      over = true;
      clearTimeout(later);
    };
  }, [of, version, tries]);
  const again = useCallback(() => setTries((before) => before + 1), []);
  return state.of === of ? { ...state, again } : { value: null, error: null, again };
}
