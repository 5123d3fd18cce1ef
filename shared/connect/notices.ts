import type { Language } from '../core/connect-texts/catalog.ts';

/**
 * The text about the result of a form. The redirect back to the page has only the code of the notice in its URL, so nobody can forge the
 * text.
 */
interface FormNotice {
  tone: 'good' | 'wait' | 'bad';
  say: keyof Language['texts']['messages'] & `${'check' | 'mail' | 'nothing'}${string}`;
  /** The part of the page that shows the notice. */
  place: 'status' | 'notify';
}

export const NOTICES = {
  checking: { tone: 'good', say: 'checking', place: 'status' },
  checked_recently: { tone: 'wait', say: 'checkedRecently', place: 'status' },
  nothing_to_check: { tone: 'wait', say: 'nothingToCheck', place: 'status' },
  provider_returned: { tone: 'good', say: 'checkProvider', place: 'status' },
  provider_refused: { tone: 'wait', say: 'checkProviderRefused', place: 'status' },
  mail_sent: { tone: 'good', say: 'mailSent', place: 'notify' },
  mail_address: { tone: 'bad', say: 'mailAddress', place: 'notify' },
  mail_too_often: { tone: 'wait', say: 'mailTooOften', place: 'notify' },
} as const satisfies Record<string, FormNotice>;
export type NoticeCode = keyof typeof NOTICES;

/** Parses the code of a notice from a URL. @returns null for an unknown code. */
export function readNotice(text: string | null): NoticeCode | null {
  return text !== null && Object.hasOwn(NOTICES, text) ? (text as NoticeCode) : null;
}
