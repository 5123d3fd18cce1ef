import { isIPv4 } from 'node:net';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import { readName, registrableDomain } from '../../shared/core/domains/hostname.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { usageError } from '../runtime/cli-error.ts';

/** The sources of the expected DNS records. The command line takes precedence over the API. */
export interface ExpectationSources {
  target: string | undefined;
  addresses: readonly string[];
  /** The app of the API key; null without an API key. */
  app: AppResource | null;
  /** The app's domain with this hostname; null if there is none. */
  domain: DomainResource | null;
  now: number;
}

export interface LocalExpectation {
  /** For a subdomain the edge's addresses may be missing, because the API does not return them. */
  expectation: DnsExpectation;
  /** A hint that says how the user can specify the expected record; null if the expected record is known. */
  unknown: string | null;
}

/** Returns the records that a hostname should have. @throws CliError `usage` for a malformed name or a public suffix. */
export function localExpectation(name: string, sources: ExpectationSources): LocalExpectation {
  const hostname = readHostname(name);
  const registrable = registrableDomain(hostname);
  if (registrable === null) {
    throw usageError(
      `${hostname} is a public suffix, under which people register their own domains.`,
      'Give a hostname below it.',
    );
  }
  const isApex = hostname === registrable;
  const { target, addresses, domain } = sources;
  const { apex = null } = domain?.dns ?? {};
  const targets = target === undefined ? targetsOf(sources) : [readHostname(target)];
  const edge = addresses.length > 0 ? addresses : [...(apex?.a ?? []), ...(apex?.aaaa ?? [])];
  const expectation: DnsExpectation = {
    hostname,
    registrable,
    is_apex: isApex,
    targets,
    host: null,
    edgeIpv4: edge.filter((address) => isIPv4(address)),
    edgeIpv6: edge.filter((address) => !isIPv4(address)),
    txtName: apex ? `${apex.txt.name}.${registrable}` : `${serviceNames('Service').txtLabel}.${hostname}`,
    txt_value: apex?.txt.value ?? '',
    txtRequired: apex !== null && !isProven(domain),
    caaIssuers: CAA_ISSUERS,
  };
  const isKnown = isApex ? edge.length > 0 : targets.length > 0;
  return { expectation, unknown: isKnown ? null : howToSpecify(hostname, isApex) };
}

/** The service's default CA, because the API does not say which CAs a server uses. */
const CAA_ISSUERS = ['letsencrypt.org'];

function readHostname(text: string): string {
  const read = readName(text);
  if (read.ok) return read.name;
  throw usageError(
    `"${text}" is not a hostname: ${read.problem}.`,
    'Give a hostname such as careers.acme.com.',
  );
}

/**
 * Returns the CNAME targets that a domain may point to. The first is the target that the customer is told to use (`docs/domains.md`,
 * records).
 */
function targetsOf({ app, domain, now }: ExpectationSources): string[] {
  if (app === null) return [];
  const { whitelabel_host, whitelabel_verified, whitelabel_grace_ends_at, whitelabel_target } = app;
  const graceEndsAt = whitelabel_grace_ends_at === null ? null : Date.parse(whitelabel_grace_ends_at);
  const inGrace = graceEndsAt !== null && now < graceEndsAt;
  const ownHost = (whitelabel_verified && graceEndsAt === null) || inGrace ? whitelabel_host : null;
  const first = whitelabel_verified && graceEndsAt === null ? whitelabel_host : null;
  const targets = [domain?.dns.cname?.value ?? first, whitelabel_target, ownHost];
  return [...new Set(targets.filter((name) => name !== null))];
}

/** Returns true once the TXT record is no longer needed, because ownership was proven when the domain went live. */
function isProven(domain: DomainResource | null): boolean {
  if (domain === null || domain.status_reason === 'hostname_routed_elsewhere') return false;
  return ['issuing', 'active', 'cert_failed', 'dns_broken'].includes(domain.status);
}

function howToSpecify(hostname: string, isApex: boolean): string {
  return isApex
    ? `The expected addresses of ${hostname} are unknown, so its own records were not checked. Add the domain (nameplate domains add ${hostname}), or give each address with --address.`
    : `The expected target of ${hostname} is unknown, so its own record was not checked. Set the app's key (nameplate login), or give the target with --target.`;
}
