import type { Language } from '../core/connect-texts/catalog.ts';
import { fillCount } from '../core/connect-texts/text.ts';
import type { Status } from '../core/domains/status.ts';
import { type Appearance, STATUS_LOOKS } from '../core/look/status-look.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import { recordCount } from './record-count.ts';
import type { ShownFinding } from './shown-finding.ts';

/** The parts of the page that depend on the domain's status. */
interface StatusOffer {
  /** The key of the status texts. */
  say: keyof Language['texts']['status'];
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

/** The tone `bad` is only for a domain that worked before. */
type ShownOffer = StatusOffer & Pick<Appearance, 'tone' | 'icon'>;

/** The parts of the page that depend on the domain's status, with the texts in the customer's language. */
export interface StatusWords extends Omit<ShownOffer, 'say'> {
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

function offerOf(page: ConnectPage, findings: readonly ShownFinding[]): ShownOffer {
  const { status, mode, progress, has_certificate } = page;
  const { tone, icon } = STATUS_LOOKS[status];
  const offer = { ...OFFERS[status], tone, icon };
  const [first] = findings;
  if (status === 'active' && mode === 'test') return { ...offer, say: 'activeTest' };
  if (status === 'cert_failed') {
    if (has_certificate) return { ...offer, say: 'failedRenewal' };
    return { ...offer, tone: 'wait', ...(first?.passes === true && CERTIFICATE_WAITS) };
  }
  const waits = status === 'pending_dns' || status === 'dns_broken';
  if (waits && first?.code === 'whitelabel_unverified') return { ...offer, ...APP_NEEDS_FIX };
  if (status !== 'pending_dns') return offer;
  if (findings.some(({ isFault }) => isFault)) {
    return { ...offer, say: 'fix', records: 'set', tone: progress === 'seen' ? 'bad' : tone, icon: 'warn' };
  }
  return page.ready_to_switch ? { ...offer, say: 'switch', tone: 'good', icon: 's-active' } : offer;
}

/** Replaces these parts if the customer's record is correct, but the app's white-label host is not. */
const APP_NEEDS_FIX: Pick<ShownOffer, 'say' | 'tone' | 'icon' | 'records' | 'awaits'> = {
  say: 'appFix',
  tone: 'wait',
  icon: 'warn',
  records: null,
  awaits: 'app',
};

/** Replaces these parts if the certificate authority or our edge is at fault. The next attempt starts without anyone's help. */
const CERTIFICATE_WAITS: Pick<ShownOffer, 'say' | 'icon' | 'awaits'> = {
  say: 'failedWaits',
  icon: 's-wait',
  awaits: 'time',
};

/** The parts of a status in which only the app can act. */
const STOPPED: Omit<StatusOffer, 'say'> = {
  stepsDone: null,
  records: null,
  showsFindings: false,
  awaits: 'app',
  leadsToLive: false,
  refreshS: 60,
};

/** The parts of a status after the customer has set the records. */
const PROCEEDS: Omit<StatusOffer, 'say'> = {
  stepsDone: 1,
  records: 'keep',
  showsFindings: true,
  awaits: 'time',
  leadsToLive: true,
  refreshS: 5,
};

const OFFERS: Record<Status, StatusOffer> = {
  pending_dns: { ...PROCEEDS, say: 'pending', stepsDone: 0, records: 'add', awaits: 'customer' },
  verifying: { ...PROCEEDS, say: 'verifying' },
  issuing: { ...PROCEEDS, say: 'issuing', stepsDone: 2, showsFindings: false, refreshS: 3 },
  active: {
    ...PROCEEDS,
    say: 'active',
    stepsDone: 4,
    showsFindings: false,
    leadsToLive: false,
    refreshS: null,
  },
  dns_broken: { ...PROCEEDS, say: 'broken', stepsDone: 0, records: 'set', awaits: 'customer' },
  cert_failed: { ...PROCEEDS, say: 'failed', stepsDone: 2, awaits: 'customer', refreshS: 10 },
  expired: { ...STOPPED, say: 'expired' },
  held: { ...STOPPED, say: 'held' },
  deleted: { ...STOPPED, say: 'deleted', records: 'remove', refreshS: null },
};
