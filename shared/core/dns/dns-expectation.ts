import { type AddressingApp, type App, cnameTarget } from '../apps/app.ts';
import type { Domain } from '../domains/domain.ts';
import { registrableDomain } from '../domains/hostname.ts';
import type { Instant } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** The DNS records that make a hostname work for a domain. A check compares these records with the records that it found. */
export interface DnsExpectation {
  hostname: string;
  registrable: string;
  is_apex: boolean;
  /** The CNAME targets of the app. Customers are shown the first target, which may be the app's white-label host. */
  targets: readonly string[];
  /**
   * The zone in which each app has its own CNAME target. The first name in a CNAME chain that is in this zone determines the app
   * (`shared/decisions/0066`). Absent if the zone is not known; then any of `targets` in the chain is enough.
   */
  edgeZone?: string;
  /** The app's white-label host. Customers' records may point through this host, and only the app can fix the host's own record. */
  host: WhitelabelHost | null;
  edgeIpv4: readonly string[];
  edgeIpv6: readonly string[];
  /** Name of the TXT record that proves ownership, e.g. `_service.acme.com`. `txt_value` is the value that the record must have. */
  txtName: string;
  txt_value: string;
  /**
   * Whether the hostname needs the TXT record if it has our addresses but no CNAME to us. A live domain with the hostname's route does not
   * need the record, because its ownership is proven (`docs/domains.md`, ownership). Delegated challenges also prove ownership, unless
   * visitors reach us through a proxy.
   */
  txtRequired: boolean;
  /** True if no check of this domain depends on the TXT record, so that the record is not looked up. */
  ignoresTxt?: boolean;
  /** The TXT values of the other domains of this hostname. */
  otherProofs?: readonly string[];
  /** Whether the app lets a domain be active behind a proxy. */
  allowsProxies?: boolean;
  /** Addresses of a proxy that passes requests on to us, as a probe has shown. A check treats these addresses as ours. */
  proxies?: readonly string[];
  /**
   * Addresses of a proxy that passed requests on to us before and that does not respond now. If a server returns these addresses, the
   * outcome is `unknown`.
   */
  silentProxies?: readonly string[];
  /** The names that CAA records use for our certificate authorities, e.g. `letsencrypt.org` (RFC 8659 section 4.2). */
  caaIssuers: readonly string[];
}

/** The state of an app's white-label host, from the view of one domain of the app (`docs/domains.md`, white-label). */
export interface WhitelabelHost {
  name: string;
  target: string;
  /** The CNAME that the host had at the last check; null if the host is verified or had no CNAME. */
  found: string | null;
  /** True if the plan has not included white-label for 72 hours. A CNAME chain through the host then confirms no domain of the app. */
  ended: boolean;
  /** Whether the host keeps the domain live, or is verified and not `ended`. Only then can the domain's `routed_through` be the host. */
  accepted: boolean;
  /** Whether a CNAME chain through the host keeps the domain live, wherever the host's own record points. */
  keeps: boolean;
  /** Whether a CNAME chain through the host is wrong, even if the chain ends at the app's own target. */
  bars: boolean;
}

type ExpectationSettings = Pick<Settings, 'names' | 'edgeZone' | 'edgeIpv4' | 'edgeIpv6'> &
  Pick<DnsExpectation, 'caaIssuers'>;

type ExpectedDomain = Pick<Domain, 'hostname' | 'is_apex' | 'txt_value' | 'status' | 'routed_through'>;

/** The fields of an app that determine which records its domains expect. */
export type ExpectedApp = AddressingApp &
  Pick<App, 'allow_proxied' | 'whitelabel_found' | 'whitelabel_grace_ends_at'>;

export interface ExpectationFacts {
  /**
   * Whether the domain has the hostname's route, and not only provisionally. A route is provisional if the domain got its certificate
   * before its record pointed to us.
   */
  hasRoute: boolean;
  /** Whether another app of the same account has verified this app's host. This app then loses the host without a grace period. */
  hostLost: boolean;
  /** The TXT values of the other domains of this hostname. */
  otherProofs: readonly string[];
  /** Whether the plan includes white-label. If not, a verified host still works until its grace period ends. */
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
 * Returns whether ownership is proven: the domain is live and has the hostname's route. A broken domain has to prove ownership again,
 * because the hostname may have been sold in the meantime.
 */
function isProven({ status }: ExpectedDomain, { hasRoute }: ExpectationFacts): boolean {
  return hasRoute && (status === 'issuing' || status === 'active' || status === 'cert_failed');
}

/**
 * Returns the app's white-label host, as it applies to a domain. While the host is verified or in its grace period, live domains that are
 * routed through it stay live (`docs/api.md#app`). During its grace period, the host confirms no new domains.
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
