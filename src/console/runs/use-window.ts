import { useEffect, useState } from 'react';

/** As in the style sheets: one line, or two on small screens. */
export const IS_SMALL = matchMedia('(max-width: 720px)').matches;
export const ROW_PX = IS_SMALL ? 56 : 34;
const AROUND = 20;

/** Which rows of a table are near the window; moves in steps, so that scrolling draws seldom. */
export function useWindow(table: { current: HTMLTableElement | null }, count: number): { first: number; last: number } {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const main = document.getElementById('main');
    const look = (): void => {
      const from = (main?.getBoundingClientRect().top ?? 0) - (table.current?.getBoundingClientRect().top ?? 0);
      setTop(Math.max(0, Math.floor(from / ROW_PX / AROUND) * AROUND));
    };
    look();
    main?.addEventListener('scroll', look, { passive: true });
    return () => main?.removeEventListener('scroll', look);
  }, [table]);
  const visible = Math.ceil(innerHeight / ROW_PX);
  const first = Math.min(Math.max(0, top - AROUND), count);
  return { first, last: Math.min(count, top + visible + AROUND) };
}
