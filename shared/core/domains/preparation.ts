import { isValid } from '../certificates/certificate.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts';
import type { Domain } from './domain.ts';
import { isAwaitingDns } from './status.ts';

/** When to look for the proof that permits a certificate before the record leads to us (`docs/moving-in.md`). */

interface Band {
  /** When the band ends, counted from the opening of the window. */
  untilMs: number;
  everyMs: number;
}

const LOOKS: readonly Band[] = [
  { untilMs: 10 * MINUTE_MS, everyMs: MINUTE_MS },
  { untilMs: DAY_MS, everyMs: 15 * MINUTE_MS },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: HOUR_MS },
];

/** Returns when to look again for a proof that was missing. */
export function nextProofCheckAt(
  { window_opened_at }: Pick<Domain, 'window_opened_at'>,
  now: Instant,
): Instant {
  const { everyMs } = LOOKS.find(({ untilMs }) => now - window_opened_at < untilMs) ?? { everyMs: HOUR_MS };
  return now + everyMs;
}

/** How often to check that a proof still exists. */
const PROOF_CHECK_MS = DAY_MS;

/** Returns when to look again at a proof that exists. @param lacksWww whether `www` is still to be added to the certificate. */
export function nextPreparedCheckAt(
  domain: Pick<Domain, 'window_opened_at'>,
  lacksWww: boolean,
  now: Instant,
): Instant {
  return lacksWww ? nextProofCheckAt(domain, now) : now + PROOF_CHECK_MS;
}

/** How long a domain waits for its switch while the proof exists. */
export const PREPARED_MS_MAX = 90 * DAY_MS;

/**
 * Returns a new start of the 72 hours for a domain whose proof exists. The start is a day ago. So the window is still open at the next
 * check of the proof, and the record is checked no more often than on a second day.
 */
export function windowWhileProven(
  { window_opened_at, status_since }: Pick<Domain, 'window_opened_at' | 'status_since'>,
  now: Instant,
): Instant {
  return now - status_since < PREPARED_MS_MAX ? Math.max(window_opened_at, now - DAY_MS) : window_opened_at;
}

/** Returns whether the domain has a certificate although its record is not confirmed: `ready_to_switch` of `docs/api.md#domain`. */
export function isPrepared(
  { status, certificate }: Pick<Domain, 'status' | 'certificate'>,
  now: Instant,
): boolean {
  return isAwaitingDns(status) && isValid(certificate, now);
}
