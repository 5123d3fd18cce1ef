import type { AppId } from '../core/ids.ts';

export interface InFlightLimits {
  inFlightMax: number;
  /** The limit for one app while it is alone. Otherwise it is the same fraction of what the other apps leave free. */
  inFlightPerAppMax: number;
}

/**
 * Counts work in flight by app. Each app may use a share of what all others leave. The more apps wait for a hanging server, the less each
 * of them holds, so that the next app still finds capacity. Work without an app may use any free capacity.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #byApp = new Map<AppId, number>();
  #count = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** Returns a copy, to plan work that has not started yet. */
  copy(): InFlight {
    const copy = new InFlight(this.#limits);
    for (const [appId, count] of this.#byApp) copy.#byApp.set(appId, count);
    copy.#count = this.#count;
    return copy;
  }

  /** The apps with work in flight. */
  get apps(): AppId[] {
    return [...this.#byApp.keys()];
  }

  /** Returns how much more work may start: for this app, or in total if the app is null. */
  room(appId: AppId | null): number {
    const { inFlightMax, inFlightPerAppMax } = this.#limits;
    const free = inFlightMax - this.#count;
    if (appId === null) return Math.max(0, free);
    const own = this.#byApp.get(appId) ?? 0;
    return Math.max(0, Math.ceil((inFlightPerAppMax * (free + own)) / inFlightMax) - own);
  }

  /** Adds to the count. @param change negative for work that has ended. */
  add(appId: AppId | null, change: number): void {
    this.#count += change;
    if (appId === null) return;
    const own = (this.#byApp.get(appId) ?? 0) + change;
    if (own === 0) this.#byApp.delete(appId);
    else this.#byApp.set(appId, own);
  }
}
