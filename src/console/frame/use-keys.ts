import { useEffect, useRef } from 'react';
import { goTo } from './address.js';

const PAGES: Readonly<Record<string, string>> = { i: '/inbox', r: '/runs', u: '/audit', s: '/system' };
const SECOND_KEY_MS_MAX = 1_500;

/** Never in a field, where letters are letters. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Keys that work on every page. */
export function useKeys({ onHelp }: { onHelp(): void }): void {
  const help = useRef(onHelp);
  help.current = onHelp;
  useEffect(() => {
    let goesMs = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape' && isTyping(event.target)) (event.target as HTMLElement).blur();
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const page = Date.now() - goesMs < SECOND_KEY_MS_MAX ? PAGES[event.key] : undefined;
      goesMs = event.key === 'g' ? Date.now() : 0;
      if (page !== undefined) goTo(page);
      else if (event.key === '?') help.current();
      else if (event.key === 'n') goTo('/runs?new=1');
      else if (event.key === '/') document.getElementById('search')?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, []);
}
