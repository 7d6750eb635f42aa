import { type RefObject, useEffect, useState } from 'react';

/** Where a box that scrolls stands, in steps, so that scrolling draws seldom; and how large it is. */
export function useScrolled(box: RefObject<HTMLElement | null>): { top: number; height: number; width: number } {
  const [at, setAt] = useState({ top: 0, height: 0, width: 0 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => {
      const { scrollTop, clientHeight: height, clientWidth: width } = element;
      const top = Math.floor(scrollTop / STEP_PX) * STEP_PX;
      setAt((was) => (was.top === top && was.height === height && was.width === width ? was : { top, height, width }));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  return at;
}

const STEP_PX = 100;
