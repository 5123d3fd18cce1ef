import { type AddressingApp, type App, cnameTarget } from '../apps/app.ts';
import type { Domain } from '../domains/domain.ts';
import { registrableDomain } from '../domains/hostname.ts';
import type { Instant } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** The DNS records that make a hostname work for a domain. A check compares them with the records that it found. */
export interface DnsExpectation {
  hostname: string;
  registrable: string;
  is_apex: boolean;
  /** The targets of the app. The first is the one that customers are shown, which may be its white-label host. */
  targets: readonly string[];
  /**
   * The zone in which each app has a label. A chain names the app of the first label in it, and no other app (`shared/decisions/0066`).
   * Absent if the zone is not known; then any of the targets names the app.
   */
  edgeZone?: string;
  /** The app's white-label host. Customers' records may point through it, and only the app can fix it. */
  host: WhitelabelHost | null;
  edgeIpv4: readonly string[];
  edgeIpv6: readonly string[];
  /** Name of the TXT record that proves ownership, e.g. `_service.acme.com`. `txt_value` is what it must hold. */
  txtName: string;
  txt_value: string;
  /**
   * Whether the TXT record is required if the hostname leads to us only by addresses. A live domain that has the hostname's route does not
   * need it: it has proven ownership, and the record may be removed (`docs/domains.md`, ownership). Delegated challenges replace the record,
   * unless a proxy stands in front of us.
   */
  txtRequired: boolean;
  /** Whether no check of this domain depends on the TXT record, so that it is not looked up. */
  ignoresTxt?: boolean;
  /** The TXT values of the other domains of this hostname. */
  otherProofs?: readonly string[];
  /** Whether the app lets a domain be active behind a proxy. */
  allowsProxies?: boolean;
  /** Addresses of a proxy that a probe of the public path found to lead here. They count as ours. */
  proxies?: readonly string[];
  /** Addresses of a proxy that led here before and that does not respond now. They are evidence of nothing. */
  silentProxies?: readonly string[];
  /** The names that CAA records use for our certificate authorities, e.g. `letsencrypt.org` (RFC 8659 section 4.2). */
  caaIssuers: readonly string[];
}

/** An app's white-label host, as it concerns one domain of the app (`docs/domains.md`, white-label). */
export interface WhitelabelHost {
  name: string;
  target: string;
  /** The CNAME that the host had at the last check; null if it is verified or had none. */
  found: string | null;
  /** True if the plan has not included white-label for 72 hours. Then a chain through the host confirms no domain of the app. */
  ended: boolean;
  /** Whether the host is verified, or keeps the domain. The record of a domain then counts as routed through it. */
  accepted: boolean;
  /** Whether a chain through the host keeps the domain live, wherever the host leads. */
  keeps: boolean;
  /** Whether a chain through the host is wrong, even if it contains the app's label. */
  bars: boolean;
}

type ExpectationSettings = Pick<Settings, 'names' | 'edgeZone' | 'edgeIpv4' | 'edgeIpv6'> &
  Pick<DnsExpectation, 'caaIssuers'>;

type ExpectedDomain = Pick<Domain, 'hostname' | 'is_apex' | 'txt_value' | 'status' | 'routed_through'>;

/** The fields of an app that determine which records its domains expect. */
export type ExpectedApp = AddressingApp &
  Pick<App, 'allow_proxied' | 'whitelabel_found' | 'whitelabel_grace_ends_at'>;

export interface ExpectationFacts {
  /** Whether the domain holds the hostname. A prepared domain does not. */
  hasRoute: boolean;
  /** Whether another app of the same account has verified this app's white-label host. It then belongs to that app at once. */
  hostLost: boolean;
  /** The TXT values of the other domains of this hostname. */
  otherProofs: readonly string[];
  /** Whether the plan includes white-label. If it does not, a verified host still counts until its grace period is over. */
  hasWhitelabel: boolean;
  now: Instant;
}

/** Returns the records that a domain needs, given its app, its status and its route. */
export function expectationOf(
  domain: ExpectedDomain,
  app: ExpectedApp,
  settings: ExpectationSettings,
  facts: ExpectationFacts,
): DnsExpectation {
  const { hostname, is_apex, txt_value } = domain;
  const { names, edgeZone, edgeIpv4, edgeIpv6, caaIssuers } = settings;
  const host = whitelabelHost(domain, app, edgeZone, facts);
  const own = cnameTarget(app, edgeZone);
  return {
    hostname,
    registrable: registrableDomain(hostname) ?? hostname,
    is_apex,
    targets: host !== null && app.whitelabel_verified && facts.hasWhitelabel ? [host.name, own] : [own],
    edgeZone,
    host,
    edgeIpv4,
    edgeIpv6,
    txtName: `${names.txtLabel}.${hostname}`,
    txt_value,
    txtRequired: !isProven(domain, facts),
    otherProofs: facts.otherProofs,
    allowsProxies: app.allow_proxied,
    caaIssuers,
  };
}

/**
 * Returns whether ownership is proven: the domain is live and holds the hostname. A broken domain has to prove it again, because the
 * hostname may have been sold in the meantime.
 */
function isProven({ status }: ExpectedDomain, { hasRoute }: ExpectationFacts): boolean {
  return hasRoute && (status === 'issuing' || status === 'active' || status === 'cert_failed');
}

/**
 * Returns the app's white-label host. A host that is verified, or in its grace period, keeps the live domains that are routed through it
 * (`docs/api.md#app`). In its grace period it confirms none.
 */
function whitelabelHost(
  domain: ExpectedDomain,
  app: ExpectedApp,
  edgeZone: string,
  facts: ExpectationFacts,
): WhitelabelHost | null {
  const { whitelabel_host: name, whitelabel_verified: verified, whitelabel_found: found } = app;
  const { whitelabel_grace_ends_at: graceEndsAt } = app;
  if (name === null || name === domain.hostname) return null;
  const isOver = graceEndsAt !== null && graceEndsAt <= facts.now;
  const ended = isOver && !facts.hasWhitelabel;
  const inGrace = !verified && graceEndsAt !== null && !isOver;
  const isLive = isProven(domain, facts);
  const keeps =
    !ended && (verified || inGrace) && !facts.hostLost && isLive && domain.routed_through === name;
  return {
    name,
    target: cnameTarget(app, edgeZone),
    found,
    ended,
    accepted: keeps || (verified && !ended),
    keeps,
    bars: ended || (inGrace && !isLive),
  };
}

/** Returns the address type that the hostname must have: IPv4, unless the edge has only IPv6. */
export function neededAddressType({
  edgeIpv4,
  edgeIpv6,
}: Pick<DnsExpectation, 'edgeIpv4' | 'edgeIpv6'>): 'A' | 'AAAA' {
  return edgeIpv4.length === 0 && edgeIpv6.length > 0 ? 'AAAA' : 'A';
}
