import { type ReactNode, useEffect, useRef } from 'react';

const TINT_MS = 600;
/** When more change together, all of it would flicker: then nothing does. */
const AT_ONCE_MAX = 3;
const still = matchMedia('(prefers-reduced-motion: reduce)');

let waiting: HTMLElement[] = [];

function tintTogether(element: HTMLElement): void {
  if (waiting.length === 0) requestAnimationFrame(tint);
  waiting.push(element);
}

function tint(): void {
  const changed = waiting;
  waiting = [];
  if (changed.length > AT_ONCE_MAX || still.matches) return;
  const hover = getComputedStyle(document.documentElement).getPropertyValue('--run-bg');
  for (const element of changed) {
    element.animate([{ backgroundColor: hover }, { backgroundColor: 'transparent' }], TINT_MS);
  }
}

/** A value that is tinted for a moment when it changes before the eyes. */
export function Changed({ value, children }: { value: string | number; children: ReactNode }) {
  const element = useRef<HTMLSpanElement>(null);
  const before = useRef(value);
  useEffect(() => {
    if (before.current !== value && element.current) tintTogether(element.current);
    before.current = value;
  }, [value]);
  return (
    <span ref={element} className="changed">
      {children}
    </span>
  );
}
