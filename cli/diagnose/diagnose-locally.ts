import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { integer, string } from '@oclif/core/flags';
import { monotonicClock, systemClock, systemRandom } from '../../shared/adapters/system.ts';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import { healthOf } from '../../shared/core/dns/dns-finding.ts';
import { diagnose } from '../../shared/core/dns/dns-findings.ts';
import { lookupsOf } from '../../shared/core/dns/dns-lookups.ts';
import { nameServers } from '../../shared/core/dns/findings/zone.ts';
import { isLoopback } from '../../shared/core/net/address.ts';
import { createDns } from '../../shared/dns/create-dns.ts';
import { CONFIRMING, PUBLIC_RESOLVERS, resolverServer } from '../../shared/dns/resolvers.ts';
import { presentDiagnosis, withStandingReason } from '../../shared/operations/dns/present-diagnosis.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import { usageError } from '../runtime/cli-error.ts';
import { type ExpectationSources, localExpectation } from './local-expectation.ts';

/** The flags that choose which DNS servers the diagnosis queries. */
export const lookupFlags = {
  resolver: string({
    summary: 'Query this resolver from this machine, repeatable (default: three public ones)',
    helpValue: '<ip[:port]>',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'authority-port': integer({ hidden: true, min: 1, max: 65_535 }),
};

export interface LocalDiagnosisOptions extends Omit<ExpectationSources, 'now'> {
  hostname: string;
  /** Addresses of resolvers as `ip[:port]`. If undefined, the diagnosis uses three public resolvers and a fourth as a substitute. */
  resolvers: readonly string[] | undefined;
  /** The port of authoritative servers, for tests with a private DNS. Requires resolvers on loopback. */
  authorityPort: number | undefined;
  docsUrl: string;
}

export interface LocalDiagnosis {
  diagnosis: Diagnosis;
  /** A hint that says how the user can specify the expected record; null if the expected record is known. */
  unknown: string | null;
  /** The CNAME targets and the IP addresses of the edge. */
  edge: { targets: readonly string[]; addresses: readonly string[] };
}

/** Diagnoses a hostname from this machine, using DNS only. @throws CliError `usage` */
export async function diagnoseLocally(options: LocalDiagnosisOptions): Promise<LocalDiagnosis> {
  const { domain, authorityPort, docsUrl } = options;
  const now = systemClock.now();
  const servers = (options.resolvers ?? PUBLIC_RESOLVERS.slice(0, CONFIRMING)).map(readResolver);
  const allowLoopback = servers.every(({ address }) => isLoopback(address.ip));
  if (authorityPort !== undefined && !allowLoopback) {
    throw usageError('--authority-port needs resolvers on loopback.', 'Leave it out.');
  }
  const dns = createDns({
    resolvers: servers.map(({ label }) => label),
    spareResolvers: options.resolvers === undefined ? PUBLIC_RESOLVERS.slice(CONFIRMING) : [],
    allowLoopback,
    ...(authorityPort !== undefined && { authorityPort }),
    random: systemRandom,
    clock: monotonicClock,
  });
  const { expectation: expected, unknown } = localExpectation(options.hostname, { ...options, now });
  const expectation = { ...expected, ...(await edgeBehind(expected, servers)) };
  const survey = await dns.survey(expectation, 'all');
  const found = diagnose(survey, expectation);
  // If the expected record is unknown, only `dns_record_mismatch` is uncertain. The other findings do not depend on it.
  const certain = unknown === null ? found : found.filter(({ code }) => code !== 'dns_record_mismatch');
  const findings = domain === null ? certain : withStandingReason(domain, certain);
  const health = healthOf(findings);
  const facts = {
    hostname: expectation.hostname,
    checked_at: now,
    healthy: unknown === null || health === false ? health : null,
    name_servers: nameServers(survey.delegation),
    findings,
    lookups: lookupsOf(survey),
  };
  const { targets, edgeIpv4, edgeIpv6 } = expectation;
  return {
    diagnosis: presentDiagnosis(facts, docsUrl),
    unknown,
    edge: { targets, addresses: [...edgeIpv4, ...edgeIpv6] },
  };
}

type Edge = Pick<DnsExpectation, 'edgeIpv4' | 'edgeIpv6'>;
type Servers = ReturnType<typeof readResolver>[];

function readResolver(text: string) {
  try {
    return resolverServer(text);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw usageError(
      `"${text}" is not a resolver address.`,
      'Give an IP address such as 1.1.1.1 or [2001:db8::1]:5353.',
    );
  }
}

/**
 * Returns the edge's addresses. For a subdomain the API does not return addresses, so the function resolves the CNAME target. A DNS
 * provider with CNAME flattening answers with these addresses instead of the CNAME. If the target does not resolve, returns no addresses,
 * and the diagnosis accepts only the CNAME.
 */
async function edgeBehind(expected: DnsExpectation, servers: Servers): Promise<Edge> {
  const [target] = expected.targets;
  const { edgeIpv4, edgeIpv6 } = expected;
  if (expected.is_apex || target === undefined || edgeIpv4.length + edgeIpv6.length > 0)
    return { edgeIpv4, edgeIpv6 };
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  resolver.setServers(
    servers.map(({ address: { ip, port } }) => (isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`)),
  );
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(target), resolver.resolve6(target)]);
  return {
    edgeIpv4: ipv4.status === 'fulfilled' ? ipv4.value : [],
    edgeIpv6: ipv6.status === 'fulfilled' ? ipv6.value : [],
  };
}
