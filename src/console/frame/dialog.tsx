import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icon.js';

type Props = {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Without a head: what is in it says what it is. */
  bare?: boolean;
  wide?: boolean;
};

/** Over the page; Escape closes it and gives the focus back. */
export function Dialog({ title, onClose, children, bare = false, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('textarea, input')?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`panel ${bare ? 'palette' : ''} ${wide ? 'wide-panel' : ''}`}
      aria-label={title}
      onClose={onClose}
      // Beside it; but what somebody has typed is not lost by a slip of the hand.
      onMouseDown={(event) => bare && event.target === dialog.current && dialog.current?.close()}
    >
      {!bare && (
        <header className="row">
          <h2>{title}</h2>
          <span className="sp" />
          <button type="button" className="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
      )}
      {children}
    </dialog>
  );
}
