import { printable } from '../text/printable.ts';

/** A mail's words: plain text, so that there is nothing to escape, load or track. */
export interface MailText {
  subject: string;
  text: string;
}

export interface MailFacts {
  /** The app's own words for itself: they go into a subject line, so they are bounded and escaped here. */
  app_name: string;
  hostname: string;
  /** Of the page with the button, never an action of its own: scanners open links. */
  subscription_url: string;
}

/** Asks whether the address is its reader's, before anything else is sent to it. */
export function confirmationMail({ app_name, hostname, subscription_url }: MailFacts): MailText {
  const app = shown(app_name);
  return {
    subject: `Confirm your address for news about ${hostname}`,
    text: `Somebody, hopefully you, asked for a mail when ${hostname} is connected to ${app}.

To get that mail, open this page and confirm:
${subscription_url}

If it was not you, do nothing: no other mail follows.
`,
  };
}

/** The one that was asked for. */
export function liveMail({ app_name, hostname }: MailFacts): MailText {
  return {
    subject: `${hostname} is live`,
    text: `${hostname} is connected to ${shown(app_name)} and answers over HTTPS:
https://${hostname}/

You asked for this mail. It is the only one, and your address was deleted with it.
`,
  };
}

/** Room for a name, none for a text of its own; links in it are not for mail readers to find. */
function shown(app_name: string): string {
  return printable(app_name, 40).replaceAll(/[:/@]|\.(?=\S)/g, ' ');
}
