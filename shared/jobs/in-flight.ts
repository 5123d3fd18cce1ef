import type { AccountId } from '../core/ids.ts';

export interface InFlightLimits {
  inFlightMax: number;
  /**
   * The limit for one account if no other account has work in flight. Otherwise, the limit shrinks in proportion to the capacity that the
   * other accounts leave free.
   */
  inFlightPerAccountMax: number;
}

/** The number of running jobs or deliveries, by account. */
export interface InFlight {
  /** The accounts that have reached their limit. */
  readonly full: AccountId[];
  /** Returns a copy of the counts, to plan work without starting it. */
  copy(): InFlight;
  /** Returns how many more jobs or deliveries of an account may start. For null, returns how many may start in total. */
  room(accountId: AccountId | null): number;
  /** Adds to the count of an account. @param change negative for work that has ended. */
  add(accountId: AccountId | null, change: number): void;
}

/**
 * Counts work in flight by account. Each account may use a fraction of the capacity that all others leave free. If more accounts wait for
 * slow servers, each of them gets less capacity, so that some capacity remains for the next account. Work without an account may use any
 * free capacity.
 * @param counts the number of running jobs or deliveries, by account. The key is null for work without an account.
 */
export function createInFlight(
  limits: InFlightLimits,
  counts = new Map<AccountId | null, number>(),
): InFlight {
  const { inFlightMax, inFlightPerAccountMax } = limits;
  let total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const room = (accountId: AccountId | null): number => {
    const free = inFlightMax - total;
    if (accountId === null) return Math.max(0, free);
    const own = counts.get(accountId) ?? 0;
    return Math.max(0, Math.ceil((inFlightPerAccountMax * (free + own)) / inFlightMax) - own);
  };
  return {
    room,
    get full() {
      const accountIds = [...counts.keys()].filter((accountId) => accountId !== null);
      return accountIds.filter((accountId) => room(accountId) === 0);
    },
    copy: () => createInFlight(limits, new Map(counts)),
    add(accountId, change) {
      total += change;
      const own = (counts.get(accountId) ?? 0) + change;
      if (own === 0) counts.delete(accountId);
      else counts.set(accountId, own);
    },
  };
}
