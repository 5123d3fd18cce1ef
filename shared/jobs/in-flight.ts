import type { AccountId } from '../core/ids.ts';

export interface InFlightLimits {
  inFlightMax: number;
  /** The limit for one account while it is alone. Otherwise it is the same fraction of what the others leave free. */
  inFlightPerAccountMax: number;
}

/**
 * Counts work in flight by account. Each may use a share of what all others leave. The more accounts wait for hanging servers, the less
 * each of them holds, so that the next one still finds capacity. Work without an account may use any free capacity.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #byAccount = new Map<AccountId, number>();
  #count = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** Returns a copy, to plan work that has not started yet. */
  copy(): InFlight {
    const copy = new InFlight(this.#limits);
    for (const [accountId, count] of this.#byAccount) copy.#byAccount.set(accountId, count);
    copy.#count = this.#count;
    return copy;
  }

  /** The accounts that may start no more work. */
  get full(): AccountId[] {
    return [...this.#byAccount.keys()].filter((accountId) => this.room(accountId) === 0);
  }

  /** Returns how much more work may start: for this account, or in total for null. */
  room(accountId: AccountId | null): number {
    const { inFlightMax, inFlightPerAccountMax } = this.#limits;
    const free = inFlightMax - this.#count;
    if (accountId === null) return Math.max(0, free);
    const own = this.#byAccount.get(accountId) ?? 0;
    return Math.max(0, Math.ceil((inFlightPerAccountMax * (free + own)) / inFlightMax) - own);
  }

  /** Adds to the count. @param change negative for work that has ended. */
  add(accountId: AccountId | null, change: number): void {
    this.#count += change;
    if (accountId === null) return;
    const own = (this.#byAccount.get(accountId) ?? 0) + change;
    if (own === 0) this.#byAccount.delete(accountId);
    else this.#byAccount.set(accountId, own);
  }
}
