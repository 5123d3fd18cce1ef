import type { ReactElement } from 'react';
import type { NoticeCode } from '../notices.ts';
import { pageLink } from '../page-path.ts';
import type { View } from '../view.ts';
import { NoticeText } from './notice-text.tsx';

/** Renders the form "Email me when it is live". */
export function NotifyPanel(input: {
  view: View;
  notice: NoticeCode | null;
  /** The mail address that the customer typed, if it has to be corrected; else empty. */
  typed: string;
}): ReactElement {
  const { view, notice, typed } = input;
  const { page, words, language, address } = view;
  const { page: texts } = language.texts;
  if (!page.offers_mail || !words.leadsToLive) return <div id="notify" data-live="" />;
  const invalid = notice === 'mail_address';
  return (
    <section className="card" id="notify" data-live="" aria-labelledby="notify-title">
      <h3 id="notify-title">{texts.notifyTitle}</h3>
      <form className="ask-row" method="post" action={pageLink(address, '/notify')} data-quiet="">
        <label htmlFor="address">{texts.address}</label>
        <input
          id="address"
          name="address"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          defaultValue={typed}
          placeholder={`ada@${page.registrable}`}
          aria-invalid={invalid || undefined}
          aria-describedby={invalid ? 'notify-notice notify-use' : 'notify-use'}
        />
        <button type="submit" id="notify-me">
          {texts.notifyButton}
        </button>
      </form>
      <NoticeText code={notice} place="notify" language={language} />
      <p className="small muted" id="notify-use">
        {texts.notifyUse}
      </p>
    </section>
  );
}
