import type { MouseEvent, ReactNode } from 'react';
import { goTo } from './address.js';

type Props = {
  to: string;
  className?: string;
  current?: boolean;
  children: ReactNode;
  label?: string;
  onFollow?(): void;
};

/** A real link, so that it can be opened elsewhere and copied; within the console it loads nothing anew. */
export function Link({ to, className, current = false, children, label, onFollow }: Props) {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onFollow?.();
    goTo(to);
  };
  return (
    <a href={to} className={className} aria-current={current ? 'page' : undefined} aria-label={label} onClick={follow}>
      {children}
    </a>
  );
}
