import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { ShownFinding } from '../shown-finding.ts';
import { recordWord, type StatusWords } from '../status-words.ts';
import { CopyButton } from './copy-button.tsx';

interface Input {
  page: ConnectPage;
  words: StatusWords;
  /** The most severe first. */
  findings: readonly ShownFinding[];
}

/** "Hand it to a colleague": the link, and a message that says all of it in plain text. */
export function HandOverPanel({ page, words, findings }: Input): ReactElement {
  const change = words.needs_somebody ? changeToAskFor(page, words, findings) : null;
  if (change === null) return <div id="hand-over" data-live="" />;
  return (
    <section className="card" id="hand-over" data-live="" aria-labelledby="hand-over-title">
      <h2 id="hand-over-title">Does somebody else manage the domain?</h2>
      <p>Send them the link to this page. They see the same, and need no account.</p>
      <p className="link">
        <code>{page.connect_url}</code>
      </p>
      <p className="actions">
        <CopyButton id="copy-link" label="Copy link" what="link to this page" text={page.connect_url} />
        <a className="button" href={mailto(page, change)}>
          Write an e-mail
        </a>
      </p>
    </section>
  );
}

interface Change {
  /** What to do about the top finding; null if the records alone are missing. */
  hint: string | null;
  /** Whether the records have to be set. */
  hasRecords: boolean;
}

/** Returns what a colleague can do; null if nobody can do more than wait. */
function changeToAskFor(
  { status }: ConnectPage,
  { records }: StatusWords,
  findings: Input['findings'],
): Change | null {
  const hasRecords = records === 'add' || records === 'set';
  const [top] = findings;
  if (top !== undefined && !top.passes) return { hint: top.hint, hasRecords };
  const isSettled = top !== undefined && status !== 'pending_dns';
  return hasRecords && !isSettled ? { hint: null, hasRecords } : null;
}

/** RFC 6068: lines of the body end in CRLF. */
function mailto(page: ConnectPage, { hint, hasRecords }: Change): string {
  const { app_name, connect_url, guide, hostname, registrable } = page;
  const records = guide.records.map(({ fields }) =>
    fields.map(({ label, value }) => `${label}: ${value}`).join('\r\n'),
  );
  const purpose = `It connects ${hostname} to ${app_name}.`;
  const word = recordWord(page);
  const body = [
    'Hello,',
    hint === null
      ? `could you please add the DNS ${word} below for ${registrable}? ${purpose}`
      : `could you please make the change below for ${registrable}? ${purpose}`,
    ...(hint === null ? [] : [`${app_name} says what to do:\r\n${hint}`]),
    ...(hint !== null && hasRecords ? [`In the end, the DNS ${word} should be:`] : []),
    ...(hasRecords ? records : []),
    `This page shows the steps, and whether it worked:\r\n${connect_url}`,
    'Thank you!',
  ].join('\r\n\r\n');
  const subject = hint === null ? `DNS ${word} for ${hostname}` : `A change for ${hostname}`;
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
