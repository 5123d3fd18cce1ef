import type { ApplyTarget } from '../core/providers/domain-connect.ts';
import type { OneClickOffer } from '../core/providers/one-click.ts';

/** Setup of the DNS records by the customer's DNS provider, once the customer agrees on the provider's own page (Domain Connect). */
export interface OneClick {
  /** Asks whether the zone's DNS provider offers this setup. */
  ask(target: ApplyTarget): Promise<OneClickOffer>;
  /**
   * Returns a link signed with the current key, or null if no template has the records that the target needs.
   * @param returnUrl the page to which the DNS provider sends the customer back.
   */
  link(syncUxUrl: string, target: ApplyTarget, returnUrl: string): string | null;
}
