import type { Finding } from '../core/dns/dns-finding.ts';
import { REASONS, type ReasonCode } from '../core/reasons.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';

/** A finding in the customer's words. */
export interface ShownFinding {
  code: ReasonCode;
  title: string;
  meaning: string;
  /** Null where it is not known, or where nothing is there. */
  found: string | null;
  is_absent: boolean;
  /** Null where only words say it. */
  expected: string | null;
  /** What to do. */
  hint: string;
  /** Whether time alone cures it. */
  passes: boolean;
  /** Whether it is shown as a fault: something broke, or the customer has put something in place that is wrong. */
  isFault: boolean;
}

/** Returns what the customer has to know, the most severe first. The records below ask for what was not there yet. */
export function shownFindings(page: ConnectPage): ShownFinding[] {
  return page.findings
    .filter(({ code }) => !isAwaited(page, code))
    .map((finding) => {
      const shown = { ...inWords(finding), ...FOR_CUSTOMERS[finding.code]?.(page.app_name) };
      return { ...shown, isFault: !shown.passes && !isExpected(page, shown) };
    });
}

/** What the last check of a record that is awaited has come to, where that is no fault. */
export function isNotThereYet(page: ConnectPage): boolean {
  const { findings, last_checked_at, status } = page;
  if (status !== 'pending_dns' || last_checked_at === null) return false;
  return findings.some(({ code }) => isAwaited(page, code));
}

/** Whether a record is missing that was never there: the page asks for it, and has nothing more to say about it. */
function isAwaited({ status, progress }: ConnectPage, code: ReasonCode): boolean {
  if (status !== 'pending_dns') return code === 'dns_record_missing' && status !== 'dns_broken';
  if (progress === 'seen') return false;
  return code === 'dns_record_missing' || (code === 'dns_txt_missing' && progress === 'untouched');
}

/** Whether a finding is what a new domain looks like: nothing was changed yet, or not every record is there yet. */
function isExpected(
  { status, progress }: ConnectPage,
  { is_absent }: Pick<ShownFinding, 'is_absent'>,
): boolean {
  if (status !== 'pending_dns' || progress === 'seen') return false;
  return progress === 'untouched' || is_absent;
}

function inWords({ code, found, expected, hint, severity }: Finding): Omit<ShownFinding, 'isFault'> {
  const { title, meaning, expected: in_general } = REASONS[code];
  const exact = expected === in_general ? null : expected;
  return {
    code,
    title,
    meaning,
    found,
    is_absent: code === 'dns_record_missing' || code === 'dns_txt_missing',
    expected: exact,
    hint,
    passes: severity !== 'error',
  };
}

/** The catalogue speaks to the app's programmers; these reasons read otherwise for their customers. */
const FOR_CUSTOMERS: Partial<Record<ReasonCode, (app: string) => Partial<Omit<ShownFinding, 'isFault'>>>> = {
  caa_forbids: () => ({
    title: 'Our certificate is not allowed yet',
    meaning:
      'A CAA record of your domain lists the companies that may issue certificates for it, and ours is not among them.',
  }),
  caa_lookup_failed: () => ({
    title: 'Your DNS does not say who may issue certificates',
    meaning:
      "Your DNS provider's servers fail when they are asked for CAA records, and without an answer no certificate may be issued.",
  }),
  dns_propagating: () => ({
    meaning: 'The record is right. Parts of the internet still remember what was there before.',
  }),
  dns_resolver_unavailable: () => ({
    title: 'We could not check just now',
    meaning:
      'A DNS server did not answer us, which says nothing about your record. We try again by ourselves.',
    hint: 'If the record below is not there yet, add it now.',
    found: null,
    expected: null,
  }),
  hostname_routed_elsewhere: (app) => ({
    title: 'Another service uses this domain',
    meaning: 'A domain can be connected to one service at a time, and another one has it now.',
    hint: `Disconnect the domain from the other service first, then restore the records for ${app}.`,
    found: null,
    expected: null,
  }),
  whitelabel_unverified: (app) => ({
    title: `${app} has to repair something`,
    meaning: `Your record points to an address of ${app} that does not work at the moment.`,
    hint: `You have nothing to do. Ask ${app} if this lasts.`,
    found: null,
    expected: null,
    passes: true,
  }),
  ca_rejected: (app) => ({
    hint: `Ask ${app} for help: the certificate authority does not issue certificates for this name.`,
    found: null,
    expected: null,
  }),
};
