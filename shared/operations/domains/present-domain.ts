import { customerTarget } from '../../core/apps/app.ts';
import { delegationTarget } from '../../core/certificates/acme-challenge.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import { challengeRecord, type DnsRecords, dnsRecords } from '../../core/dns/dns-records.ts';
import { isPrepared } from '../../core/domains/cadence.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { relativeName } from '../../core/domains/hostname.ts';
import { isHostedTest, shownChecks } from '../../core/domains/schedule.ts';
import { ServiceError } from '../../core/errors.ts';
import { timestamp } from '../../core/instant.ts';
import type { Settings } from '../../core/settings.ts';
import type { DomainList, DomainResource, ListDomainsQuery } from '../../schema/domain.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { selectDomains } from '../../store/domains/domain-list.ts';
import { findDomainAndApp } from '../../store/domains/domains.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { type CustomerAddresses, findCustomerAddresses } from './customer-target.ts';

/**
 * Returns the JSON of a domain, as in the API and in every event (`docs/api.md#domain`).
 * @throws TypeError for the domain of a white-label host, which the API never returns.
 */
export function presentDomain(
  context: Context,
  addresses: CustomerAddresses,
  domain: Domain,
): DomainResource {
  const { settings } = context;
  const { mode } = domain;
  if (mode === 'host') throw new TypeError('The domain of a white-label host cannot be presented');
  const checks = shownChecks(domain, settings, context.clock.now());
  return {
    id: domain.id,
    hostname: domain.hostname,
    status: domain.status,
    status_reason: domain.status_reason,
    status_detail: domain.status_detail,
    is_apex: domain.is_apex,
    mode,
    dns: { ...recordsOf(settings, addresses, domain), ...challengeRecordsOf(settings, domain) },
    origin: domain.origin,
    apex_redirect: domain.apex_redirect,
    connect_url: `${addresses.connectBase}/connect/${domain.connect_token}`,
    ready_to_switch: isPrepared(domain, context.clock.now()),
    certificate: domain.certificate && {
      issuer: domain.certificate.issuer,
      not_before: timestamp(domain.certificate.not_before),
      not_after: timestamp(domain.certificate.not_after),
      renews_at: timestamp(domain.certificate.renews_at),
    },
    metadata: domain.metadata,
    origin_headers: domain.origin_headers,
    created_at: timestamp(domain.created_at),
    updated_at: timestamp(domain.updated_at),
    last_checked_at: timestamp(checks.last_checked_at),
    next_check_at: timestamp(checks.next_check_at),
  };
}

/** The records that a customer has to create for a domain. */
export function recordsOf(settings: Settings, addresses: CustomerAddresses, domain: Domain): DnsRecords {
  return dnsRecords({
    is_apex: domain.is_apex,
    relativeName: relativeName(domain),
    cname_target: customerTarget(addresses, domain.is_apex ? `www.${domain.hostname}` : domain.hostname),
    apex_a: settings.edgeIpv4,
    apex_aaaa: settings.edgeIpv6,
    redirectsWww: domain.apex_redirect === 'www',
    txt_value: domain.txt_value,
    txtLabel: settings.names.txtLabel,
  });
}

/**
 * The CNAME that delegates the challenges of the hostname, and of its `www` name. Both are null if we have no name server for challenges,
 * or for a test domain of the hosted service, which gets no certificate.
 */
function challengeRecordsOf(
  settings: Settings,
  domain: Domain,
): Pick<DomainResource['dns'], 'acme_challenge' | 'www_acme_challenge'> {
  const { challengeZone } = settings;
  if (challengeZone === null || isHostedTest(domain, settings))
    return { acme_challenge: null, www_acme_challenge: null };
  const target = delegationTarget(domain.id, challengeZone);
  return {
    acme_challenge: challengeRecord(domain.is_apex ? '@' : relativeName(domain), target),
    www_acme_challenge:
      domain.apex_redirect === 'www' && domain.is_apex ? challengeRecord('www', target) : null,
  };
}

/** `docs/api.md#domains`: GET /v1/domains/{id}. Responds with 404 for a deleted domain, and for one of another app or mode. */
export async function getDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<DomainResource>> {
  const found = await findDomainAndApp(context.store, caller, input.params.id);
  if (found === null) throw new ServiceError('not_found');
  const addresses = await findCustomerAddresses(context, found.app);
  return { status: 200, body: presentDomain(context, addresses, found.domain) };
}

/** `docs/api.md#domains`: GET /v1/domains. Lists domains in the mode of the key. */
export async function listDomains(
  context: Context,
  caller: Caller,
  input: { query: ListDomainsQuery },
): Promise<Answer<DomainList>> {
  const { status, hostname, metadata, limit, cursor } = input.query;
  const identity: ListIdentity = ['domains', caller.app_id, caller.mode];
  const after = cursor === undefined ? null : decodeCursor(identity, cursor);
  const filter = { status, hostnamePrefix: hostname?.toLowerCase(), metadata };
  const page = await selectDomains(context.store, caller, filter, { limit, after });
  const addresses = await findCustomerAddresses(context, await getApp(context.store, caller.app_id));
  return {
    status: 200,
    body: {
      data: page.rows.map((domain) => presentDomain(context, addresses, domain)),
      next_cursor: page.next && encodeCursor(identity, page.next),
    },
  };
}
