import type { AccountId } from '../core/ids.ts';

export interface InFlightLimits {
  inFlightMax: number;
  /** The limit for one account while it is alone. Otherwise it is the same fraction of what the others leave free. */
  inFlightPerAccountMax: number;
}

/** Counts of work in flight by account. */
export interface InFlight {
  /** The accounts that may start no more work. */
  readonly full: AccountId[];
  /** Returns a copy, to plan work that has not started yet. */
  copy(): InFlight;
  /** Returns how much more work may start: for this account, or in total for null. */
  room(accountId: AccountId | null): number;
  /** Adds to the count. @param change negative for work that has ended. */
  add(accountId: AccountId | null, change: number): void;
}

/**
 * Counts work in flight by account. Each may use a share of what all others leave. The more accounts wait for hanging servers, the less
 * each of them holds, so that the next one still finds capacity. Work without an account may use any free capacity.
 * @param counts the work already in flight. Work without an account has the key null.
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
