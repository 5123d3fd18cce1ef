import type { ReactElement } from 'react';
import { Icon } from './icons.tsx';

/**
 * A button that copies a text. It is visible only if the script runs. Without the script, a click into the text selects the whole text.
 * @param input.name the name of the button for screen readers. The name contains the label (WCAG 2.5.3).
 * @param input.said the text that a screen reader announces after the copy.
 */
export function CopyButton(input: {
  id: string;
  label: string;
  name: string;
  said: string;
  text: string;
}): ReactElement {
  const { id, label, name, said, text } = input;
  return (
    <button
      type="button"
      className="copy"
      id={id}
      data-copy={text}
      data-said={said}
      aria-label={name}
      part="button copy"
    >
      <Icon name="copy" />
      <span>{label}</span>
    </button>
  );
}
