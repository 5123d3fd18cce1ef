import { monotonicClock, systemRandom } from '../../shared/adapters/system.ts';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import { healthOf } from '../../shared/core/dns/dns-finding.ts';
import { diagnose } from '../../shared/core/dns/dns-findings.ts';
import { createDns } from '../../shared/dns/create-dns.ts';
import { presentDiagnosis } from '../../shared/operations/dns/present-diagnosis.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import type { RealInternet } from '../fixtures/real-internet.ts';

/** Diagnoses a hostname on real DNS servers, without any cached answer. */
export async function diagnoseAt(
  { resolverAddresses, authorityPort }: Pick<RealInternet, 'resolverAddresses' | 'authorityPort'>,
  expectation: DnsExpectation,
): Promise<Diagnosis> {
  const dns = createDns({
    resolvers: resolverAddresses,
    authorityPort,
    allowLoopback: true,
    random: systemRandom,
    clock: monotonicClock,
  });
  const findings = diagnose(await dns.survey(expectation, 'all'), expectation);
  const { hostname } = expectation;
  const facts = { hostname, checked_at: null, name_servers: [], lookups: [], findings };
  return presentDiagnosis({ ...facts, healthy: healthOf(findings) }, 'https://docs.example');
}
