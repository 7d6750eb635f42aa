import { useEffect, useRef, useState } from 'react';
import { client } from './client.js';
import { useLive } from './live-context.js';

const QUIET_MS = 10_000;

/** What is said aloud: new asks, and the end of the run that is looked at. At most one sentence in ten seconds. */
export function useAnnounced(watched: string | null): string {
  const { items, changes } = useLive();
  const [said, setSaid] = useState('');
  const news = useRef<string[]>([]);
  const quiet = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const speak = (): void => {
    const [first, ...others] = news.current;
    if (first === undefined || quiet.current !== undefined) return;
    setSaid(others.length === 0 ? first : `${first} And ${others.length} more.`);
    news.current = [];
    quiet.current = setTimeout(() => {
      quiet.current = undefined;
      speak();
    }, QUIET_MS);
  };
  const say = useRef<(sentence: string) => void>(() => {});
  say.current = (sentence) => {
    news.current.push(sentence);
    speak();
  };
  useNewItems(items, (sentence) => say.current(sentence));
  useEnd(watched, changes.get(watched ?? '') ?? 0, (sentence) => say.current(sentence));
  useEffect(() => () => clearTimeout(quiet.current), []);
  return said;
}

type Items = ReturnType<typeof useLive>['items'];

function useNewItems(items: Items, say: (sentence: string) => void): void {
  const newest = useRef<number | null>(null);
  useEffect(() => {
    if (items === null) return;
    const last = Math.max(0, ...items.map(({ item }) => item));
    if (newest.current !== null) {
      for (const { item, question } of items) if (item > newest.current) say(`New: ${question}`);
    }
    newest.current = Math.max(last, newest.current ?? 0);
  }, [items, say]);
}

function useEnd(run: string | null, version: number, say: (sentence: string) => void): void {
  const before = useRef<{ run: string; ended: boolean } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: version says when, not what
  useEffect(() => {
    if (run === null) return;
    let over = false;
    client.run(run).then(
      ({ ended, status, title }) => {
        if (over) return;
        const known = before.current?.run === run ? before.current : null;
        if (known && !known.ended && ended) say(`${title} ended: ${status.toLowerCase().replaceAll('_', ' ')}.`);
        before.current = { run, ended };
      },
      () => {},
    );
    return () => {
      over = true;
    };
  }, [run, version]);
}
