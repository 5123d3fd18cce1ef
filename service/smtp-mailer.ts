import nodemailer from 'nodemailer';
import { isLoopbackHost } from '../shared/core/net/address.ts';
import type { Mailer } from '../shared/ports/accounts.ts';

/** Time limit for sending one mail. RFC 5321 section 4.5.3.2 suggests longer timeouts, but sending must end before the job's lease ends. */
const SEND_MS_MAX = 90_000;
/** The time limit of each of these: the DNS lookup, the connection, and the server's greeting. */
const CONNECT_MS_MAX = 20_000;

/**
 * Creates a mailer that sends mail over SMTP. Each mail uses its own connection, so that no mail delays another. A `5xx` response to the
 * recipient or the content is permanent. A `4xx` response or no response may be temporary (RFC 5321 section 4.2.1). If the server receives
 * the whole mail but does not respond, the mail is treated as sent, because a retry could deliver it twice (section 4.5.3.2.6).
 * @param url `smtp://` or `smtps://`, with a user and a password if the server needs them.
 * @param from the sender of every mail.
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
    async send({
      to,
      subject,
      text,
      html,
      language,
      message_id: messageId,
      unsubscribe_url: unsubscribeUrl,
    }) {
      const transport = nodemailer.createTransport(options, { from });
      let isHandedOver = false;
      // nodemailer reads the stream only after the server's response 354 (RFC 5321 section 3.3). Once the stream has ended, the server may
      // have the whole mail.
      transport.use('stream', ({ message }, done) => {
        const open = message.createReadStream.bind(message);
        message.createReadStream = (how) =>
          open(how).once('end', () => {
            isHandedOver = true;
          });
        done();
      });
      try {
        await transport.sendMail({
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${messageId}>`,
          headers: {
            // The headers of RFC 3834 suppress automatic replies. The headers of RFC 8058 make the mail client show a one-click unsubscribe
            // button.
            'Auto-Submitted': 'auto-generated',
            ...(language !== undefined && { 'Content-Language': language }),
            ...(unsubscribeUrl !== null && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal: AbortSignal.any([AbortSignal.timeout(send_ms_max), closing.signal]),
        });
        return 'sent';
      } catch (error) {
        const { command = '', responseCode = null } = error as SmtpError;
        if (responseCode === null && isHandedOver) return 'sent';
        if (responseCode !== null && responseCode >= 500 && ENDS.has(command)) return 'refused';
        throw error;
      }
    },
    close: () => closing.abort(),
  };
}

/** nodemailer's error for a negative response of the SMTP server. */
interface SmtpError {
  command?: string;
  responseCode?: number;
}

/**
 * The SMTP commands whose permanent refusal means that this address will never accept this mail. Any other refusal may be our mistake, so
 * the mail is retried.
 */
const ENDS: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);

/** Returns true if TLS is required. A password is never sent to another machine unencrypted, even if the server offers no TLS. */
function needsTls({ protocol, hostname, username, password }: URL): boolean {
  return protocol === 'smtp:' && username + password !== '' && !isLoopbackHost(hostname);
}
