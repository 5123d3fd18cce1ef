import { type Brand, shownAppName } from '../../core/apps/brand.ts';
import type { Finding } from '../../core/dns/dns-finding.ts';
import type { DnsProgress } from '../../core/dns/dns-progress.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { lookAlikeHostname, registrableDomain, unicodeHostname } from '../../core/domains/hostname.ts';
import { runsOnTimer, windowEndsAt } from '../../core/domains/schedule.ts';
import type { AppId } from '../../core/ids.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
import type { ApplyTarget, OneClickAnswer } from '../../core/providers/domain-connect.ts';
import type { Provider } from '../../core/providers/provider.ts';
import { findProvider, namedProvider } from '../../core/providers/providers.ts';
import type { Settings } from '../../core/settings.ts';
import type { DomainResource } from '../../schema/domain.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findSubscriptionByToken } from '../../store/accounts/mail-subscriptions.ts';
import { findDnsCheck } from '../../store/domains/dns-checks.ts';
import { findDomainByConnectToken } from '../../store/domains/domains.ts';
import type { Context } from '../context.ts';
import { findingsOf } from '../dns/present-diagnosis.ts';
import { type CustomerAddresses, findCustomerAddresses } from '../domains/customer-target.ts';
import { presentDomain, recordsOf } from '../domains/present-domain.ts';
import { nothingToCheck } from '../request-check.ts';
import { offersMail } from './mail-subscriptions.ts';

/** The fields of a domain that the customer may read: no ids, no metadata, no origin. */
type ShownFields =
  | 'hostname'
  | 'status'
  | 'mode'
  | 'is_apex'
  | 'dns'
  | 'ready_to_switch'
  | 'connect_url'
  | 'last_checked_at'
  | 'next_check_at';

/** The data of the connect page (`docs/api.md#the-service`). Times are RFC 3339. */
export interface ConnectPage extends Pick<DomainResource, ShownFields> {
  app_name: string;
  brand: Brand;
  /** The registrable domain, at whose DNS provider the customer sets the records. */
  registrable: string;
  /** The hostname in Unicode. Null if the Unicode form equals the ASCII form or could be mistaken for another name. */
  unicode_hostname: string | null;
  /** The hostname in Unicode, if it could be mistaken for another name. Null otherwise. */
  look_alike_hostname: string | null;
  now: string;
  /** When the setup expires if the record has not appeared by then. */
  window_ends_at: string;
  /** Whether the domain got a new TXT value because the hostname went live with another app. */
  has_new_proof: boolean;
  /** Whether the edge serves visitors with a valid certificate, whatever the domain's status is. */
  has_certificate: boolean;
  /** The most severe finding comes first. */
  findings: readonly Finding[];
  /** The progress of the DNS setup. Null before the first check, and for a test domain, whose DNS is never checked. */
  progress: DnsProgress | null;
  /** The customer's DNS provider. Null if it is not known. */
  provider: Provider | null;
  /** The link to the DNS provider's consent page (Domain Connect). Null if the provider cannot set the records itself. */
  one_click_url: string | null;
  /** Whether "Check now" would do anything in the domain's status. */
  checkable: boolean;
  /** Whether the page can offer to send a mail. */
  offers_mail: boolean;
}

/** Returns the data of a connect page, or null if the token is unknown. The page of a deleted domain says that it was deleted. */
export async function getConnectPage(
  context: Context,
  connectToken: string,
  lang: string | null = null,
): Promise<ConnectPage | null> {
  const domain = await findDomainByConnectToken(context.store, connectToken);
  if (domain === null || domain.mode === 'host') return null;
  const app = await getApp(context.store, domain.app_id);
  const check = await findDnsCheck(context.store, domain.id);
  const addresses = await findCustomerAddresses(context, app);
  const shown = shownFields(presentDomain(context, addresses, domain));
  const now = context.clock.now();
  return {
    ...shown,
    app_name: shownAppName(app.name),
    brand: {
      brand_color: app.brand_color,
      brand_logo: app.brand_logo,
      support_url: app.support_url,
      return_url: app.return_url,
    },
    registrable: registrableDomain(domain.hostname) ?? domain.hostname,
    unicode_hostname: unicodeHostname(domain.hostname),
    look_alike_hostname: lookAlikeHostname(domain.hostname),
    now: timestamp(now),
    window_ends_at: timestamp(windowEndsAt(domain)),
    has_new_proof: domain.retired_at !== null && domain.retired_at > domain.created_at,
    has_certificate: isServed(domain, now),
    findings: findingsOf(domain, check?.findings ?? []),
    progress: check?.progress ?? null,
    provider: runsOnTimer(domain, context.settings)
      ? (namedProvider(domain.hostname) ?? findProvider(check?.name_servers ?? []))
      : findProvider(check?.name_servers ?? []),
    one_click_url: oneClickLink(context, addresses, domain, check?.one_click ?? null, lang),
    checkable: nothingToCheck(domain) === null,
    offers_mail: offersMail(context, domain),
  };
}

function shownFields(domain: DomainResource): Pick<DomainResource, ShownFields> {
  const { hostname, status, mode, is_apex, dns, ready_to_switch } = domain;
  const { connect_url, last_checked_at, next_check_at } = domain;
  return {
    hostname,
    status,
    mode,
    is_apex,
    dns,
    ready_to_switch,
    connect_url,
    last_checked_at,
    next_check_at,
  };
}

function isServed({ status, certificate }: Domain, now: Instant): boolean {
  return status !== 'held' && status !== 'deleted' && certificate !== null && now < certificate.not_after;
}

/** Returns the app of a token from the URL of a connect page, or from a link in a mail. Null if the token is unknown. */
export async function findTokenOwner({ store }: Context, token: string): Promise<AppId | null> {
  const owner =
    (await findDomainByConnectToken(store, token)) ?? (await findSubscriptionByToken(store, token));
  return owner?.app_id ?? null;
}

/** Returns the records of a domain that the DNS provider is asked to set. */
export function applyTarget(
  settings: Settings,
  addresses: CustomerAddresses,
  domain: Domain,
  zone: string,
): ApplyTarget {
  return {
    hostname: domain.hostname,
    zone,
    dns: recordsOf(settings, addresses, domain),
    edgeZone: settings.edgeZone,
  };
}

/**
 * Returns a freshly signed link that lets the DNS provider set the records itself, or null if the provider does not offer that.
 * @param lang the language that the visitor has chosen, if any. The page has the same language when the provider sends the visitor back.
 */
export function oneClickLink(
  { oneClick, settings }: Context,
  addresses: CustomerAddresses,
  domain: Domain,
  answer: OneClickAnswer | null,
  lang: string | null,
): string | null {
  if (oneClick === null || answer?.outcome !== 'offered') return null;
  const returned = new URLSearchParams({ ...(lang !== null && { lang }), notice: 'provider_returned' });
  const returnUrl = `${settings.baseUrl}/connect/${domain.connect_token}?${returned}`;
  return oneClick.link(answer.sync_ux_url, applyTarget(settings, addresses, domain, answer.zone), returnUrl);
}
