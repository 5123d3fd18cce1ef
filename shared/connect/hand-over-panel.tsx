import type { ReactElement } from 'react';
import type { ConnectPage } from '../operations/get-connect-page.ts';
import { CopyButton } from './copy-button.tsx';
import { recordWord, type StatusWords } from './status-words.ts';

/** "Hand it to a colleague": the link, and a message that says all of it in plain text. */
export function HandOverPanel({ page, words }: { page: ConnectPage; words: StatusWords }): ReactElement {
  if (!words.needs_somebody) return <div id="hand-over" data-live="" />;
  return (
    <section className="card" id="hand-over" data-live="" aria-labelledby="hand-over-title">
      <h2 id="hand-over-title">Does somebody else manage the domain?</h2>
      <p>Send them the link to this page. They see the same, and need no account.</p>
      <p className="link">
        <code>{page.connect_url}</code>
      </p>
      <p className="actions">
        <CopyButton id="copy-link" label="Copy link" what="link to this page" text={page.connect_url} />
        <a className="button" href={mailto(page)}>
          Write an e-mail
        </a>
      </p>
    </section>
  );
}

/** RFC 6068: lines of the body end in CRLF. */
function mailto(page: ConnectPage): string {
  const records = page.guide.records.map(({ fields }) =>
    fields.map(({ label, value }) => `${label}: ${value}`).join('\r\n'),
  );
  const body = [
    'Hello,',
    `could you please add the DNS ${recordWord(page)} below for ${page.registrable}? It connects ${page.hostname} to ${page.app_name}.`,
    ...records,
    `This page shows the steps, and whether it worked:\r\n${page.connect_url}`,
    'Thank you!',
  ].join('\r\n\r\n');
  const subject = `DNS ${recordWord(page)} for ${page.hostname}`;
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
