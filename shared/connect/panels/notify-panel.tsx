import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { NoticeCode } from '../notices.ts';
import type { StatusWords } from '../status-words.ts';
import { NoticeText } from './notice-text.tsx';

/** Renders the form "Email me when it is live". */
export function NotifyPanel(input: {
  page: ConnectPage;
  words: StatusWords;
  path: string;
  notice: NoticeCode | null;
  /** The address that was typed, if it has to be corrected. */
  address: string;
}): ReactElement {
  const { page, words, path, notice, address } = input;
  if (!page.offers_mail || !words.leadsToLive) return <div id="notify" data-live="" />;
  const invalid = notice === 'mail_address';
  return (
    <section className="card" id="notify" data-live="" aria-labelledby="notify-title">
      <h2 id="notify-title">Email me when it is live</h2>
      <form method="post" action={`${path}/notify`} data-quiet="">
        <div className="row">
          <div>
            <label htmlFor="address">Your email address</label>
            <input
              id="address"
              name="address"
              type="email"
              autoComplete="email"
              required
              maxLength={254}
              defaultValue={address}
              aria-invalid={invalid || undefined}
              aria-describedby={invalid ? 'notify-notice notify-use' : 'notify-use'}
            />
          </div>
          <button type="submit" id="notify-me">
            Email me
          </button>
        </div>
      </form>
      <NoticeText code={notice} place="notify" />
      <p className="small" id="notify-use">
        We send you one email to confirm your address and one when the domain is live. Nothing else.
      </p>
    </section>
  );
}
