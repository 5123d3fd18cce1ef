import type { Instant } from '../instant.ts';
import { type MailText, shown } from './mail-texts.ts';

/** Facts that every mail about an account's billing contains. */
export interface AccountMailFacts {
  /** The account's name, as its owner chose it. Each mail shortens the name and escapes it. */
  account_name: string;
  /** URL of the dashboard page that shows the account's plan and card. */
  billingUrl: string;
}

/** Returns the URL of the dashboard page that shows the account's plan and card. */
export function billingPageUrl({ baseUrl }: { baseUrl: string }): string {
  return `${baseUrl}/dashboard/billing`;
}

/** Renders the mail that says that a trial ends soon, or has ended. @param days until the trial ends; 0 once it has ended. */
export function trialMail(
  facts: AccountMailFacts,
  { days, endsAt }: { days: number; endsAt: Instant },
): MailText {
  const name = shown(facts.account_name);
  const left = days === 1 ? '1 day' : `${days} days`;
  return {
    subject: days === 0 ? `The trial of ${name} has ended` : `The trial of ${name} ends in ${left}`,
    text: `${
      days === 0
        ? `The trial of ${name} has ended, and the account is on the Free plan now.`
        : `The trial of ${name} ends on ${day(endsAt)}. The account is then on the Free plan.`
    }

Domains that are connected keep working. On Free you can add fewer domains, and white-label ends.

To keep what the trial included, choose a plan:
${facts.billingUrl}
`,
  };
}

/** Renders the mail that says that a payment failed, and on which day the account will be suspended. */
export function paymentFailedMail(facts: AccountMailFacts, suspendsAt: Instant): MailText {
  const name = shown(facts.account_name);
  return {
    subject: `A payment for ${name} failed`,
    text: `We could not charge the card of ${name}.

Please pay the open invoice or use another card:
${facts.billingUrl}

If the payment is still open on ${day(suspendsAt)}, we will suspend the account. Your domains will keep working, but you cannot change anything.
`,
  };
}

/** Renders the mail that says that the account is suspended. */
export function suspendedMail(facts: AccountMailFacts): MailText {
  const name = shown(facts.account_name);
  return {
    subject: `${name} is suspended`,
    text: `A payment for ${name} has been open for a week, so the account is suspended.

Your domains keep working. You cannot add or change anything until the invoice is paid:
${facts.billingUrl}
`,
  };
}

/** Renders the mail that says that the open payment arrived. */
export function paidMail(facts: AccountMailFacts, { resumed }: { resumed: boolean }): MailText {
  const name = shown(facts.account_name);
  return {
    subject: resumed ? `${name} is active again` : `The payment for ${name} arrived`,
    text: `Thank you. The payment for ${name} arrived${resumed ? ', and the account is active again' : ''}. You do not need to do anything.
`,
  };
}

export interface WhitelabelMailFacts extends AccountMailFacts {
  app_name: string;
  host: string;
  /** The CNAME target that customers' records must have once white-label has ended. */
  target: string;
  /** Number of domains whose CNAME records point to us through the white-label host. */
  domains: number;
  endsAt: Instant;
}

/** Renders the mail that says that white-label will end, because the plan no longer includes it. */
export function whitelabelEndsMail(facts: WhitelabelMailFacts): MailText {
  const { host, target, domains, endsAt, billingUrl } = facts;
  return {
    subject: `White-label for ${host} ends on ${day(endsAt)}`,
    text: `The plan of ${shown(facts.account_name)} no longer includes white-label. ${host} of the app ${shown(facts.app_name)} counts until ${time(endsAt)}.

${pointing(domains, host)} After that time, these domains become dns_broken: visitors still reach them, but their certificates are not renewed.

You can do one of two things before then:
- Choose a plan with white-label: ${billingUrl}
- Ask your customers to change their CNAME record to ${target}
`,
  };
}

/** Renders the mail that says that white-label has ended. */
export function whitelabelEndedMail(facts: WhitelabelMailFacts): MailText {
  const { host, target, domains, billingUrl } = facts;
  return {
    subject: `White-label for ${host} has ended`,
    text: `White-label for ${host} of the app ${shown(facts.app_name)} has ended, because the plan of ${shown(facts.account_name)} does not include it.

${pointing(domains, host)} Certificates of these domains are not renewed.

You can do one of two things:
- Choose a plan with white-label: ${billingUrl}
- Ask your customers to change their CNAME record to ${target}
`,
  };
}

function pointing(domains: number, host: string): string {
  return domains === 1
    ? `The record of 1 domain points to ${host}.`
    : `The records of ${domains} domains point to ${host}.`;
}

function day(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function time(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
