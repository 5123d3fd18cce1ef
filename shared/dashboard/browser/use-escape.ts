import { useEffect } from 'react';

/** Closes the open detail with Escape. In an input field, Escape keeps the browser's own meaning; a dialog closes itself. */
export function useEscape(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.target instanceof HTMLElement && event.target.matches('input, select, textarea')) return;
      document.querySelector<HTMLElement>('[data-close]')?.click();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
