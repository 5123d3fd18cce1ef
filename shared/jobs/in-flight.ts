import type { AppId } from '../core/ids.ts';

export interface InFlightLimits {
  in_flight_max: number;
  /** Of one app while nothing else is in flight; it gets the same share of what the others leave. */
  in_flight_per_app_max: number;
}

/**
 * Counts what is in flight, by app. An app may have its share of what all others leave: the more of them wait for a server that
 * hangs, the less each of them holds, and the next app still finds room. What belongs to no app has room wherever there is any.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #by_app = new Map<AppId, number>();
  #count = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** To reckon with what is not in flight yet. */
  copy(): InFlight {
    const copy = new InFlight(this.#limits);
    for (const [app_id, count] of this.#by_app) copy.#by_app.set(app_id, count);
    copy.#count = this.#count;
    return copy;
  }

  /** Apps with something in flight. */
  get apps(): AppId[] {
    return [...this.#by_app.keys()];
  }

  /** How many more there may be: of this app, or of none. */
  room(app_id: AppId | null): number {
    const { in_flight_max, in_flight_per_app_max } = this.#limits;
    const free = in_flight_max - this.#count;
    if (app_id === null) return Math.max(0, free);
    const own = this.#by_app.get(app_id) ?? 0;
    return Math.max(0, Math.ceil((in_flight_per_app_max * (free + own)) / in_flight_max) - own);
  }

  /** @param change negative for what has ended. */
  add(app_id: AppId | null, change: number): void {
    this.#count += change;
    if (app_id === null) return;
    const own = (this.#by_app.get(app_id) ?? 0) + change;
    if (own === 0) this.#by_app.delete(app_id);
    else this.#by_app.set(app_id, own);
  }
}
