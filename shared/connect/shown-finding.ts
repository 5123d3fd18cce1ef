import type { Language } from '../core/connect-texts/catalog.ts';
import { findingText } from '../core/connect-texts/finding-text.ts';
import type { Finding } from '../core/dns/dns-finding.ts';
import { REASONS, type ReasonCode } from '../core/reasons.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';

/** A finding, with texts in the customer's language. */
export interface ShownFinding {
  code: ReasonCode;
  title: string;
  meaning: string;
  /** The value that the check found. Null if it is not known, or if there was none. */
  found: string | null;
  isAbsent: boolean;
  /** The expected value. Null if only the hint describes it. */
  expected: string | null;
  /** The next step for the customer. */
  hint: string;
  /** The changes to records that fix the problem. Empty if only the hint describes the fix. */
  changes: Finding['changes'];
  /** True if the finding resolves by itself, and the customer only has to wait. */
  passes: boolean;
  /** True if someone has to fix the problem: something broke, or the customer has entered something wrong. */
  isFault: boolean;
}

/**
 * Returns the findings to show, the most severe first. Leaves out findings about records that do not exist yet, because the page asks for
 * these records anyway.
 */
export function shownFindings(page: ConnectPage, language: Language): ShownFinding[] {
  return page.findings
    .filter((finding) => !isAwaited(page, finding))
    .map((finding) => {
      const shown = inWords(finding, language, page.app_name);
      return { ...shown, isFault: !shown.passes && !isExpected(page, shown) };
    });
}

/** Returns whether the last check found that records do not exist yet, which is normal for a new domain. */
export function isNotThereYet(page: ConnectPage): boolean {
  const { findings, last_checked_at, status } = page;
  if (status !== 'pending_dns' || last_checked_at === null) return false;
  return findings.some((finding) => isAwaited(page, finding));
}

/**
 * Returns whether a finding only says that a record does not exist yet. The page asks for this record anyway, so it does not show the
 * finding.
 */
function isAwaited({ status, progress }: ConnectPage, finding: Finding): boolean {
  const { code } = finding;
  if (status !== 'pending_dns') return code === 'dns_record_missing' && status !== 'dns_broken';
  if (progress === 'seen') return false;
  return code === 'dns_record_missing' || (isProofAbsent(finding) && progress === 'untouched');
}

/** Returns whether a finding is normal for a new domain: nothing was changed yet, or some records are still missing. */
function isExpected(
  { status, progress }: ConnectPage,
  { isAbsent }: Pick<ShownFinding, 'isAbsent'>,
): boolean {
  if (status !== 'pending_dns' || progress === 'seen') return false;
  return progress === 'untouched' || isAbsent;
}

function inWords(finding: Finding, { tag, texts }: Language, app: string): Omit<ShownFinding, 'isFault'> {
  const { code, found, expected, severity, changes } = finding;
  const hidesValues = VALUES_FOR_DEVELOPERS.includes(code);
  return {
    code,
    ...findingText(tag, texts, finding, app),
    found: hidesValues ? null : found,
    isAbsent: code === 'dns_record_missing' || isProofAbsent(finding),
    expected: hidesValues || expected === REASONS[code].expected ? null : expected,
    changes,
    passes: severity !== 'error' || code === 'whitelabel_unverified',
  };
}

/** Returns whether the TXT record is missing, and was not found at a wrong name either. */
function isProofAbsent({ code, found }: Finding): boolean {
  return code === 'dns_txt_missing' && found === null;
}

/** Reasons whose found and expected values are meaningful only to the app's developers, so customers do not see them. */
const VALUES_FOR_DEVELOPERS: readonly ReasonCode[] = [
  'dns_resolver_unavailable',
  'hostname_routed_elsewhere',
  'whitelabel_unverified',
  'ca_rejected',
  'proxy_leads_here',
  'proxy_plain_http',
  'proxy_misdirects',
  'proxy_unreachable',
  'proxy_https_failed',
];
