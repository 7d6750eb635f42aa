import { useEffect, useRef, useState } from 'react';
import type { RunEvent } from '../../client/index.js';
import { client } from './client.js';
import { useLive } from './live-context.js';
import { passes, READ_AGAIN_MS } from './passes.js';

const PAGE = 1_000;

/** All events of a run, read on from where they were read last; null until there are some. */
export function useRunEvents(run: string): readonly RunEvent[] | null {
  const { changes } = useLive();
  const version = changes.get(run) ?? 0;
  const [events, setEvents] = useState<readonly RunEvent[] | null>(null);
  const kept = useRef<{ run: string; events: RunEvent[] }>({ run, events: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: version says when, not what
  useEffect(() => {
    let over = false;
    if (kept.current.run !== run) kept.current = { run, events: [] };
    const read = async (): Promise<void> => {
      for (;;) {
        const after = kept.current.events.at(-1)?.position ?? 0;
        const { items, next } = await client.eventPage({ run, after, limit: PAGE });
        if (over) return;
        kept.current.events = [...kept.current.events, ...items];
        setEvents(kept.current.events);
        if (next === null) return;
      }
    };
    let later: ReturnType<typeof setTimeout> | undefined;
    const keepReading = (): void =>
      void read().catch((failure) => {
        if (!over && passes(failure)) later = setTimeout(keepReading, READ_AGAIN_MS);
      });
    keepReading();
    return () => {
      over = true;
      clearTimeout(later);
    };
  }, [run, version]);
  return kept.current.run === run ? events : null;
}
