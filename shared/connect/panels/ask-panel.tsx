import type { ReactElement } from 'react';
import { fill } from '../../core/connect-texts/text.ts';
import type { View } from '../view.ts';

/** Shows how the customer can contact the app, in a status that only the app can change. */
export function AskPanel({ view: { page, words, language } }: { view: View }): ReactElement {
  if (words.awaits !== 'app' || page.status === 'deleted') return <div id="ask" data-live="" />;
  const { page: texts, mails } = language.texts;
  const { brand, app_name: app, connect_url, hostname } = page;
  const subject = fill(page.status === 'expired' ? mails.restartSubject : mails.questionSubject, {
    hostname,
  });
  const body = [mails.hello, fill(mails.aboutPage, { hostname, app }), connect_url, mails.thanks];
  const href =
    brand.support_url ??
    `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.join('\r\n\r\n'))}`;
  return (
    <section className="card" id="ask" data-live="" aria-labelledby="ask-title">
      <h2 id="ask-title">{fill(texts.askTitle, { app })}</h2>
      <p className="open">
        <a className="btn lead" href={href} rel="noopener noreferrer">
          {brand.support_url === null ? texts.writeMail : fill(texts.contactApp, { app })}
        </a>
      </p>
    </section>
  );
}
