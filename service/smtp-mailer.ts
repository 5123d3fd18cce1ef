import nodemailer from 'nodemailer';
import { isLoopbackHost } from '../shared/core/edge/address.ts';
import type { Mailer } from '../shared/ports/mail.ts';

/** Of the whole of a mail, within the lease of the job that sends it. RFC 5321 section 4.5.3.2 would have a client wait longer. */
const SEND_MS_MAX = 90_000;
/** For an address, a connection and a greeting each. */
const CONNECT_MS_MAX = 20_000;

/**
 * Mail over SMTP, each over a connection of its own, so that none waits for another. A `5xx` answer to the address or the mail is for
 * good, a `4xx` or no answer may pass (RFC 5321 section 4.2.1). Where the server says nothing any more once it was given the whole
 * mail, that mail counts as sent: to ask again would deliver it twice (section 4.5.3.2.6).
 * @param url `smtp://` or `smtps://`, with user and password where the server wants them.
 * @param from the address that every mail comes from.
 */
export function createSmtpMailer(
  url: string,
  from: string,
  { send_ms_max = SEND_MS_MAX } = {},
): Mailer & { close(): void } {
  const closing = new AbortController();
  const options = {
    url,
    requireTLS: needsTls(new URL(url)),
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    dnsTimeout: CONNECT_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    async send({ to, subject, text, message_id, unsubscribe_url }) {
      const transport = nodemailer.createTransport(options, { from });
      let is_handed_over = false;
      // The server says "go on" before anything is read from the stream (RFC 5321 section 3.3).
      transport.use('stream', ({ message }, done) => {
        const open = message.createReadStream.bind(message);
        message.createReadStream = (how) =>
          open(how).once('end', () => {
            is_handed_over = true;
          });
        done();
      });
      try {
        await transport.sendMail({
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${message_id}>`,
          headers: {
            // RFC 3834: no holiday note in answer. RFC 8058: the mailbox's own button, one click.
            'Auto-Submitted': 'auto-generated',
            'List-Unsubscribe': `<${unsubscribe_url}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
          signal: AbortSignal.any([AbortSignal.timeout(send_ms_max), closing.signal]),
        });
        return 'sent';
      } catch (error) {
        const { command = '', responseCode = null } = error as SmtpError;
        if (responseCode === null && is_handed_over) return 'sent';
        if (responseCode !== null && responseCode >= 500 && ENDS.has(command)) return 'refused';
        throw error;
      }
    },
    close: () => closing.abort(),
  };
}

/** What nodemailer says of an answer that was not "yes". */
interface SmtpError {
  command?: string;
  responseCode?: number;
}

/** Who refuses these will never take this mail for this address; whatever else is refused is ours to mend, and is tried again. */
const ENDS: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);

/** A password is sent to nobody else's machine in the clear, whatever the server offers. */
function needsTls({ protocol, hostname, username, password }: URL): boolean {
  return protocol === 'smtp:' && username + password !== '' && !isLoopbackHost(hostname);
}
