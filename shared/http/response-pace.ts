import type { Instant } from '../core/instant.ts';

export interface PaceRules {
  /** Responses that are sent at once, and a second from then on. */
  burst: number;
  perSecond: number;
  delayMsMax: number;
}

const PARTIES_MAX = 50_000;

/**
 * Spaces out responses that would otherwise be asked for as fast as they come, such as refusals. A client waits for a response before it
 * sends the next request, so a delay costs a connection where a refusal at full speed costs the processor (a leaky bucket, as GCRA).
 * @returns for a party, how long its response should wait, in milliseconds.
 */
export function createResponsePace({ burst, perSecond, delayMsMax }: PaceRules) {
  const spacingMs = 1000 / perSecond;
  // When each party's next response is due without a burst, in the order of their last use.
  const dueAt = new Map<string, number>();
  return function delayOf(party: string, now: Instant): number {
    const earliest = Math.max(now, dueAt.get(party) ?? now);
    const delayMs = Math.min(delayMsMax, Math.max(0, earliest - burst * spacingMs - now));
    dueAt.delete(party);
    // What is beyond the longest delay is forgiven: a party that stops is served at once again after that.
    dueAt.set(party, Math.min(earliest + spacingMs, now + burst * spacingMs + delayMsMax));
    const [oldest] = dueAt.keys();
    if (dueAt.size > PARTIES_MAX && oldest !== undefined) dueAt.delete(oldest);
    return delayMs;
  };
}
