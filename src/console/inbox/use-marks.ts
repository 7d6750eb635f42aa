import { useEffect, useState } from 'react';
import type { InboxItem } from '../../client/index.js';
import { isTyping } from '../frame/use-keys.js';
import { bulkProblem } from './bulk.js';
import type { Row } from './use-rows.js';

export type Marks = {
  items: readonly InboxItem[];
  /** Why the last one could not be marked. */
  problem: string | null;
  toggle(item: InboxItem): void;
  clear(): void;
};

/** Items that are to be answered together. `M` marks the one that is selected, when it goes with those before. */
export function useMarks(rows: readonly Row[], selected: Row | undefined): Marks {
  const [marked, setMarked] = useState<readonly number[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const items = rows
    .filter(({ item, outcome }) => outcome === null && marked.includes(item.item))
    .map(({ item }) => item);
  const toggle = (item: InboxItem): void => {
    const without = marked.filter((one) => one !== item.item);
    const why = without.length < marked.length ? undefined : bulkProblem(item, items);
    setProblem(why ?? null);
    if (why === undefined) setMarked(without.length < marked.length ? without : [...marked, item.item]);
  };
  const clear = (): void => {
    setMarked([]);
    setProblem(null);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'm' && selected && selected.outcome === null) toggle(selected.item);
      if (event.key === 'Escape' && marked.length > 0) clear();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  return { items, problem, toggle, clear };
}
