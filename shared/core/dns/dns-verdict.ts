import type { Domain, StatusDetail } from '../domains/domain.ts';
import { windowEndsAt } from '../domains/schedule.ts';
import type { Status } from '../domains/status.ts';
import type { Trigger } from '../domains/transition.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';
import {
  isRecordGone,
  isRightMostly,
  rightEverywhere,
  routedThrough,
  type ViewOutcome,
  viewOutcome,
} from './dns-confirmation.ts';
import type { DnsExpectation } from './dns-expectation.ts';
import { detailOf, type Finding } from './dns-finding.ts';
import { diagnose } from './dns-findings.ts';
import type { DnsSurvey } from './dns-survey.ts';

export interface Verdict {
  /** The transition that the check causes; null if the domain keeps its status. */
  trigger: Trigger | null;
  /** When the record of a live domain was first missing; null if the record is there. Stored for the next check. */
  missed_at: Instant | null;
  /** Findings of the check, the most severe first. */
  findings: Finding[];
  /** The new `status_reason` and `status_detail`, if the domain keeps its status. */
  reason: string | null;
  detail: StatusDetail | null;
  /** The name through which the record points to us. Unchanged if a resolver does not return the right record. */
  routed_through: string | null;
  /** The longest time until the next check; null if the regular schedule applies. */
  recheckInMs: number | null;
}

/** The time of this check, and the results that the previous check stored. */
export interface VerdictContext {
  missed_at: Instant | null;
  now: Instant;
}

/** A live domain breaks if its record is missing in two checks, at least this far apart (`docs/domains.md`, checks). */
export const SECOND_LOOK_MS = MINUTE_MS;

/** Decides how a check changes a domain (`docs/domains.md`, checks). Servers with the outcome `unknown` never influence the decision. */
export function verdict(
  domain: Domain,
  survey: DnsSurvey,
  expectation: DnsExpectation,
  { missed_at, now }: VerdictContext,
): Verdict {
  const findings = diagnose(survey, expectation);
  const consensus = consensusOf(survey, expectation);
  const [first] = survey.resolvers;
  const route =
    consensus.everywhere && first !== undefined ? routedThrough(first, expectation) : domain.routed_through;
  const checked: Checked = { domain, findings, consensus, routed_through: route };
  const stays = { trigger: null, missed_at: null, findings, routed_through: route, recheckInMs: null };
  const kept = { reason: domain.status_reason, detail: domain.status_detail };
  switch (CHECKED_AS[domain.status]) {
    case 'waiting':
      return { ...stays, ...mostSevere(findings), trigger: whileWaiting(checked, now) };
    case 'broken':
      return { ...stays, ...whyBroken(checked), trigger: confirmed(checked) };
    case 'live':
      return { ...stays, ...kept, ...whileLive(checked, missed_at, now) };
    default:
      return { ...stays, ...kept };
  }
}

/** For each status, the rules by which a check judges a domain. In a status that is not listed, a check changes nothing. */
const CHECKED_AS: Partial<Record<Status, 'waiting' | 'live' | 'broken'>> = {
  pending_dns: 'waiting',
  verifying: 'waiting',
  issuing: 'live',
  active: 'live',
  cert_failed: 'live',
  dns_broken: 'broken',
};

/** The results of all public resolvers, taken together. */
interface ResolverConsensus {
  everywhere: boolean;
  somewhere: boolean;
  /** True if every resolver certainly lacks the right record. If no resolver was asked, the zone's own servers decide. */
  nowhere: boolean;
  gone: boolean;
  /** True if more resolvers return the right record than lack it. */
  mostly: boolean;
}

interface Checked {
  domain: Domain;
  findings: Finding[];
  consensus: ResolverConsensus;
  routed_through: string | null;
}

function consensusOf(survey: DnsSurvey, expectation: DnsExpectation): ResolverConsensus {
  const count = (views: DnsSurvey['resolvers'], outcome: ViewOutcome) =>
    views.filter((view) => viewOutcome(view, expectation) === outcome).length;
  const asked = survey.resolvers.length;
  const right = count(survey.resolvers, 'right');
  const wrong = count(survey.resolvers, 'wrong');
  const zoneSaysYes = count(survey.authorities, 'right') > 0;
  const zoneSaysNo = !zoneSaysYes && count(survey.authorities, 'wrong') > 0;
  const noZone = survey.delegation?.registered === false;
  return {
    everywhere: rightEverywhere(survey.resolvers, expectation),
    somewhere: right > 0,
    nowhere: asked > 0 ? wrong === asked : zoneSaysNo || noZone,
    gone: isRecordGone(survey.resolvers, expectation),
    mostly: isRightMostly(survey.resolvers, expectation),
  };
}

