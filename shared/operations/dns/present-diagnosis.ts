import type { Finding } from '../../core/dns/dns-finding.ts';
import type { AskedLookup } from '../../core/dns/dns-lookups.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
import { findProvider } from '../../core/providers/providers.ts';
import type { PublicPath } from '../../core/public-path/public-path.ts';
import type { Diagnosis } from '../../schema/diagnosis.ts';

/** The facts of a diagnosis, before formatting. */
export interface DiagnosisFacts {
  hostname: string;
  checked_at: Instant | null;
  healthy: boolean | null;
  name_servers: readonly string[];
  findings: readonly Finding[];
  lookups: readonly AskedLookup[];
  /** Where requests to the hostname arrive; absent if it was not probed. */
  path?: Pick<PublicPath, 'hop' | 'leads_here' | 'addresses'> | null;
  /** The CAA records that let only our accounts order certificates. Empty if they are not known, or if the hostname cannot have any. */
  lock?: readonly { name: string; value: string }[];
}

/** Returns a diagnosis in the form that the API and the CLI show. */
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
