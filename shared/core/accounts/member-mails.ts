import { printable } from '../text/printable.ts';
import type { MailText } from './mail-texts.ts';
import type { Role } from './member.ts';

/** Renders the mail that contains a sign-in link. */
export function signInMail({ service, url }: { service: string; url: string }): MailText {
  return {
    subject: `Sign in to ${service}`,
    text: `Open this link in the browser in which you asked for it:
${url}

It works once, within 15 minutes. If you did not ask for it, ignore this email. Without the link, the sign-in cannot be completed.
`,
  };
}

export interface Invitation {
  service: string;
  /** The account's name as its owner chose it. */
  account_name: string;
  role: Role;
  url: string;
}

/** Renders the mail to a person who was added to an account. It contains no secret: the person signs in with a link of their own. */
export function invitationMail({ service, account_name, role, url }: Invitation): MailText {
  const account = printable(account_name, 40).replaceAll(/[:/@]|\.(?=\S)/g, ' ');
  return {
    subject: `You were added to ${account} on ${service}`,
    text: `You can now use the account ${account} on ${service} as ${role}.

Sign in with this email address:
${url}

If you do not know this account, ignore this email.
`,
  };
}
