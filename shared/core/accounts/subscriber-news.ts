import type { Status } from '../domains/status.ts';
import { DAY_MS, type Instant } from '../instant.ts';

/** The news that a subscriber of a connect page has had. */
export interface SubscriberNews {
  confirmed_at: Instant | null;
  /** The latest news that was sent; null for none. */
  told: 'live' | 'broken' | null;
  /** When the latest mail about a broken connection was sent. */
  broken_at: Instant | null;
}

/**
 * Returns the mail that is due. A connection that breaks again and again causes one mail a day about that, and one about the recovery.
 * @returns null if the subscriber knows the state of the domain.
 */
export function newsDue(
  { confirmed_at, told, broken_at }: SubscriberNews,
  status: Status,
  now: Instant,
): 'confirm' | 'live' | 'broken' | null {
  if (confirmed_at === null) return 'confirm';
  if (status === 'active') return told === 'live' ? null : 'live';
  if (status !== 'dns_broken' || told !== 'live') return null;
  return broken_at === null || now - broken_at >= DAY_MS ? 'broken' : null;
}
