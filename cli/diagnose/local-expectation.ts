import { isIPv4 } from 'node:net';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import { readName, registrableDomain } from '../../shared/core/domains/hostname.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { usageError } from '../runtime/cli-error.ts';

/** Where it comes from what the DNS must hold: the command line goes before what the API knows. */
export interface ExpectationSources {
  target: string | undefined;
  addresses: readonly string[];
  /** Null without a key. */
  app: AppResource | null;
  /** Null for a name that is not added. */
  domain: DomainResource | null;
  now: number;
}

export interface LocalExpectation {
  /** Addresses of the edge may be missing where the API shows none: below an apex. */
  expectation: DnsExpectation;
  /** How to say what the record should be, where nobody has; else null. */
  unknown: string | null;
}

/** @throws CliError `usage` for a name that can be no customer's. */
export function localExpectation(name: string, sources: ExpectationSources): LocalExpectation {
  const hostname = readHostname(name);
  const registrable = registrableDomain(hostname);
  if (registrable === null) {
    throw usageError(
      `${hostname} is a public suffix, under which others register names.`,
      'Give a name below it.',
    );
  }
  const is_apex = hostname === registrable;
  const { target, addresses, domain } = sources;
  const { apex = null } = domain?.dns ?? {};
  const targets = target === undefined ? targetsOf(sources) : [readHostname(target)];
  const edge = addresses.length > 0 ? addresses : [...(apex?.a ?? []), ...(apex?.aaaa ?? [])];
  const expectation: DnsExpectation = {
    hostname,
    registrable,
    is_apex,
    targets,
    brokenHost: null,
    edge_ipv4: edge.filter((address) => isIPv4(address)),
    edge_ipv6: edge.filter((address) => !isIPv4(address)),
    txt_name: apex ? `${apex.txt.name}.${registrable}` : `${serviceNames('Service').txt_label}.${hostname}`,
    txt_value: apex?.txt.value ?? '',
    txt_required: apex !== null && !isProven(domain),
    caa_issuers: CAA_ISSUERS,
  };
  const is_known = is_apex ? edge.length > 0 : targets.length > 0;
  return { expectation, unknown: is_known ? null : howToTell(hostname, is_apex) };
}

/** As the service has it: which CAs a server uses the API does not say. */
const CAA_ISSUERS = ['letsencrypt.org'];

function readHostname(text: string): string {
  const read = readName(text);
  if ('name' in read) return read.name;
  throw usageError(`"${text}" is not a hostname: ${read.problem}.`, 'Give a name such as careers.acme.com.');
}

/** The one that the customer is shown first, then the others that count (`docs/domains.md`, records). */
function targetsOf({ app, domain, now }: ExpectationSources): string[] {
  if (app === null) return [];
  const { whitelabel_host, whitelabel_verified, whitelabel_grace_ends_at, whitelabel_target } = app;
  const in_grace = whitelabel_grace_ends_at !== null && now < Date.parse(whitelabel_grace_ends_at);
  const own_host = whitelabel_verified || in_grace ? whitelabel_host : null;
  const first = whitelabel_verified ? whitelabel_host : null;
  const targets = [domain?.dns.cname?.value ?? first, whitelabel_target, own_host];
  return [...new Set(targets.filter((name) => name !== null))];
}

/** Whether the TXT may be gone by now: whose the hostname is was proven when the domain went live. */
function isProven(domain: DomainResource | null): boolean {
  if (domain === null || domain.status_reason === 'hostname_routed_elsewhere') return false;
  return ['issuing', 'active', 'cert_failed', 'dns_broken'].includes(domain.status);
}

function howToTell(hostname: string, is_apex: boolean): string {
  return is_apex
    ? `Which addresses ${hostname} should have is not known here, so its own record is not judged. Add the domain (nameplate domains add ${hostname}), or name each address with --address.`
    : `What ${hostname} should point to is not known here, so its own record is not judged. Set the key of the app (nameplate login), or name the target with --target.`;
}
