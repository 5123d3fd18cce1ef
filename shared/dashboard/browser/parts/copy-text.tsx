import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { notify } from '../notices.tsx';

const SHOWN_MS = 1500;

/** Shows a text with a button that copies it. @param input.what the name of the text for screen readers. */
export function CopyText(input: { text: string; what: string; shown?: string }): ReactElement {
  const { text, what, shown = text } = input;
  return (
    <span className="copyable">
      <code>{shown}</code>
      <CopyTextButton text={text} what={what} />
    </span>
  );
}

/** @param input.word the text of the button; without it, the button is an icon. */
export function CopyTextButton(input: { text: string; what: string; word?: string }): ReactElement {
  const { text, what, word } = input;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        notify(`Copied ${what}.`);
      },
      () => notify('Copying failed. Select the text and copy it yourself.', 'bad'),
    );
  return (
    <button
      type="button"
      className={word === undefined ? 'btn bare icon copy' : 'btn copy'}
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={copy}
    >
      <Icon name={copied ? 'check' : 'copy'} />
      {word}
    </button>
  );
}
