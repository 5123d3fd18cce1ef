import type { ReactElement } from 'react';
import { colleagueMail } from '../colleague-mail.ts';
import type { View } from '../view.ts';
import { CopyButton } from './copy-button.tsx';

/** Helps the customer to delegate the work to a colleague: shows a link to the page, and a prepared plain-text email. */
export function HandOverPanel({ view }: { view: View }): ReactElement {
  const { page, language } = view;
  const texts = language.texts.page;
  const mail = colleagueMail(view);
  if (mail === null) return <div id="hand-over" data-live="" />;
  return (
    <section className="card" id="hand-over" data-live="" aria-labelledby="hand-over-title">
      <h2 id="hand-over-title">{texts.colleagueTitle}</h2>
      <p>{texts.colleagueText}</p>
      <p className="link">
        <code>{page.connect_url}</code>
      </p>
      <p className="actions">
        <CopyButton
          id="copy-link"
          label={texts.copyLink}
          name={texts.copyLinkWhat}
          said={texts.copiedLink}
          text={page.connect_url}
        />
        <a
          className="button"
          href={`mailto:?subject=${encodeURIComponent(mail.subject)}&body=${encodeURIComponent(mail.body)}`}
        >
          {texts.writeMail}
        </a>
      </p>
    </section>
  );
}
