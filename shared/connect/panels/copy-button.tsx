import type { ReactElement } from 'react';
import { Icon } from './icons.tsx';

/**
 * Copies a text. Only the script shows it: without one, a click into the text selects all of it.
 * @param what says what is copied, for a screen reader.
 */
export function CopyButton(input: { id: string; label: string; what: string; text: string }): ReactElement {
  const { id, label, what, text } = input;
  return (
    <button
      type="button"
      className="copy"
      id={id}
      data-copy={text}
      data-what={what}
      aria-label={`Copy ${what}`}
    >
      <Icon name="copy" />
      <span>{label}</span>
    </button>
  );
}
