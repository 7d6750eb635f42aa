import { useEffect } from 'react';
import type { Run } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { isTyping } from '../frame/use-keys.js';
import { ROW_PX } from './use-window.js';

/** J and K go from row to row, ⏎ opens it. */
export function useRowKeys(
  table: { current: HTMLTableElement | null },
  runs: readonly Run[],
  at: number,
  setAt: (at: number) => void,
  base: string,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step !== undefined) {
        const next = Math.min(runs.length - 1, Math.max(0, at + step));
        setAt(next);
        scrollTo(table.current, next);
      }
      const run = runs[at];
      if (event.key === 'Enter' && run && event.target === document.body) {
        goTo(`${base}/${encodeURIComponent(run.run_id)}`);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [table, runs, at, setAt, base]);
}

/** So far that the row is seen, and no further. */
function scrollTo(table: HTMLTableElement | null, row: number): void {
  const main = document.getElementById('main');
  if (!main || !table) return;
  const head = table.tHead?.offsetHeight ?? 0;
  const top = table.getBoundingClientRect().top - main.getBoundingClientRect().top + head + row * ROW_PX;
  if (top < head) main.scrollTop += top - head;
  else if (top + ROW_PX > main.clientHeight) main.scrollTop += top + ROW_PX - main.clientHeight;
}
