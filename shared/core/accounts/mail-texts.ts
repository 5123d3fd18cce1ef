import type { Language } from '../connect-texts/catalog.ts';
import { changeFields, changeLines } from '../connect-texts/change-lines.ts';
import { findingText } from '../connect-texts/finding-text.ts';
import { fill } from '../connect-texts/text.ts';
import type { Finding } from '../dns/dns-finding.ts';
import { unicodeHostname } from '../domains/hostname.ts';
import { printable } from '../text/printable.ts';
import { type MailParagraph, mailHtml, mailParagraphs, mailText } from './mail-html.ts';
import type { Role } from './member.ts';

/** The subject of a mail, and its plain text. */
export interface MailText {
  subject: string;
  text: string;
}

/** A mail that is ready to send. */
export interface WrittenMail extends MailText {
  /** The HTML part, with the words of `text`. */
  html: string;
}

/** Facts for the mails to a subscriber of a connect page. */
export interface MailFacts {
  /** The app's name, as its owner chose it. Each mail shortens the name and escapes it, because subject lines contain it. */
  app_name: string;
  hostname: string;
  /** URL of the page with the confirmation button. Opening the page changes nothing, because mail scanners open links. */
  subscriptionUrl: string;
  /** URL of the page with the button that ends the mails. */
  unsubscribeUrl: string;
}

/** Renders the mail that asks the reader to confirm the address. Nothing else is sent to an unconfirmed address. */
export function confirmationMail(language: Language, facts: MailFacts): WrittenMail {
  const { mails } = language.texts;
  return mailOf(language, facts, mails.confirmSubject, [
    { lines: [mails.confirmAsked] },
    { lines: [mails.confirmOpen, facts.subscriptionUrl], button: mails.confirmButton },
    { lines: [mails.confirmIgnore], isNote: true },
  ]);
}

/** Renders the mail that tells the subscriber that the domain is live. */
export function liveMail(language: Language, facts: MailFacts): WrittenMail {
  const { mails, page } = language.texts;
  return mailOf(language, facts, mails.liveSubject, [
    { lines: [mails.liveText, `https://${facts.hostname}/`], button: page.openHostname },
    ...endings(language, facts),
  ]);
}

/** Renders the mail that tells the subscriber that a live domain broke, with the changes that fix it. */
export function brokenMail(
  language: Language,
  facts: MailFacts,
  cause: { finding: Finding; connectUrl: string },
): WrittenMail {
  const { finding, connectUrl } = cause;
  const { tag, texts } = language;
  const { mails, page } = texts;
  const { hint } = findingText(tag, texts, finding, shown(facts.app_name));
  return mailOf(language, facts, mails.brokenSubject, [
    { lines: [mails.brokenText] },
    { lines: [mails.toDo, hint] },
    ...finding.changes.map((change) => ({
      lines: changeLines(language, change),
      fields: changeFields(language, change),
    })),
    { lines: [mails.pageTells, connectUrl], button: page.showMeHow },
    ...endings(language, facts),
  ]);
}

/** Says why the reader gets the mail, and how to get no more. */
function endings({ texts: { mails, messages } }: Language, { unsubscribeUrl }: MailFacts): MailParagraph[] {
  return [
    { lines: [mails.onlyThese], isNote: true },
    { lines: [mails.stop, unsubscribeUrl], button: messages.stopButton, isNote: true },
  ];
}

/** Builds a mail by filling the app's name and the hostname into the subject, the lines and the buttons. */
function mailOf(
  { tag }: Language,
  { app_name, hostname }: MailFacts,
  subject: string,
  templates: readonly MailParagraph[],
): WrittenMail {
  const values = { app: shown(app_name), hostname: unicodeHostname(hostname) ?? hostname };
  const paragraphs = templates.map(({ lines, button, ...rest }) => ({
    ...rest,
    lines: lines.map((line) => fill(line, values)),
    ...(button !== undefined && { button: fill(button, values) }),
  }));
  const content = { subject: fill(subject, values), paragraphs };
  const html = mailHtml({ ...content, language: tag, plate: values.hostname, sender: values.app });
  return { subject: content.subject, text: mailText(content), html };
}

/**
 * Returns a name as mails show it. Shortens the name to 40 characters, so that nobody can send a message in it. Breaks up URLs, so that
 * mail readers do not link them.
 */
export function shown(appName: string): string {
  return printable(appName, 40).replaceAll(/[:/@]|\.(?=\S)/g, ' ');
}

/** Renders a mail of the service itself, whose name is on the plate. @param button the label of a link on a line of its own. */
export function serviceMail(service: string, { subject, text }: MailText, button: string): WrittenMail {
  const paragraphs = mailParagraphs(text, button);
  return {
    subject,
    text,
    html: mailHtml({ language: 'en', subject, plate: service, sender: null, paragraphs }),
  };
}

/** Renders the mail that contains a sign-in link. */
export function signInMail({ service, url }: { service: string; url: string }): WrittenMail {
  const mail = {
    subject: `Sign in to ${service}`,
    text: `Open this link in the browser in which you asked for it:
${url}

It works once, within 15 minutes. If you did not ask for it, ignore this email. Without the link, the sign-in cannot be completed.
`,
  };
  return serviceMail(service, mail, 'Sign in');
}

export interface Invitation {
  service: string;
  /** The account's name as its owner chose it. */
  account_name: string;
  role: Role;
  url: string;
}

/** Renders the mail to a person who was added to an account. The mail contains no secret: the person requests a sign-in link as usual. */
export function invitationMail({ service, account_name, role, url }: Invitation): WrittenMail {
  const account = shown(account_name);
  const mail = {
    subject: `You were added to ${account} on ${service}`,
    text: `You can now use the account ${account} on ${service} as ${role}.

Sign in with this email address:
${url}

If you do not know this account, ignore this email.
`,
  };
  return serviceMail(service, mail, 'Sign in');
}
