import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** Whether a zone's DNS provider would set the records itself (Domain Connect); links are signed when they are shown. */
export type OneClickOffer =
  | { outcome: 'offered'; provider_name: string; sync_ux_url: string }
  | { outcome: 'not_offered' }
  /** It could not be told: a time-out, or a server's own failure. */
  | { outcome: 'unknown' };

/** What a provider answered, for which zone and when. */
export type OneClickAnswer = OneClickOffer & { zone: string; asked_at: Instant };

/** Whether to ask: for a zone not asked about yet, again each day, and soon where it could not be told. */
export function isOneClickDue(known: OneClickAnswer | null, zone: string, now: Instant): boolean {
  if (known === null || known.zone !== zone) return true;
  return now - known.asked_at >= (known.outcome === 'unknown' ? 10 * MINUTE_MS : DAY_MS);
}
