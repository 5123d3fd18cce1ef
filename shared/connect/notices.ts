/** The result of a form, in words. The redirect back to the page has only its code in the URL, so the text cannot be forged. */
export interface FormNotice {
  tone: 'good' | 'waiting' | 'bad';
  text: string;
  /** Added on pages without the script. */
  unscripted?: string;
  /** The part of the page that shows the notice. */
  place: 'status' | 'notify';
}

export const NOTICES = {
  checking: {
    tone: 'good',
    text: 'We are checking now. The result will appear here in a few seconds.',
    unscripted: 'Then reload the page.',
    place: 'status',
  },
  checked_recently: {
    tone: 'waiting',
    text: 'We checked only a few seconds ago. Please wait 15 seconds between checks.',
    place: 'status',
  },
  nothing_to_check: {
    tone: 'waiting',
    text: 'There is nothing to check right now.',
    place: 'status',
  },
  mail_sent: {
    tone: 'good',
    text: 'Please check your inbox. We have sent you a confirmation link.',
    place: 'notify',
  },
  mail_address: {
    tone: 'bad',
    text: 'This does not look like an email address. It should look like ada@example.com.',
    place: 'notify',
  },
  mail_too_often: {
    tone: 'waiting',
    text: 'Too many emails were requested here. Please try again tomorrow.',
    place: 'notify',
  },
} as const satisfies Record<string, FormNotice>;
export type NoticeCode = keyof typeof NOTICES;

/** Parses the code of a notice from a URL. @returns null for an unknown code. */
export function readNotice(text: string | null): NoticeCode | null {
  return text !== null && Object.hasOwn(NOTICES, text) ? (text as NoticeCode) : null;
}
