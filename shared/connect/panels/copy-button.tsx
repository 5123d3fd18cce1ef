import type { ReactElement } from 'react';
import { Icon } from './icons.tsx';

/**
 * A button that copies a text. It is visible only with the script. Without it, a click into the text selects all of it.
 * @param what says what is copied, for screen readers.
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
