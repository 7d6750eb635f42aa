import { useEffect, useRef, useState } from 'react';
import type { SessionEvent } from '../../client/index.js';
import { client } from '../live/client.js';
import { FoldedText, type LiveItem } from './folded-text.js';

const TELL_MS = 100;
const BEGIN_AGAIN_MS = 2_000;

/** What is being said and printed right now, drawn at most ten times a second. What is stored already is not in it. */
export function useLiveText(run: string, version: number): readonly LiveItem[] {
  const [items, setItems] = useState<readonly LiveItem[]>([]);
  const folded = useRef(new FoldedText());
  const from = useRef(version);
  from.current = version;
  useEffect(() => {
    const stop = new AbortController();
    const text = new FoldedText();
    folded.current = text;
    let telling: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      telling ??= setTimeout(() => {
        telling = undefined;
        setItems(text.items());
      }, TELL_MS);
    };
    void follow(run, stop.signal, {
      begin: () => {
        text.forget();
        return from.current;
      },
      see: (event) => text.see(event) && tell(),
    });
    return () => {
      stop.abort();
      clearTimeout(telling);
      setItems([]);
    };
  }, [run]);
  return items.filter(({ storedAt }) => storedAt === null || storedAt > version);
}

type Follow = { begin(): number; see(event: SessionEvent): void };

/** The stream comes back by itself; what was open then is told again from its beginning. */
async function follow(run: string, signal: AbortSignal, { begin, see }: Follow): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of client.sessions.events(run, { after: begin(), signal })) see(event);
    } catch {
      // Whether the wire is broken stands at the foot of the page.
    }
    await new Promise((resolve) => setTimeout(resolve, BEGIN_AGAIN_MS));
  }
}
