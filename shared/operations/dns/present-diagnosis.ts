import type { Finding } from '../../core/dns/dns-finding.ts';
import type { AskedLookup } from '../../core/dns/dns-lookups.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
import { findProvider } from '../../core/providers/providers.ts';
import type { PublicPath } from '../../core/public-path/public-path.ts';
import { compareReasons, isReasonCode, REASONS } from '../../core/reasons.ts';
import type { Diagnosis } from '../../schema/diagnosis.ts';

/** The data of a diagnosis, before it is converted to JSON. */
export interface DiagnosisFacts {
  hostname: string;
  checked_at: Instant | null;
  healthy: boolean | null;
  name_servers: readonly string[];
  findings: readonly Finding[];
  lookups: readonly AskedLookup[];
  /** Where requests to the hostname arrive. Absent if no probe was sent. */
  path?: Pick<PublicPath, 'hop' | 'leads_here' | 'addresses'> | null;
  /** The CAA records that let only our accounts order certificates. Empty if they are not known, or if the hostname cannot have any. */
  lock?: readonly { name: string; value: string }[];
}

/** Returns the JSON of a diagnosis, for the API and the CLI. */
export function presentDiagnosis(facts: DiagnosisFacts, docsUrl: string): Diagnosis {
  const { hostname, checked_at, healthy, name_servers, findings, lookups, path = null, lock = [] } = facts;
  const provider = findProvider(name_servers);
  return {
    hostname,
    checked_at: timestamp(checked_at),
    healthy,
    provider: provider && { id: provider.id, name: provider.name },
    name_servers: [...name_servers],
    findings: findings.map(({ code, severity, record, expected, found, hint, retryable, changes }) => ({
      code,
      severity,
      record,
      expected,
      found,
      hint,
      retryable,
      changes: [...changes],
      docs: `${docsUrl}/reasons/${code}`,
    })),
    lookups: lookups.map(({ asked, server, name, type, outcome, failure, ede, records, ...times }) => ({
      asked,
      server,
      name,
      type,
      outcome,
      failure,
      ede: [...ede],
      records: records.map((record) => ({ ...record })),
      negative_ttl_s: times.negative_ttl_s,
      response_ms: times.response_ms,
    })),
    path: path && { hop: path.hop, leads_here: path.leads_here, addresses: [...path.addresses] },
    issuance_lock: lock.map(({ name, value }) => ({ type: 'CAA', name, value })),
  };
}

type Explained = Pick<Domain, 'status_reason' | 'status_detail'>;

/**
 * Returns the findings of a check. If the domain has a status reason that the check did not find, such as an error of the CA, that reason
 * comes first.
 */
export function findingsOf(domain: Explained, found: readonly Finding[]): readonly Finding[] {
  const own = ownFinding(domain);
  return own === null || found.some(({ code }) => code === own.code) ? found : [own, ...found];
}

/**
 * Returns the findings of a new check. Adds the domain's status reason if no lookup can disprove it, such as a hold or a refusal by the CA.
 */
export function withStandingReason(domain: Explained, found: readonly Finding[]): readonly Finding[] {
  const own = ownFinding(domain);
  if (own === null || isLookedUp(own) || isOver(own, found)) return found;
  return [own, ...found].toSorted((a, b) => compareReasons(a.code, b.code));
}

function isLookedUp({ code }: Finding): boolean {
  return REASONS[code].group === 'dns' || code === 'caa_forbids' || code === 'caa_lookup_failed';
}

/** Returns whether a probe of the public path has disproved the reason. */
function isOver({ code }: Finding, found: readonly Finding[]): boolean {
  return code === 'proxy_https_failed' && found.some((each) => each.code === 'proxy_leads_here');
}

/** Returns the domain's status reason as a finding. Null if the domain has no reason, or a reason that this version does not know. */
function ownFinding({ status_reason: code, status_detail: detail }: Explained): Finding | null {
  if (code === null || detail === null || !isReasonCode(code)) return null;
  const { severity, retryable } = REASONS[code];
  return { code, severity, retryable, record: null, ...detail, changes: detail.changes ?? [] };
}
