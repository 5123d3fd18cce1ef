import { type App, cnameTarget, customerTarget } from '../apps/app.ts';
import type { Domain } from '../domains/domain.ts';
import { registrableDomain } from '../domains/hostname.ts';
import type { Status } from '../domains/status.ts';
import type { Instant } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** What the DNS must hold for a hostname to be a domain's: the question that a survey answers. */
export interface DnsExpectation {
  hostname: string;
  registrable: string;
  is_apex: boolean;
  /** Names of which one must be in the CNAME chain: the one that customers are shown first, then the others that count. */
  targets: readonly string[];
  /** The app's white-label host while it counts for nothing. A record that points through it is the app's to mend. */
  brokenHost: BrokenHost | null;
  edge_ipv4: readonly string[];
  edge_ipv6: readonly string[];
  /** Where the proof of ownership stands, e.g. `_service.acme.com`, and what it must hold. */
  txt_name: string;
  txt_value: string;
  /**
   * Whether the TXT must be there now, where addresses alone lead to us. Not for a live domain that has the hostname's route: it
   * was proven then, and may be removed (`docs/domains.md`, ownership); a rival's claim asks for it again.
   */
  txt_required: boolean;
  /** What CAA records may name our certificate authorities by, e.g. `letsencrypt.org` (RFC 8659 section 4.2). */
  caa_issuers: readonly string[];
}

/** A white-label host whose CNAME chain does not reach the app's target. */
export interface BrokenHost {
  name: string;
  target: string;
  /** The CNAME last seen there; null where there was none. */
  found: string | null;
}

type ExpectationSettings = Pick<Settings, 'names' | 'edge_zone' | 'edge_ipv4' | 'edge_ipv6'> &
  Pick<DnsExpectation, 'caa_issuers'>;

type ExpectedDomain = Pick<Domain, 'hostname' | 'is_apex' | 'txt_value' | 'status' | 'routed_through'>;

export interface ExpectationFacts {
  /** Whether the hostname is routed for this domain. */
  has_route: boolean;
  /** Whether another app has this app's white-label host verified: then it is that app's (`docs/domains.md`, white-label). */
  host_lost: boolean;
  /** Whether the plan includes white-label. If not, a verified host still counts, because existing domains keep pointing through it. */
  hasWhitelabel: boolean;
  now: Instant;
}

export function expectationOf(
  domain: ExpectedDomain,
  app: App,
  settings: ExpectationSettings,
  facts: ExpectationFacts,
): DnsExpectation {
  const { hostname, is_apex, txt_value, status } = domain;
  const { names, edge_zone, edge_ipv4, edge_ipv6, caa_issuers } = settings;
  const host = countingHost(domain, app, facts);
  const targets = [
    customerTarget(app, edge_zone, facts.hasWhitelabel),
    cnameTarget(app, edge_zone),
    ...(host === null ? [] : [host]),
  ];
  return {
    hostname,
    registrable: registrableDomain(hostname) ?? hostname,
    is_apex,
    targets: [...new Set(targets)],
    brokenHost: brokenHost(app, edge_zone, targets),
    edge_ipv4,
    edge_ipv6,
    txt_name: `${names.txt_label}.${hostname}`,
    txt_value,
    txt_required: !(facts.has_route && PROVEN.has(status)),
    caa_issuers,
  };
}

function brokenHost(app: App, edge_zone: string, targets: readonly string[]): BrokenHost | null {
  const { whitelabel_host: name, whitelabel_found: found } = app;
  if (name === null || targets.includes(name)) return null;
  return { name, target: cnameTarget(app, edge_zone), found };
}

/** Whose ownership was proven and has held since. A broken one has to prove it anew: the name may have been sold meanwhile. */
const PROVEN: ReadonlySet<Status> = new Set(['issuing', 'active', 'cert_failed']);

/** The type of address that has to be there: IPv4, unless the edge has IPv6 alone. */
export function neededAddressType({
  edge_ipv4,
  edge_ipv6,
}: Pick<DnsExpectation, 'edge_ipv4' | 'edge_ipv6'>): 'A' | 'AAAA' {
  return edge_ipv4.length === 0 && edge_ipv6.length > 0 ? 'AAAA' : 'A';
}

/**
 * A white-label host counts while it is verified. In the 72 hours of grace once it has broken it only keeps what is routed through
 * it: it proves nothing anew (section 2.1).
 */
function countingHost(
  { routed_through }: ExpectedDomain,
  { whitelabel_host, whitelabel_verified, whitelabel_grace_ends_at }: App,
  { has_route, host_lost, now }: ExpectationFacts,
): string | null {
  if (whitelabel_verified) return whitelabel_host;
  const in_grace = whitelabel_grace_ends_at !== null && now < whitelabel_grace_ends_at && !host_lost;
  return in_grace && has_route && routed_through === whitelabel_host ? whitelabel_host : null;
}
