/** A plain-text mail. Its headers are ready to send: all input from outside has been validated. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Language tag (BCP 47). If it is not set, the mail is in English. */
  language?: string;
  /** The `Message-ID` without angle brackets. It stays the same if the mail is sent again, so that mailboxes show it only once. */
  message_id: string;
  /** For one-click unsubscription (RFC 8058): a POST to this URL ends the subscription. Null for a mail that the reader asked for. */
  unsubscribe_url: string | null;
}

/** `refused` is final: the address does not exist, or its server does not accept the mail. */
export type MailOutcome = 'sent' | 'refused';

export interface Mailer {
  /** Sends a mail. @throws a temporary error: no connection, or a server that is busy or misconfigured. */
  send(mail: Mail): Promise<MailOutcome>;
}
