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

/** Helps the customer hand the work to a colleague: shows the link to the page, and a prepared plain-text email. */
export function HandOverPanel({ page, words, findings }: Input): ReactElement {
  const change = words.needsAction ? changeToAskFor(page, words, findings) : null;
  if (change === null) return <div id="hand-over" data-live="" />;
  return (
    <section className="card" id="hand-over" data-live="" aria-labelledby="hand-over-title">
      <h2 id="hand-over-title">Does someone else manage the domain?</h2>
      <p>Send them the link to this page. They see the same page and don't need an account.</p>
      <p className="link">
        <code>{page.connect_url}</code>
      </p>
      <p className="actions">
        <CopyButton id="copy-link" label="Copy link" what="link to this page" text={page.connect_url} />
        <a className="button" href={mailto(page, change)}>
          Write an email
        </a>
      </p>
    </section>
  );
}

interface Change {
  /** What to do about the most severe finding; null if the only problem is missing records. */
  hint: string | null;
  /** Whether the records have to be set. */
  hasRecords: boolean;
}

/** Returns the change to ask a colleague for; null if there is nothing to do but wait. */
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

/** Builds a mailto link. Lines of the body end in CRLF (RFC 6068). */
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
    ...(hint === null
      ? []
      : [
          `Here is what to do, according to ${app_name}:\r
${hint}`,
        ]),
    ...(hint !== null && hasRecords ? [`After the change, the DNS ${word} should be:`] : []),
    ...(hasRecords ? records : []),
    `This page shows the steps and tells you whether it worked:\r
${connect_url}`,
    'Thank you!',
  ].join('\r\n\r\n');
  const subject = hint === null ? `DNS ${word} for ${hostname}` : `A change for ${hostname}`;
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
