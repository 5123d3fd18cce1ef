import { type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';

/** A modal dialog. The browser keeps the focus inside it, and Escape closes it. */
export function Dialog(input: { title: string; onClose: () => void; children: ReactNode }): ReactElement {
  const { title, onClose, children } = input;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const openedFrom = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      if (openedFrom instanceof HTMLElement) openedFrom.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="btn bare icon"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="x" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
