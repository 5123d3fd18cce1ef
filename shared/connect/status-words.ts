import type { Status } from '../core/domains/status.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import type { ShownFinding } from './shown-finding.ts';

/** How a status feels: its colour and its sign. */
export type Tone = 'waiting' | 'working' | 'good' | 'bad' | 'quiet';

/** What a status means to the customer who owns the hostname, and what the page offers in it. */
export interface StatusWords {
  tone: Tone;
  headline: (page: ConnectPage) => string;
  text: (page: ConnectPage) => string;
  /** How many of `STEPS` are done; null where the way there is not shown. */
  steps_done: number | null;
  /** What is to be done with the records; null where they do not matter. */
  records: 'add' | 'set' | 'keep' | 'remove' | null;
  shows_findings: boolean;
  /** Whether the customer, or a colleague, has something to do. */
  needs_somebody: boolean;
  /** Whether "e-mail me when it is live" is offered. */
  leads_to_live: boolean;
  /** Seconds between two looks of an open page; null where nothing will change. */
  refresh_s: number | null;
}

/** The way to a live hostname, with what each step means before and after it is done. */
export const STEPS: readonly { title: string; before: string; after: string }[] = [
  { title: 'Record found', before: 'We look for it', after: 'It is there' },
  { title: 'Confirmed', before: 'It spreads everywhere', after: 'It is seen everywhere' },
  { title: 'Secured', before: 'A certificate for https', after: 'The certificate is there' },
  { title: 'Live', before: 'Visitors can come', after: 'Visitors can come' },
];

/** "record" or "records", as many as there are to set. */
export function recordWord({ dns }: Pick<ConnectPage, 'dns'>): 'record' | 'records' {
  return dns.apex === null ? 'record' : 'records';
}

/** What the page says: while the records are awaited, a fault in them goes before the waiting. */
export function wordsOf(page: ConnectPage, findings: readonly ShownFinding[]): StatusWords {
  const words = page.mode === 'test' && page.status === 'active' ? LIVE_IN_TEST : STATUS_WORDS[page.status];
  const waits = page.status === 'pending_dns' || page.status === 'dns_broken';
  if (waits && findings[0]?.code === 'whitelabel_unverified') return { ...words, ...OF_THE_APP };
  const at_fault = page.status === 'pending_dns' && findings.some(({ isFault }) => isFault);
  return at_fault ? { ...words, ...AT_FAULT } : words;
}

const AT_FAULT: Pick<StatusWords, 'tone' | 'headline' | 'text' | 'records'> = {
  tone: 'bad',
  headline: () => 'Something needs a correction',
  text: (page) =>
    `${page.hostname} cannot be connected yet. Below is what we found and what to do. We keep looking, and it goes on by itself once it is right.`,
  records: 'set',
};

/** The customer's record is right, and the app's own host behind it is not. */
const OF_THE_APP: Pick<StatusWords, 'tone' | 'headline' | 'text' | 'records' | 'needs_somebody'> = {
  tone: 'bad',
  headline: (page) => `${page.app_name} has to repair something`,
  text: (page) =>
    `Your DNS record is right: leave it as it is. Once ${page.app_name} has repaired its own address, ${page.hostname} connects by itself.`,
  records: null,
  needs_somebody: false,
};

