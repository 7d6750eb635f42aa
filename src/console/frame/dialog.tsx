import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icon.js';

type Props = { title: string; onClose(): void; children: ReactNode };

/** Over the page; Escape closes it and gives the focus back. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('textarea, input')?.focus();
  }, []);
  return (
    <dialog ref={dialog} className="panel" aria-label={title} onClose={onClose}>
      <header className="row">
        <h2>{title}</h2>
        <span className="sp" />
        <button type="button" className="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
