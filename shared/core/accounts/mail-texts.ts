import { printable } from '../text/printable.ts';

/** The subject and body of a mail. The body is plain text, from which `mailHtml` renders the HTML part. */
export interface MailText {
  subject: string;
  text: string;
}

export interface MailFacts {
  /** The app's name as its owner chose it. It goes into a subject line, so it is shortened and escaped here. */
  app_name: string;
  hostname: string;
  /** URL of the page with the confirmation button. Opening it changes nothing, because mail scanners open links. */
  subscriptionUrl: string;
}

/** Renders the mail that asks the reader to confirm the address. Nothing else is sent to an unconfirmed address. */
export function confirmationMail({ app_name, hostname, subscriptionUrl }: MailFacts): MailText {
  const app = shown(app_name);
  return {
    subject: `Confirm your email address for updates about ${hostname}`,
    text: `You asked us to tell you when ${hostname} is connected to ${app}.

To get that email, open this page and confirm your address:
${subscriptionUrl}

If you did not ask for this, ignore this email. We will not write again.
`,
  };
}

/** Renders the mail that tells the subscriber that the domain is live. */
export function liveMail({ app_name, hostname }: MailFacts): MailText {
  return {
    subject: `${hostname} is live`,
    text: `${hostname} is connected to ${shown(app_name)} and works over HTTPS:
https://${hostname}/

You asked for this email. It is the only one: we have now deleted your address.
`,
  };
}

/** Returns a name as mails show it. Shortens it to 40 characters, so that it cannot hold a message. Breaks up URLs, so that mail readers do not link them. */
export function shown(appName: string): string {
  return printable(appName, 40).replaceAll(/[:/@]|\.(?=\S)/g, ' ');
}
