/** An answer to a form, in words. Its code travels in the address that the form leads back to, so the words are ours alone. */
export interface Notice {
  tone: 'good' | 'waiting' | 'bad';
  text: string;
  /** What a page without script has to add. */
  unscripted?: string;
  /** The part of the page where it stands. */
  place: 'status' | 'notify';
}

export const NOTICES = {
  checking: {
    tone: 'good',
    text: 'We are checking now. The result shows here in a few seconds.',
    unscripted: 'Reload the page then.',
    place: 'status',
  },
  checked_recently: {
    tone: 'waiting',
    text: 'We checked only a few seconds ago. Please wait 15 seconds between two checks.',
    place: 'status',
  },
  nothing_to_check: {
    tone: 'waiting',
    text: 'There is nothing to check at the moment.',
    place: 'status',
  },
  mail_sent: {
    tone: 'good',
    text: 'Please look into your inbox: we have sent you a message with a button to confirm your address.',
    place: 'notify',
  },
  mail_address: {
    tone: 'bad',
    text: 'This does not look like an e-mail address. It should read like ada@example.com.',
    place: 'notify',
  },
  mail_too_often: {
    tone: 'waiting',
    text: 'Too many e-mails were asked for here. Please try again tomorrow.',
    place: 'notify',
  },
} as const satisfies Record<string, Notice>;
export type NoticeCode = keyof typeof NOTICES;

/** @param text as it stands in an address; null for none of ours. */
export function readNotice(text: string | null): NoticeCode | null {
  return text !== null && Object.hasOwn(NOTICES, text) ? (text as NoticeCode) : null;
}
