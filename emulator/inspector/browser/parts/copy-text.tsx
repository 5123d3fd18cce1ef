import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { say } from '../notices.tsx';

const SHOWN_MS = 1500;

/** A text as it is to be used, with a button that copies it. @param what says what it is, for a screen reader. */
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
      <CopyButton text={text} what={what} />
    </span>
  );
}

export function CopyButton({ text, what }: { text: string; what: string }): ReactElement {
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
        say(`Copied ${what}.`);
      },
      () => say('It could not be copied: select the text instead.', 'bad'),
    );
  return (
    <button type="button" className="icon" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}
