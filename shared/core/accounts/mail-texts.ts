import type { Language } from '../connect-texts/catalog.ts';
import { changeLines } from '../connect-texts/change-lines.ts';
import { findingText } from '../connect-texts/finding-text.ts';
import { fill } from '../connect-texts/text.ts';
import type { Finding } from '../dns/dns-finding.ts';
import { unicodeHostname } from '../domains/hostname.ts';
import { printable } from '../text/printable.ts';
import type { Role } from './member.ts';

/** The subject and body of a mail. The body is plain text, from which `mailHtml` renders the HTML part. */
export interface MailText {
  subject: string;
  text: string;
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
export function confirmationMail(language: Language, facts: MailFacts): MailText {
  const { mails } = language.texts;
  const { subscriptionUrl } = facts;
  return mailOf(facts, mails.confirmSubject, [
    [mails.confirmAsked],
    [mails.confirmOpen, subscriptionUrl],
    [mails.confirmIgnore],
  ]);
}

/** Renders the mail that tells the subscriber that the domain is live. */
export function liveMail(language: Language, facts: MailFacts): MailText {
  const { mails } = language.texts;
  return mailOf(facts, mails.liveSubject, [
    [mails.liveText, `https://${facts.hostname}/`],
    [mails.onlyThese],
    [mails.stop, facts.unsubscribeUrl],
  ]);
}

/** Renders the mail that tells the subscriber that a live domain broke, with the changes that fix it. */
export function brokenMail(
  language: Language,
  facts: MailFacts,
  cause: { finding: Finding; connectUrl: string },
): MailText {
  const { finding, connectUrl } = cause;
  const { tag, texts } = language;
  const { mails } = texts;
  const { hint } = findingText(tag, texts, finding, shown(facts.app_name));
  return mailOf(facts, mails.brokenSubject, [
    [mails.brokenText],
    [mails.toDo, hint],
    ...finding.changes.map((change) => changeLines(language, change)),
    [mails.pageTells, connectUrl],
    [mails.onlyThese],
    [mails.stop, facts.unsubscribeUrl],
  ]);
}

/** Builds a mail by filling the app's name and the hostname into the subject and the paragraphs. A paragraph is a list of lines. */
function mailOf(
  { app_name, hostname }: MailFacts,
  subject: string,
  paragraphs: readonly (readonly string[])[],
): MailText {
  const values = { app: shown(app_name), hostname: unicodeHostname(hostname) ?? hostname };
  const text = paragraphs.map((lines) => lines.map((line) => fill(line, values)).join('\n')).join('\n\n');
  return { subject: fill(subject, values), text: `${text}\n` };
}

/**
 * Returns a name as mails show it. Shortens the name to 40 characters, so that nobody can send a message in it. Breaks up URLs, so that
 * mail readers do not link them.
 */
export function shown(appName: string): string {
  return printable(appName, 40).replaceAll(/[:/@]|\.(?=\S)/g, ' ');
}

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

/** Renders the mail to a person who was added to an account. The mail contains no secret: the person requests a sign-in link as usual. */
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
