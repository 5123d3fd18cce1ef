/** A plain-text mail, its headers fit to be sent: nothing in it comes from a stranger unread. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Without angle brackets; the same when it is sent again, so that mailboxes show it once. */
  message_id: string;
  /** For one-click unsubscription (RFC 8058): a POST to it ends the subscription. */
  unsubscribe_url: string;
}

/** `sent`; or `refused`, for good: the address does not exist, or the mail is not wanted. */
export type MailOutcome = 'sent' | 'refused';

export interface Mailer {
  /** @throws what may pass by itself: no connection, a server that is busy or misconfigured. */
  send(mail: Mail): Promise<MailOutcome>;
}
