import type { Status } from '../core/domains/status.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import type { ShownFinding } from './shown-finding.ts';

/** The tone of a status, which sets its colour and icon. */
export type StatusTone = 'waiting' | 'working' | 'good' | 'bad' | 'quiet';

/** Texts and offers of the page for a status, in the words of the customer who owns the hostname. */
export interface StatusWords {
  tone: StatusTone;
  headline: (page: ConnectPage) => string;
  text: (page: ConnectPage) => string;
  /** How many of `STEPS` are done; null if the steps are not shown. */
  stepsDone: number | null;
  /** What to do with the records; null if they are not shown. */
  records: 'add' | 'set' | 'keep' | 'remove' | null;
  showsFindings: boolean;
  /** True if the customer or a colleague has to do something. */
  needsAction: boolean;
  /** True if "Email me when it is live" is offered. */
  leadsToLive: boolean;
  /** Seconds between two refreshes of an open page; null if nothing will change. */
  refreshS: number | null;
}

/** The steps to a live hostname, each with a text for before and after it is done. */
export const STEPS: readonly { title: string; before: string; after: string }[] = [
  { title: 'Record found', before: 'Looking for it…', after: 'Found' },
  { title: 'Confirmed', before: 'Confirming worldwide', after: 'Visible worldwide' },
  { title: 'Secured', before: 'Certificate for https', after: 'Certificate in place' },
  { title: 'Live', before: 'Ready for visitors', after: 'Ready for visitors' },
];

/** Returns "record" or "records", depending on how many have to be set. */
export function recordWord({ dns }: Pick<ConnectPage, 'dns'>): 'record' | 'records' {
  return dns.apex === null ? 'record' : 'records';
}

/** Returns true if the customer has records to set, which the page then shows before everything else. */
export function putsRecordsFirst({ records }: Pick<StatusWords, 'records'>): boolean {
  return records === 'add' || records === 'set';
}

/** Returns the words for a page. While records are awaited, a fault in them comes before the waiting. */
export function wordsOf(page: ConnectPage, findings: readonly ShownFinding[]): StatusWords {
  const words = page.mode === 'test' && page.status === 'active' ? LIVE_IN_TEST : STATUS_WORDS[page.status];
  const waits = page.status === 'pending_dns' || page.status === 'dns_broken';
  if (waits && findings[0]?.code === 'whitelabel_unverified') return { ...words, ...APP_NEEDS_FIX };
  const needsFix = page.status === 'pending_dns' && findings.some(({ isFault }) => isFault);
  return needsFix ? { ...words, ...NEEDS_FIX } : words;
}

const NEEDS_FIX: Pick<StatusWords, 'tone' | 'headline' | 'text' | 'records'> = {
  tone: 'bad',
  headline: () => 'One thing to fix',
  text: (page) => `We cannot connect ${page.hostname} yet. We continue automatically once it's fixed.`,
  records: 'set',
};

/** The customer's record is correct, but the app's own host behind it is not. */
const APP_NEEDS_FIX: Pick<StatusWords, 'tone' | 'headline' | 'text' | 'records' | 'needsAction'> = {
  tone: 'bad',
  headline: (page) => `${page.app_name} needs to fix something`,
  text: (page) =>
    `Your DNS record is correct, so leave it as it is. Once ${page.app_name} has fixed its own address, ${page.hostname} connects automatically.`,
  records: null,
  needsAction: false,
};

