import { issuanceLock } from '../../core/certificates/ca.ts';
import { rightEverywhere } from '../../core/dns/dns-confirmation.ts';
import { healthOf } from '../../core/dns/dns-finding.ts';
import { diagnose } from '../../core/dns/dns-findings.ts';
import { lookupsOf } from '../../core/dns/dns-lookups.ts';
import { panelName } from '../../core/dns/findings/at-hostname.ts';
import { nameServers } from '../../core/dns/findings/zone.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { inView } from '../../core/domains/ownership.ts';
import { runsOnTimer, shownChecks } from '../../core/domains/schedule.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Dns } from '../../ports/dns.ts';
import type { Diagnosis } from '../../schema/diagnosis.ts';
import { findAcmeAccount } from '../../store/certificates/acme-accounts.ts';
import { findDnsCheck } from '../../store/domains/dns-checks.ts';
import { findDomain } from '../../store/domains/domains.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { spend } from '../spend.ts';
import { readClaims } from './hostname-claimants.ts';
import {
  type DiagnosisFacts,
  findingsOf,
  presentDiagnosis,
  withStandingReason,
} from './present-diagnosis.ts';
import { surveyHostname } from './survey-hostname.ts';

/**
 * GET /v1/domains/{id}/diagnosis (`docs/domains.md`): looks up everything about a domain's DNS in one request, whatever the domain's
 * status. Changes nothing, because only scheduled checks change a domain.
 */
export async function diagnoseDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<Diagnosis>> {
  const { dns, settings } = context;
  const domain = await findDomain(context.store, caller, input.params.id);
  if (domain === null) throw new ServiceError('not_found');
  await spend(context, 'diagnosis', domain.id);
  const looks = dns !== null && !runsOnTimer(domain, settings);
  // Limits diagnoses, because each one queries many servers at once and competes for sockets with the scheduled checks of other accounts.
  if (looks) await spend(context, 'diagnoses', caller.account_id);
  const facts = looks ? await lookUp(context, dns, domain) : await recall(context, domain);
  return { status: 200, body: presentDiagnosis(facts, settings.docsUrl) };
}

async function lookUp(context: Context, dns: Dns, domain: Domain): Promise<DiagnosisFacts> {
  const claims = await readClaims(context, domain.id);
  const own = claims.claimants.find(({ domain: { id } }) => id === domain.id);
  // The domain was deleted during the lookups.
  if (own === undefined) throw new ServiceError('not_found');
  const { survey, found } = await surveyHostname(context, dns, own, claims, 'all');
  const { expectation } = inView(own, claims.holder, found);
  const findings = withStandingReason(domain, diagnose(survey, expectation));
  return {
    hostname: domain.hostname,
    checked_at: context.clock.now(),
    healthy: healthOf(findings),
    name_servers: nameServers(survey.delegation),
    findings,
    lookups: lookupsOf(survey),
    path: survey.path ?? (rightEverywhere(survey.resolvers, expectation) ? DIRECT : null),
    lock: domain.is_apex ? await lockOf(context, panelName(domain.hostname, survey, expectation)) : [],
  };
}

const DIRECT = { hop: 'direct', leads_here: true, addresses: [] } as const;

/**
 * Returns the CAA records that let only our accounts order certificates for an apex. A subdomain cannot have them, because no other record
 * can exist next to its CNAME (RFC 1034 section 3.6.2).
 */
async function lockOf(
  { store, issuance }: Context,
  name: string,
): Promise<{ name: string; value: string }[]> {
  const accounts = await Promise.all(
    (issuance?.authorities ?? []).map(async ({ ca }) => {
      const account = await findAcmeAccount(store, ca.directory_url);
      return { ca, accountUrl: account?.account_url ?? null };
    }),
  );
  return issuanceLock(accounts).map((value) => ({ name, value }));
}

/** Returns a diagnosis from the stored result of the last check, for a domain on the test timer, which has no DNS lookups. */
async function recall({ store, settings, clock }: Context, domain: Domain): Promise<DiagnosisFacts> {
  const check = await findDnsCheck(store, domain.id);
  const findings = findingsOf(domain, check?.findings ?? []);
  const health = healthOf(findings);
  return {
    hostname: domain.hostname,
    checked_at: shownChecks(domain, settings, clock.now()).last_checked_at,
    // If there are no findings, only an active domain is known to be healthy.
    healthy: health === true && domain.status !== 'active' ? null : health,
    name_servers: check?.name_servers ?? [],
    findings,
    lookups: [],
  };
}
