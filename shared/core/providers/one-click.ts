import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** Whether a zone's DNS provider can set the records itself (Domain Connect). Links are signed when a page shows them. */
export type OneClickOffer =
  | { outcome: 'offered'; provider_name: string; sync_ux_url: string }
  | { outcome: 'not_offered' }
  /** Not known: a timeout, or a failure of a server. */
  | { outcome: 'unknown' };

/** The last result for a zone, and when it was asked for. */
export type OneClickAnswer = OneClickOffer & { zone: string; askedAt: Instant };

/** Returns true if the provider should be asked: for a new zone, a day after a result, and 10 minutes after an unknown one. */
export function isOneClickDue(known: OneClickAnswer | null, zone: string, now: Instant): boolean {
  if (known === null || known.zone !== zone) return true;
  return now - known.askedAt >= (known.outcome === 'unknown' ? 10 * MINUTE_MS : DAY_MS);
}
