import type { Domain } from '../../core/domains/domain.ts';
import type { ApplyTarget, OneClickAnswer } from '../../core/providers/domain-connect.ts';
import type { Settings } from '../../core/settings.ts';
import type { Context } from '../context.ts';
import type { CustomerAddresses } from '../domains/customer-target.ts';
import { recordsOf } from '../domains/present-domain.ts';

/** Returns the records that a domain asks its DNS provider to set. */
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
 * @param lang the visitor's chosen language, if any. The page keeps it when the provider sends the visitor back.
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
