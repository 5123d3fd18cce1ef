import type { Finding } from '../core/dns/dns-finding.ts';
import { REASONS, type ReasonCode } from '../core/reasons.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';

/** A finding in the customer's words. */
export interface ShownFinding {
  code: ReasonCode;
  title: string;
  meaning: string;
  /** Null if it is not known, or if nothing was found. */
  found: string | null;
  isAbsent: boolean;
  /** Null if only the hint describes it. */
  expected: string | null;
  /** What to do. */
  hint: string;
  /** The changes to records that fix it; empty if only the hint describes the fix. */
  changes: Finding['changes'];
  /** True if the finding resolves with time. */
  passes: boolean;
  /** True if it is shown as a fault: something broke, or the customer has entered something wrong. */
  isFault: boolean;
}

/**
 * Returns the findings to show, the most severe first. Leaves out records that are simply not there yet, because the page asks for them
 * anyway.
 */
export function shownFindings(page: ConnectPage): ShownFinding[] {
  return page.findings
    .filter(({ code }) => !isAwaited(page, code))
    .map((finding) => {
      const shown = { ...inWords(finding), ...FOR_CUSTOMERS[finding.code]?.(page.app_name) };
      return { ...shown, isFault: !shown.passes && !isExpected(page, shown) };
    });
}

/** Returns whether the last check found no record yet, and nothing wrong. */
export function isNotThereYet(page: ConnectPage): boolean {
  const { findings, last_checked_at, status } = page;
  if (status !== 'pending_dns' || last_checked_at === null) return false;
  return findings.some(({ code }) => isAwaited(page, code));
}

/**
 * Returns whether a finding only says that a record was never there. The page asks for that record and has nothing more to say about it.
 */
function isAwaited({ status, progress }: ConnectPage, code: ReasonCode): boolean {
  if (status !== 'pending_dns') return code === 'dns_record_missing' && status !== 'dns_broken';
  if (progress === 'seen') return false;
  return code === 'dns_record_missing' || (code === 'dns_txt_missing' && progress === 'untouched');
}

/** Returns whether a finding is normal for a new domain: nothing was changed yet, or some records are still missing. */
function isExpected(
  { status, progress }: ConnectPage,
  { isAbsent }: Pick<ShownFinding, 'isAbsent'>,
): boolean {
  if (status !== 'pending_dns' || progress === 'seen') return false;
  return progress === 'untouched' || isAbsent;
}

function inWords({ code, found, expected, hint, severity, changes }: Finding): Omit<ShownFinding, 'isFault'> {
  const { title, meaning, expected: inGeneral } = REASONS[code];
  const exact = expected === inGeneral ? null : expected;
  return {
    code,
    title,
    meaning,
    found,
    isAbsent: code === 'dns_record_missing' || code === 'dns_txt_missing',
    expected: exact,
    changes,
    hint,
    passes: severity !== 'error',
  };
}

/** Texts that replace those of the catalogue, which speak to the app's developers. */
const FOR_CUSTOMERS: Partial<Record<ReasonCode, (app: string) => Partial<Omit<ShownFinding, 'isFault'>>>> = {
  caa_forbids: () => ({
    title: 'Our certificate is not allowed yet',
    meaning:
      'A CAA record of your domain lists the companies that may issue certificates for it. Ours is not among them.',
  }),
  caa_lookup_failed: () => ({
    title: 'We cannot see who may issue certificates',
    meaning:
      "Your DNS provider's servers fail when they are asked for CAA records. Without a response, no certificate may be issued.",
  }),
  dns_propagating: () => ({
    meaning: 'The record is correct. Parts of the internet still remember the old one.',
  }),
  dns_resolver_unavailable: () => ({
    title: 'We could not check just now',
    meaning: 'A DNS server did not respond. That says nothing about your record. We try again automatically.',
    hint: 'If the record below is not there yet, add it now.',
    found: null,
    expected: null,
  }),
  hostname_routed_elsewhere: (app) => ({
    title: 'Another service uses this domain',
    meaning: 'A domain can be connected to one service at a time. Yours is connected to another one.',
    hint: `First disconnect the domain from the other service. Then restore the records for ${app}.`,
    found: null,
    expected: null,
  }),
  whitelabel_unverified: (app) => ({
    title: `${app} needs to fix something`,
    meaning: `Your record points to an address of ${app} that does not work at the moment.`,
    hint: `You don't need to do anything. If this lasts, ask ${app}.`,
    found: null,
    expected: null,
    passes: true,
  }),
  whitelabel_ended: (app) => ({
    title: 'The record needs a new value',
    meaning: `Your record points to an address that ${app} no longer uses.`,
    hint: 'Change the record to the value below.',
  }),
  ca_rejected: (app) => ({
    hint: `The certificate authority does not issue certificates for this name. Ask ${app} for help.`,
    found: null,
    expected: null,
  }),
};
