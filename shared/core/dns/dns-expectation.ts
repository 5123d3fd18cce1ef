import { type App, cnameTarget, customerTarget } from '../apps/app.ts';
import type { Domain } from '../domains/domain.ts';
import { registrableDomain } from '../domains/hostname.ts';
import type { Status } from '../domains/status.ts';
import type { Instant } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** The DNS records that make a hostname work for a domain. A check compares them with the records that it found. */
export interface DnsExpectation {
  hostname: string;
  registrable: string;
  is_apex: boolean;
  /** The CNAME chain must contain one of these targets. The first is the one that customers are shown; the others are accepted too. */
  targets: readonly string[];
  /** The app's white-label host, if it is not accepted now. Records may still point through it, and only the app can fix it. */
  brokenHost: BrokenHost | null;
  edgeIpv4: readonly string[];
  edgeIpv6: readonly string[];
  /** Name of the TXT record that proves ownership, e.g. `_service.acme.com`. `txt_value` is what it must hold. */
  txtName: string;
  txt_value: string;
  /**
   * Whether the TXT record is required if the hostname leads to us only by addresses. A live domain that has the hostname's route does not
   * need it: it has proven ownership, and the record may be removed (`docs/domains.md`, ownership). If another app claims the hostname, it
   * is required again. A domain that got its certificate before the switch, by delegated challenges, does not need it either.
   */
  txtRequired: boolean;
  /** Whether the app lets a domain be active behind a proxy. */
  allowsProxies?: boolean;
  /** Addresses of a proxy that a probe of the public path found to lead here. They count as ours. */
  proxies?: readonly string[];
  /** Addresses of a proxy that led here before and that does not respond now. They are evidence of nothing. */
  silentProxies?: readonly string[];
  /** The names that CAA records use for our certificate authorities, e.g. `letsencrypt.org` (RFC 8659 section 4.2). */
  caaIssuers: readonly string[];
}

/** A white-label host whose CNAME chain does not reach the app's target, or that the plan no longer includes. */
export interface BrokenHost {
  name: string;
  target: string;
  /** The CNAME that the host had at the last check; null if it had none. */
  found: string | null;
  /**
   * True if the plan has not included white-label for 72 hours. From then on, a CNAME to this host is not accepted, even if the host still leads to us.
   */
  ended: boolean;
}

type ExpectationSettings = Pick<Settings, 'names' | 'edgeZone' | 'edgeIpv4' | 'edgeIpv6'> &
  Pick<DnsExpectation, 'caaIssuers'>;

type ExpectedDomain = Pick<Domain, 'hostname' | 'is_apex' | 'txt_value' | 'status' | 'routed_through'>;

export interface ExpectationFacts {
  /** Whether the hostname is routed to this domain. */
  hasRoute: boolean;
  /** Whether another app has verified this app's white-label host. The host then belongs to that app (`docs/domains.md`, white-label). */
  hostLost: boolean;
  /**
   * Whether the domain already has a certificate before the switch, because the customer delegated the challenges. The delegation proves
   * ownership.
   */
  isDelegated: boolean;
  /** Whether the plan includes white-label. If it does not, a verified host still counts until its grace period is over. */
  hasWhitelabel: boolean;
  now: Instant;
}

/** Returns the records that a domain needs, given its app, its status and its route. */
export function expectationOf(
  domain: ExpectedDomain,
  app: App,
  settings: ExpectationSettings,
  facts: ExpectationFacts,
): DnsExpectation {
  const { hostname, is_apex, txt_value, status } = domain;
  const { names, edgeZone, edgeIpv4, edgeIpv6, caaIssuers } = settings;
  const host = countingHost(domain, app, facts);
  const targets = [
    customerTarget(app, edgeZone, facts.hasWhitelabel),
    cnameTarget(app, edgeZone),
    ...(host === null ? [] : [host]),
  ];
  return {
    hostname,
    registrable: registrableDomain(hostname) ?? hostname,
    is_apex,
    // A white-label host must lead to the app's own target, never to itself.
    targets: [...new Set(targets)].filter((target) => target !== hostname),
    brokenHost: brokenHost(app, edgeZone, { targets, ended: isWhitelabelEnded(app, facts) }),
    edgeIpv4,
    edgeIpv6,
    txtName: `${names.txtLabel}.${hostname}`,
    txt_value,
    txtRequired: !(facts.hasRoute && PROVEN.has(status)) && !facts.isDelegated,
    allowsProxies: app.allow_proxied,
    caaIssuers,
  };
}

function brokenHost(
  app: App,
  edgeZone: string,
  { targets, ended }: { targets: readonly string[]; ended: boolean },
): BrokenHost | null {
  const { whitelabel_host: name, whitelabel_found: found } = app;
  if (name === null || targets.includes(name)) return null;
  return { name, target: cnameTarget(app, edgeZone), found, ended };
}

/** Returns whether the app's white-label host has ended with its plan (`docs/plans-and-limits.md`). */
function isWhitelabelEnded(
  { whitelabel_grace_ends_at }: App,
  { hasWhitelabel, now }: Pick<ExpectationFacts, 'hasWhitelabel' | 'now'>,
): boolean {
  return !hasWhitelabel && whitelabel_grace_ends_at !== null && whitelabel_grace_ends_at <= now;
}

/**
 * Statuses in which ownership counts as proven. A broken domain has to prove it again, because the hostname may have been sold in the
 * meantime.
 */
const PROVEN: ReadonlySet<Status> = new Set(['issuing', 'active', 'cert_failed']);

/** Returns the address type that the hostname must have: IPv4, unless the edge has only IPv6. */
export function neededAddressType({
  edgeIpv4,
  edgeIpv6,
}: Pick<DnsExpectation, 'edgeIpv4' | 'edgeIpv6'>): 'A' | 'AAAA' {
  return edgeIpv4.length === 0 && edgeIpv6.length > 0 ? 'AAAA' : 'A';
}

/**
 * Returns the app's white-label host if this domain may point through it. A verified host counts for every domain. After it breaks, it
 * counts for another 72 hours, but only for domains that are already routed through it. A new domain cannot use it (`docs/api.md#app`).
 */
function countingHost(
  { routed_through }: ExpectedDomain,
  app: App,
  { hasRoute, hostLost, hasWhitelabel, now }: ExpectationFacts,
): string | null {
  const { whitelabel_host, whitelabel_verified, whitelabel_grace_ends_at } = app;
  if (isWhitelabelEnded(app, { hasWhitelabel, now })) return null;
  if (whitelabel_verified) return whitelabel_host;
  const inGrace = whitelabel_grace_ends_at !== null && now < whitelabel_grace_ends_at && !hostLost;
  return inGrace && hasRoute && routed_through === whitelabel_host ? whitelabel_host : null;
}
