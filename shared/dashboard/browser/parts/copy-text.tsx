import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { notify } from '../notices.tsx';

const SHOWN_MS = 1500;

/** Shows a text with a button that copies it. @param what the name of the text for screen readers. */
export function CopyText({
  text,
  what,
  shown = text,
}: {
  text: string;
  what: string;
  shown?: string;
}): ReactElement {
  return (
    <span className="copyable">
      <code>{shown}</code>
      <CopyTextButton text={text} what={what} />
    </span>
  );
}

/** @param word the text of the button; without it, the button is an icon. */
export function CopyTextButton({
  text,
  what,
  word,
}: {
  text: string;
  what: string;
  word?: string;
}): ReactElement {
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
