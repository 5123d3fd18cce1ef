import { customerTarget } from '../../core/apps/app.ts';
import { delegationTarget } from '../../core/certificates/acme-challenge.ts';
import { challengeRecord, type DnsRecords, dnsRecords } from '../../core/dns/dns-records.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { relativeName } from '../../core/domains/hostname.ts';
import { isPrepared } from '../../core/domains/preparation.ts';
import { isHostedTest, shownChecks } from '../../core/domains/schedule.ts';
import { timestamp } from '../../core/instant.ts';
import type { Settings } from '../../core/settings.ts';
import type { DomainResource } from '../../schema/domain.ts';
import type { Context } from '../context.ts';
import type { CustomerAddresses } from './customer-target.ts';

/**
 * Returns a domain in the form of the API and of every event (`docs/api.md#domain`).
 * @throws TypeError for the domain of a white-label host, which no key sees.
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
 * Both are null if none of our name servers answers challenges, and for a test domain of the hosted service, which never contacts a
 * certificate authority.
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
