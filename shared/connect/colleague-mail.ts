import type { Language } from '../core/connect-texts/catalog.ts';
import { changeLines } from '../core/connect-texts/change-lines.ts';
import { fill } from '../core/connect-texts/text.ts';
import type { ShownFinding } from './shown-finding.ts';
import { putsRecordsFirst } from './status-words.ts';
import { forRecords, type View } from './view.ts';

/** The request to a colleague. */
interface Request {
  /** The most severe finding; null if the only problem is missing records. */
  finding: ShownFinding | null;
  /** Whether to ask the colleague to set the records. */
  hasRecords: boolean;
}

/**
 * Returns the text of a mail in which the customer asks a colleague for a change. Null if nobody has to change anything. Lines end in CRLF
 * (RFC 6068).
 */
export function colleagueMail(view: View): { subject: string; body: string } | null {
  const request = view.words.awaits === 'customer' ? requestOf(view) : null;
  if (request === null) return null;
  const { page, language, guide } = view;
  const { mails } = language.texts;
  const { finding, hasRecords } = request;
  const values = { app: page.app_name, hostname: page.hostname, domain: page.registrable };
  const records = guide.records.map(({ fields }) =>
    fields.map(({ label, value }) => line(language, label, value)),
  );
  const paragraphs: readonly (readonly string[])[] = [
    [mails.hello],
    [finding === null ? forRecords(view, mails.pleaseAdd, values) : fill(mails.pleaseChange, values)],
    ...(finding === null ? [] : [[fill(mails.whatToDo, values), finding.hint]]),
    ...(finding?.changes ?? []).map((change) => changeLines(language, change)),
    ...(finding !== null && hasRecords ? [[forRecords(view, mails.afterwards)]] : []),
    ...(hasRecords ? records : []),
    [mails.pageTells, page.connect_url],
    [mails.thanks],
  ];
  return {
    subject:
      finding === null ? forRecords(view, mails.subjectAdd, values) : fill(mails.subjectChange, values),
    body: paragraphs.map((lines) => lines.join('\r\n')).join('\r\n\r\n'),
  };
}

function requestOf({ page, words, findings: [top] }: View): Request | null {
  const hasRecords = putsRecordsFirst(words);
  if (top !== undefined && !top.passes)
    return { finding: top, hasRecords: hasRecords && top.changes.length === 0 };
  const isSettled = top !== undefined && page.status !== 'pending_dns';
  return hasRecords && !isSettled ? { finding: null, hasRecords } : null;
}

function line({ texts }: Language, label: string, value: string): string {
  return fill(texts.mails.field, { label, value });
}
