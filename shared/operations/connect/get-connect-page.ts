import { shownAppName } from '../../core/apps/shown-app-name.ts';
import type { Finding } from '../../core/dns/dns-finding.ts';
import type { DnsProgress } from '../../core/dns/dns-progress.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { registrableDomain } from '../../core/domains/hostname.ts';
import { windowEndsAt } from '../../core/domains/schedule.ts';
import { unicodeHostname } from '../../core/domains/unicode-hostname.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
import { findProvider } from '../../core/providers/find-provider.ts';
import { type ProviderSteps, providerSteps } from '../../core/providers/provider-steps.ts';
import type { DomainResource } from '../../schema/domain.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findDnsCheck } from '../../store/domains/dns-checks.ts';
import { findDomainByConnectToken } from '../../store/domains/domains.ts';
import type { Context } from '../context.ts';
import { findingsOf } from '../dns/domain-findings.ts';
import { findCustomerTarget } from '../domains/customer-target.ts';
import { presentDomain } from '../domains/present-domain.ts';
import { nothingToCheck } from '../request-check.ts';
import { offersMail } from './mail-subscriptions.ts';
import { oneClickLink } from './one-click-link.ts';

/** Of a domain, what its customer may see: no ids, no metadata, no origin. */
type ShownFields =
  | 'hostname'
  | 'status'
  | 'mode'
  | 'is_apex'
  | 'dns'
  | 'connect_url'
  | 'last_checked_at'
  | 'next_check_at';

/** What the connect page shows (section 1). Instants are RFC 3339. */
export interface ConnectPage extends Pick<DomainResource, ShownFields> {
  app_name: string;
  /** The name that the customer registered: where the records are set. */
  registrable: string;
  /** The hostname as people write it, where that differs and cannot be taken for another. */
  unicode_hostname: string | null;
  now: string;
  /** Until when the record may appear. */
  window_ends_at: string;
  /** Whether visitors are served, whatever the status: there is a certificate that holds. */
  has_certificate: boolean;
  /** The most severe first. */
  findings: readonly Finding[];
  /** Null before the first check, and for a test domain, which has none. */
  progress: DnsProgress | null;
  /** What to do at the customer's DNS provider. */
  guide: ProviderSteps;
  /** Where the provider sets the records itself, after a consent on its own pages. */
  one_click_url: string | null;
  /** Whether "check again" has something to check. */
  checkable: boolean;
  /** Whether a mail can be promised. */
  offers_mail: boolean;
}

/** By the page's own 128-bit token, never by the domain's id; deleted ones included, whose page says so. */
export async function getConnectPage(context: Context, connect_token: string): Promise<ConnectPage | null> {
  const domain = await findDomainByConnectToken(context.store, connect_token);
  if (domain === null) return null;
  const app = await getApp(context.store, domain.app_id);
  const check = await findDnsCheck(context.store, domain.id);
  const target = await findCustomerTarget(context, app);
  const shown = shownFields(presentDomain(context, target, domain));
  const now = context.clock.now();
  return {
    ...shown,
    app_name: shownAppName(app.name),
    registrable: registrableDomain(domain.hostname) ?? domain.hostname,
    unicode_hostname: unicodeHostname(domain.hostname),
    now: timestamp(now),
    window_ends_at: timestamp(windowEndsAt(domain)),
    has_certificate: isServed(domain, now),
    findings: findingsOf(domain, check?.findings ?? []),
    progress: check?.progress ?? null,
    guide: providerSteps(findProvider(check?.name_servers ?? []), shown.dns, domain.hostname),
    one_click_url: oneClickLink(context, target, domain, check?.one_click ?? null),
    checkable: nothingToCheck(domain) === null,
    offers_mail: offersMail(context, domain),
  };
}

function shownFields(domain: DomainResource): Pick<DomainResource, ShownFields> {
  const { hostname, status, mode, is_apex, dns, connect_url, last_checked_at, next_check_at } = domain;
  return { hostname, status, mode, is_apex, dns, connect_url, last_checked_at, next_check_at };
}

function isServed({ status, certificate }: Domain, now: Instant): boolean {
  return status !== 'held' && status !== 'deleted' && certificate !== null && now < certificate.not_after;
}
