import type { Language } from '../core/connect-texts/catalog.ts';
import { fillCount } from '../core/connect-texts/text.ts';
import type { Status } from '../core/domains/status.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import { recordCount } from './record-count.ts';
import type { ShownFinding } from './shown-finding.ts';

/** The tone of a status, which determines its colour and icon. `bad` is only for a domain that worked before. */
export type StatusTone = 'waiting' | 'fix' | 'working' | 'good' | 'bad' | 'quiet';

/** The parts of the page that depend on the domain's status. */
interface StatusOffer {
  /** The key of the status texts. */
  say: keyof Language['texts']['status'];
  tone: StatusTone;
  /** How many of the four steps are done; null if the steps are not shown. */
  stepsDone: number | null;
  /** The customer's task with the records; null if the records are not shown. */
  records: 'add' | 'set' | 'keep' | 'remove' | null;
  showsFindings: boolean;
  /** The party that has to act next: the customer (or a colleague), the app, or nobody (`time`). */
  awaits: 'customer' | 'app' | 'time';
  /** True if "Email me when it is live" is offered. */
  leadsToLive: boolean;
  /** Seconds between two refreshes of an open page; null if nothing will change. */
  refreshS: number | null;
}

/** The parts of the page that depend on the domain's status, with the texts in the customer's language. */
export interface StatusWords extends Omit<StatusOffer, 'say'> {
  headline: string;
  text: string;
}

/** The keys of the steps' texts, in the order of the page. */
export const STEPS = ['stepRecord', 'stepConfirmed', 'stepSecured', 'stepLive'] as const;

/** Returns whether the customer has records to set. The page then shows the records first. */
export function putsRecordsFirst({ records }: Pick<StatusWords, 'records'>): boolean {
  return records === 'add' || records === 'set';
}

/** Returns the parts of a page that depend on the status. If a record that we wait for is wrong, the texts are about this fault. */
export function wordsOf(
  page: ConnectPage,
  findings: readonly ShownFinding[],
  { tag, texts }: Language,
): StatusWords {
  const { say, ...offer } = offerOf(page, findings);
  const { headline, text } = texts.status[say];
  const values = {
    app: page.app_name,
    hostname: page.unicode_hostname ?? page.hostname,
    domain: page.registrable,
  };
  const filled = (each: typeof headline) => fillCount(tag, each, recordCount(page), values);
  return { ...offer, headline: filled(headline), text: filled(text) };
}

function offerOf(page: ConnectPage, findings: readonly ShownFinding[]): StatusOffer {
  const { status, mode, progress, has_certificate } = page;
  const offer = OFFERS[status];
  const [first] = findings;
  if (status === 'active' && mode === 'test') return { ...offer, say: 'activeTest' };
  if (status === 'cert_failed') {
    if (has_certificate) return { ...offer, say: 'failedRenewal', tone: 'bad' };
    return first?.passes === true ? { ...offer, ...CERTIFICATE_WAITS } : offer;
  }
  const waits = status === 'pending_dns' || status === 'dns_broken';
  if (waits && first?.code === 'whitelabel_unverified') return { ...offer, ...APP_NEEDS_FIX };
  if (status !== 'pending_dns' || !findings.some(({ isFault }) => isFault)) return offer;
  return { ...offer, say: 'fix', records: 'set', tone: progress === 'seen' ? 'bad' : 'fix' };
}

/** Replaces these parts if the customer's record is correct, but the app's white-label host is not. */
const APP_NEEDS_FIX: Pick<StatusOffer, 'say' | 'tone' | 'records' | 'awaits'> = {
  say: 'appFix',
  tone: 'fix',
  records: null,
  awaits: 'app',
};

/** Replaces these parts if the certificate authority or our edge is at fault. The next attempt starts without anyone's help. */
const CERTIFICATE_WAITS: Pick<StatusOffer, 'say' | 'tone' | 'awaits'> = {
  say: 'failedWaits',
  tone: 'waiting',
  awaits: 'time',
};

const OFFERS: Record<Status, StatusOffer> = {
  pending_dns: {
    say: 'pending',
    tone: 'waiting',
    stepsDone: 0,
    records: 'add',
    showsFindings: true,
    awaits: 'customer',
    leadsToLive: true,
    refreshS: 5,
  },
  verifying: {
    say: 'verifying',
    tone: 'working',
    stepsDone: 1,
    records: 'keep',
    showsFindings: true,
    awaits: 'time',
    leadsToLive: true,
    refreshS: 5,
  },
  issuing: {
    say: 'issuing',
    tone: 'working',
    stepsDone: 2,
    records: 'keep',
    showsFindings: false,
    awaits: 'time',
    leadsToLive: true,
    refreshS: 3,
  },
  active: {
    say: 'active',
    tone: 'good',
    stepsDone: 4,
    records: 'keep',
    showsFindings: false,
    awaits: 'time',
    leadsToLive: false,
    refreshS: null,
  },
  dns_broken: {
    say: 'broken',
    tone: 'bad',
    stepsDone: 0,
    records: 'set',
    showsFindings: true,
    awaits: 'customer',
    leadsToLive: true,
    refreshS: 5,
  },
  cert_failed: {
    say: 'failed',
    tone: 'fix',
    stepsDone: 2,
    records: 'keep',
    showsFindings: true,
    awaits: 'customer',
    leadsToLive: true,
    refreshS: 10,
  },
  expired: {
    say: 'expired',
    tone: 'quiet',
    stepsDone: null,
    records: null,
    showsFindings: false,
    awaits: 'app',
    leadsToLive: false,
    refreshS: 60,
  },
  held: {
    say: 'held',
    tone: 'quiet',
    stepsDone: null,
    records: null,
    showsFindings: false,
    awaits: 'app',
    leadsToLive: false,
    refreshS: 60,
  },
  deleted: {
    say: 'deleted',
    tone: 'quiet',
    stepsDone: null,
    records: 'remove',
    showsFindings: false,
    awaits: 'app',
    leadsToLive: false,
    refreshS: null,
  },
};