const STATUS_WORDS: Record<Status, StatusWords> = {
  pending_dns: {
    tone: 'waiting',
    headline: (page) => `Waiting for your DNS ${recordWord(page)}`,
    text: (page) =>
      `Add the ${recordWord(page)} where ${page.registrable} is managed. We keep looking for ${page.dns.apex === null ? 'it' : 'them'}, so you can close this page afterwards.`,
    stepsDone: 0,
    records: 'add',
    showsFindings: true,
    needsAction: true,
    leadsToLive: true,
    refreshS: 5,
  },
  verifying: {
    tone: 'working',
    headline: (page) => `We found your ${recordWord(page)}`,
    text: () =>
      "Now we wait until the change is visible worldwide. This usually takes a few minutes. You don't need to do anything else.",
    stepsDone: 1,
    records: 'keep',
    showsFindings: true,
    needsAction: false,
    leadsToLive: true,
    refreshS: 5,
  },
  issuing: {
    tone: 'working',
    headline: (page) => `Your ${recordWord(page)} ${page.dns.apex === null ? 'is' : 'are'} correct`,
    text: () =>
      'We are getting the security certificate (the padlock in the address bar). This usually takes less than a minute.',
    stepsDone: 2,
    records: 'keep',
    showsFindings: false,
    needsAction: false,
    leadsToLive: true,
    refreshS: 3,
  },
  active: {
    tone: 'good',
    headline: () => 'Your domain is live',
    text: (page) =>
      `Visitors to ${page.hostname} now reach ${page.app_name} over https. Leave the DNS ${recordWord(page)} in place: the connection depends on it.`,
    stepsDone: 4,
    records: 'keep',
    showsFindings: false,
    needsAction: false,
    leadsToLive: false,
    refreshS: null,
  },
  dns_broken: {
    tone: 'bad',
    headline: () => 'The connection is interrupted',
    text: (page) =>
      `${page.hostname} was connected, but its DNS has changed since then. Restore the ${recordWord(page)}, and we reconnect it automatically.`,
    stepsDone: 0,
    records: 'set',
    showsFindings: true,
    needsAction: true,
    leadsToLive: true,
    refreshS: 5,
  },
  cert_failed: {
    tone: 'bad',
    headline: (page) =>
      page.has_certificate
        ? 'We could not renew the security certificate'
        : 'We could not get a security certificate yet',
    text: (page) =>
      page.has_certificate
        ? 'Your domain keeps working for now. We try again every day. Once the problem below is fixed, you can also try again right away.'
        : `Your DNS ${recordWord(page)} ${page.dns.apex === null ? 'is' : 'are'} correct, but we could not get the certificate (the padlock in the address bar). We try again every day. Once the problem below is fixed, you can also try again right away.`,
    stepsDone: 2,
    records: 'keep',
    showsFindings: true,
    needsAction: true,
    leadsToLive: true,
    refreshS: 10,
  },
  expired: {
    tone: 'quiet',
    headline: () => 'Setup timed out',
    text: (page) =>
      `We did not find the DNS ${recordWord(page)} within three days, so we have stopped looking. Ask ${page.app_name} to restart the setup; this link will work again.`,
    stepsDone: null,
    records: null,
    showsFindings: false,
    needsAction: false,
    leadsToLive: false,
    refreshS: 60,
  },
  held: {
    tone: 'quiet',
    headline: () => 'This domain is under review',
    text: (page) =>
      `It is paused until the review is complete, and then continues automatically. You don't need to do anything. If you have questions, ask ${page.app_name}.`,
    stepsDone: null,
    records: null,
    showsFindings: false,
    needsAction: false,
    leadsToLive: false,
    refreshS: 60,
  },
  deleted: {
    tone: 'quiet',
    headline: () => 'This domain is no longer connected',
    text: (page) =>
      `${page.app_name} has removed it. You can now delete the DNS ${recordWord(page)} that you added for it.`,
    stepsDone: null,
    records: 'remove',
    showsFindings: false,
    needsAction: false,
    leadsToLive: false,
    refreshS: null,
  },
};

/** A test domain's hostname leads no visitors anywhere. */
const LIVE_IN_TEST: StatusWords = {
  ...STATUS_WORDS.active,
  headline: () => 'Your test domain is live',
  text: (page) =>
    `With a real domain, visitors to ${page.hostname} would reach ${page.app_name} over https. In this test, nothing changes for them.`,
};