const STATUS_WORDS: Record<Status, StatusWords> = {
  pending_dns: {
    tone: 'waiting',
    headline: (page) => `Waiting for your DNS ${recordWord(page)}`,
    text: (page) =>
      `Add the ${recordWord(page)} below where ${page.registrable} is managed. We look for ${page.dns.apex === null ? 'it' : 'them'} all the time, so you can close this page afterwards.`,
    steps_done: 0,
    records: 'add',
    shows_findings: true,
    needs_somebody: true,
    leads_to_live: true,
    refresh_s: 5,
  },
  verifying: {
    tone: 'working',
    headline: (page) => `Your ${recordWord(page)} can be seen`,
    text: () =>
      'Now we wait until the change is visible everywhere, which mostly takes a few minutes. Nothing else is needed from you.',
    steps_done: 1,
    records: 'keep',
    shows_findings: true,
    needs_somebody: false,
    leads_to_live: true,
    refresh_s: 5,
  },
  issuing: {
    tone: 'working',
    headline: (page) => `Your ${recordWord(page)} ${page.dns.apex === null ? 'is' : 'are'} right`,
    text: () =>
      'We are getting the security certificate, the padlock in the address bar. That mostly takes less than a minute.',
    steps_done: 2,
    records: 'keep',
    shows_findings: false,
    needs_somebody: false,
    leads_to_live: true,
    refresh_s: 3,
  },
  active: {
    tone: 'good',
    headline: () => 'Your domain is live',
    text: (page) =>
      `Visitors of ${page.hostname} now reach ${page.app_name}, over https. Leave the DNS ${recordWord(page)} in place: the connection depends on it.`,
    steps_done: 4,
    records: 'keep',
    shows_findings: false,
    needs_somebody: false,
    leads_to_live: false,
    refresh_s: null,
  },
  dns_broken: {
    tone: 'bad',
    headline: () => 'The connection is interrupted',
    text: (page) =>
      `${page.hostname} was connected, but its DNS has changed since. Put the ${recordWord(page)} below back, and it reconnects by itself.`,
    steps_done: 0,
    records: 'set',
    shows_findings: true,
    needs_somebody: true,
    leads_to_live: true,
    refresh_s: 5,
  },
  cert_failed: {
    tone: 'bad',
    headline: (page) =>
      page.has_certificate
        ? 'The security certificate could not be renewed'
        : 'There is no security certificate yet',
    text: (page) =>
      page.has_certificate
        ? 'Your domain keeps working for now. We try again every day; once the cause below is removed, you can also try at once.'
        : `Your DNS ${recordWord(page)} ${page.dns.apex === null ? 'is' : 'are'} right, but the certificate, the padlock in the address bar, could not be obtained. We try again every day; once the cause below is removed, you can also try at once.`,
    steps_done: 2,
    records: 'keep',
    shows_findings: true,
    needs_somebody: true,
    leads_to_live: true,
    refresh_s: 10,
  },
  expired: {
    tone: 'quiet',
    headline: () => 'The time to connect has run out',
    text: (page) =>
      `The DNS ${recordWord(page)} did not appear within three days, so we have stopped looking. Ask ${page.app_name} to start again: this page will then go on.`,
    steps_done: null,
    records: null,
    shows_findings: false,
    needs_somebody: false,
    leads_to_live: false,
    refresh_s: 60,
  },
  held: {
    tone: 'quiet',
    headline: () => 'This domain is being reviewed',
    text: (page) =>
      `It is paused until the review is over, and then goes on by itself. Nothing is needed from you; if you have questions, ask ${page.app_name}.`,
    steps_done: null,
    records: null,
    shows_findings: false,
    needs_somebody: false,
    leads_to_live: false,
    refresh_s: 60,
  },
  deleted: {
    tone: 'quiet',
    headline: () => 'This domain is no longer connected',
    text: (page) =>
      `${page.app_name} has removed it. You can now delete the DNS ${recordWord(page)} that ${page.dns.apex === null ? 'was' : 'were'} added for it.`,
    steps_done: null,
    records: 'remove',
    shows_findings: false,
    needs_somebody: false,
    leads_to_live: false,
    refresh_s: null,
  },
};

/** No visitor of a test domain's hostname is led to anybody. */
const LIVE_IN_TEST: StatusWords = {
  ...STATUS_WORDS.active,
  headline: () => 'Your test domain is live',
  text: (page) =>
    `A real domain would now lead the visitors of ${page.hostname} to ${page.app_name}, over https. Nothing has changed for them in this test.`,
};
