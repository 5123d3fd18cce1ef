import type { Instant } from '../core/instant.ts';

export interface PaceRules {
  /** Number of responses that are sent at once before the pace applies. */
  burst: number;
  perSecond: number;
  delayMsMax: number;
}

const PARTIES_MAX = 50_000;

/**
 * Spaces out responses that clients could request without pause, such as refusals (a leaky bucket, as in GCRA). A client waits for a
 * response before it sends its next request. So a delayed refusal occupies one of the client's connections, whereas a fast one would let it
 * cause the next refusal at once.
 * @returns a function that returns the delay of a party's response, in milliseconds.
 */
export function createResponsePace({ burst, perSecond, delayMsMax }: PaceRules) {
  const spacingMs = 1000 / perSecond;
  // When each party's next response would be due without a burst. Ordered by last use.
  const dueAt = new Map<string, number>();
  return function delayOf(party: string, now: Instant): number {
    const earliest = Math.max(now, dueAt.get(party) ?? now);
    const delayMs = Math.min(delayMsMax, Math.max(0, earliest - burst * spacingMs - now));
    dueAt.delete(party);
    // A debt beyond the longest delay is forgiven, so a party that pauses is served at once afterwards.
    dueAt.set(party, Math.min(earliest + spacingMs, now + burst * spacingMs + delayMsMax));
    const [oldest] = dueAt.keys();
    if (dueAt.size > PARTIES_MAX && oldest !== undefined) dueAt.delete(oldest);
    return delayMs;
  };
}
