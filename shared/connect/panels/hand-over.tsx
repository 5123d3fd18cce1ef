import type { ReactElement } from 'react';
import type { View } from '../view.ts';
import { CopyButton } from './copy-button.tsx';

/** Helps the customer to delegate the work to a colleague: shows a link to the page, and a prepared plain-text email. */
export function HandOver({
  mail,
  view: { page, language },
}: {
  mail: { subject: string; body: string };
  view: View;
}): ReactElement {
  const texts = language.texts.page;
  return (
    <>
      <p>{texts.colleagueText}</p>
      <p className="link">
        <code>{page.connect_url}</code>
      </p>
      <p className="open">
        <CopyButton
          id="copy-link"
          label={texts.copyLink}
          name={texts.copyLinkWhat}
          said={texts.copiedLink}
          text={page.connect_url}
        />
        <a
          className="btn"
          href={`mailto:?subject=${encodeURIComponent(mail.subject)}&body=${encodeURIComponent(mail.body)}`}
        >
          {texts.writeMail}
        </a>
      </p>
    </>
  );
}
