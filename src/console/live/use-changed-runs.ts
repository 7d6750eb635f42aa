import { useEffect, useRef } from 'react';
import { useLive } from './live-context.js';

/** However much happens, what changed is read at most twice a second, and never while it is being read. */
const REST_MS = 500;
const FAILED_MS = 2_000;

/** Calls with the runs that have changed since it was called last; what could not be read is asked for again. */
export function useChangedRuns(onChanged: (runs: readonly string[]) => Promise<void>): void {
  const { changes } = useLive();
  const latest = useRef(changes);
  latest.current = changes;
  const seen = useRef(changes);
  const call = useRef(onChanged);
  call.current = onChanged;
  const state = useRef<'idle' | 'busy' | 'over'>('idle');
  useEffect(() => {
    state.current = 'idle';
    return () => {
      state.current = 'over';
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they say when, and are read where it is done
  useEffect(() => {
    if (state.current !== 'idle') return;
    state.current = 'busy';
    void follow();
    async function follow(): Promise<void> {
      while (state.current === 'busy') {
        const [before, now] = [seen.current, latest.current];
        const changed = [...now].flatMap(([run, times]) => (before.get(run) === times ? [] : run));
        if (changed.length === 0) break;
        seen.current = now;
        const read = await call.current(changed).then(
          () => true,
          () => false,
        );
        if (!read) seen.current = before;
        await new Promise((resolve) => setTimeout(resolve, read ? REST_MS : FAILED_MS));
      }
      if (state.current === 'busy') state.current = 'idle';
    }
  }, [changes]);
}