function confirmed({ consensus, routed_through: route }: Checked): Trigger | null {
  if (!consensus.everywhere) return null;
  return { name: 'dns_confirmed', ...(route === null ? {} : { routed_through: route }) };
}

function whileWaiting(checked: Checked, now: Instant): Trigger | null {
  const { domain, findings, consensus } = checked;
  const why = reasonOf(findings);
  if (consensus.everywhere) return confirmed(checked);
  if (now >= windowEndsAt(domain) + patienceMs(findings)) return { name: 'window_passed' };
  if (consensus.somewhere) return domain.status === 'pending_dns' ? { name: 'dns_seen', ...why } : null;
  return consensus.nowhere && domain.status === 'verifying' ? { name: 'dns_unseen', ...why } : null;
}

/** Returns how long a domain may still wait after the end of its 72 hours. A domain does not expire while our checks get no response. */
function patienceMs(findings: readonly Finding[]): number {
  // A domain never waits because of a warning.
  const cause = findings.find(({ severity }) => severity !== 'warning');
  return cause === undefined || cause.code === 'dns_resolver_unavailable' ? UNTOLD_PATIENCE_MS : 0;
}

/**
 * The longest time for which a domain waits because our checks get no response. Our own outages are shorter, so after this time the
 * customer's zone must be the cause.
 */
const UNTOLD_PATIENCE_MS = 7 * DAY_MS;

/**
 * Judges a live domain. The first check that does not find the record only stores the time. A later check with the outcome `unknown` does
 * not clear this time, and does not break the domain.
 */
function whileLive(
  { findings, consensus }: Checked,
  missedAt: Instant | null,
  now: Instant,
): Pick<Verdict, 'trigger' | 'missed_at' | 'recheckInMs'> {
  if (consensus.mostly || (missedAt === null && !consensus.gone)) {
    return { trigger: null, missed_at: null, recheckInMs: null };
  }
  const since = missedAt ?? now;
  const waitMs = since + SECOND_LOOK_MS - now;
  if (consensus.gone && waitMs <= 0) {
    return { trigger: { name: 'dns_gone', ...reasonOf(findings) }, missed_at: null, recheckInMs: null };
  }
  return { trigger: null, missed_at: since, recheckInMs: waitMs > 0 ? waitMs : SECOND_LOOK_MS };
}

/**
 * Returns the reason why a domain is broken. The reason stays the same if the check found no other cause, or if another app has taken the
 * hostname and the record points to that app.
 */
function whyBroken({ domain, findings }: Checked): Pick<Verdict, 'reason' | 'detail'> {
  // `dns_resolver_blocks` is the only warning that can explain why a domain is broken.
  const finding = findings.find(
    ({ code, severity }) => severity !== 'warning' || code === 'dns_resolver_blocks',
  );
  const keeps =
    finding === undefined ||
    finding.code === 'dns_resolver_unavailable' ||
    (domain.status_reason === 'hostname_routed_elsewhere' && TAKEN_OVER.has(finding.code));
  return keeps ? { reason: domain.status_reason, detail: domain.status_detail } : mostSevere(findings);
}

/** Findings that a check reports after the hostname's record was changed to point to another app. */
const TAKEN_OVER: ReadonlySet<string> = new Set([
  'dns_record_mismatch',
  'dns_txt_missing',
  'dns_txt_mismatch',
]);

function mostSevere([finding]: readonly Finding[]): Pick<Verdict, 'reason' | 'detail'> {
  if (finding === undefined) return { reason: null, detail: null };
  return { reason: finding.code, detail: detailOf(finding) };
}

function reasonOf(findings: readonly Finding[]): Pick<Trigger, 'reason' | 'detail'> {
  const { reason, detail } = mostSevere(findings);
  return reason === null || detail === null ? {} : { reason, detail };
}
