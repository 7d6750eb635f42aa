import { useEffect, useRef } from 'react';
import { goTo } from './address.js';
import { SECTIONS } from './sections.js';

const PAGES: ReadonlyMap<string, string> = new Map(SECTIONS.map(({ key, to }) => [key, `/${to}`]));
const SECOND_KEY_MS_MAX = 1_500;
/** The field that F leads to; a page that has one gives it this id. */
export const FILTER_ID = 'filter';

/** Never in a field, where letters are letters. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** A button that was pressed is gone or off, and its focus with it: keys go on to work from here. */
export function focusIfLost(target: HTMLElement | null | undefined, left: Element | null = null): void {
  const { activeElement } = document;
  if (activeElement === document.body || left?.contains(activeElement)) target?.focus({ preventScroll: true });
}

/** Where answers are given, a letter that is an answer is nothing else. */
function isAnswer({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || !target.closest('[role=listbox], .answer, .gate')) return false;
  const keys = [...document.querySelectorAll('.answer button kbd')];
  return keys.some(({ textContent }) => textContent?.toLowerCase() === key);
}

type Does = { onHelp(): void; onSearch(): void };

/** Keys that work on every page. */
export function useKeys(does: Does): void {
  const latest = useRef(does);
  latest.current = does;
  useEffect(() => {
    let goesMs = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape' && isTyping(event.target)) (event.target as HTMLElement).blur();
      if (isTyping(event.target) || document.querySelector('dialog[open]') || isAnswer(event)) return;
      const page = Date.now() - goesMs < SECOND_KEY_MS_MAX ? PAGES.get(event.key) : undefined;
      goesMs = event.key === 'g' ? Date.now() : 0;
      if (page !== undefined) goTo(page);
      else if (!act(event.key, latest.current)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, []);
}

function act(key: string, { onHelp, onSearch }: Does): boolean {
  switch (key) {
    case '?':
      onHelp();
      return true;
    case '/':
      onSearch();
      return true;
    case 'n':
      goTo('/runs?new=1');
      return true;
    case 'f':
      focusFilter();
      return true;
    case 'c':
      return copyCommand();
    default:
      return false;
  }
}

function focusFilter(): void {
  const field = document.getElementById(FILTER_ID);
  if (field) field.focus();
  else {
    goTo('/runs');
    requestAnimationFrame(() => document.getElementById(FILTER_ID)?.focus());
  }
}

/** The command of the page, by its own button, so that what is seen is what is copied. */
function copyCommand(): boolean {
  const buttons = document.querySelectorAll<HTMLElement>('main .cli button');
  const last = buttons[buttons.length - 1];
  last?.click();
  return last !== undefined;
}
