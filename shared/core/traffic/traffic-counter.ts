import { HOUR_MS, type Instant } from '../instant.ts';
import { addTraffic, noTraffic, type TrafficCounts } from './traffic-counts.ts';
import { startOf } from './traffic-range.ts';

/** The owner of counted requests. */
export interface TrafficOwner {
  domain_id: string;
  app_id: string;
}

/** The sums of an hour. */
export interface HourOfTraffic {
  hour: Instant;
  domains: Map<string, TrafficCounts>;
  /** The sums of each app for requests whose domain had no room. */
  apps: Map<string, TrafficCounts>;
}

export interface TrafficCounterLimits {
  /** Sums by domain and hour. An app may use half of what the other apps leave free, so that there is always room for another one. */
  domainsMax: number;
  /** Sums by app and hour. Beyond it, requests are not counted. */
  appsMax: number;
}

const LIMITS: TrafficCounterLimits = { domainsMax: 40_000, appsMax: 20_000 };

/**
 * Adds up the traffic of domains in bounded memory until `take` removes the sums. A domain beyond the limit counts only towards its app
 * (`decisions/0059`).
 */
export class TrafficCounter {
  readonly #limits: TrafficCounterLimits;
  #hours: HourOfTraffic[] = [];
  /** The hour that was used last. */
  #latest: HourOfTraffic | null = null;
  #domains = 0;
  #apps = 0;
  readonly #domainsOf = new Map<string, number>();
  #lost = 0;

  constructor(limits: TrafficCounterLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Number of sums that had no room since the start. */
  get lost(): number {
    return this.#lost;
  }

  /** Returns the sum to which the requests of a domain that end now are added. Do not keep it. */
  sumFor(owner: TrafficOwner, now: Instant): TrafficCounts {
    const latest = this.#latest;
    const isCurrent = latest !== null && now >= latest.hour && now < latest.hour + HOUR_MS;
    const hour = isCurrent ? latest : this.#hourOf(now);
    return hour.domains.get(owner.domain_id) ?? this.#newSum(hour, owner);
  }

  /** Adds counts that another program made. */
  add(owner: TrafficOwner, at: Instant, counts: ArrayLike<number>): void {
    addTraffic(this.sumFor(owner, at), counts);
  }

  /** Adds counts of an app whose domain the other program does not say. */
  addToApp(appId: string, at: Instant, counts: ArrayLike<number>): void {
    addTraffic(this.#sumOfApp(this.#hourOf(at), appId), counts);
  }

  /** Removes and returns all sums, one entry for each hour, oldest first. */
  take(): HourOfTraffic[] {
    const taken = this.#hours.toSorted((a, b) => a.hour - b.hour);
    this.#hours = [];
    this.#latest = null;
    this.#domains = 0;
    this.#apps = 0;
    this.#domainsOf.clear();
    return taken;
  }

  #hourOf(now: Instant): HourOfTraffic {
    const start = startOf(now, HOUR_MS);
    let hour = this.#hours.find((each) => each.hour === start);
    if (hour === undefined) {
      hour = { hour: start, domains: new Map(), apps: new Map() };
      this.#hours.push(hour);
    }
    this.#latest = hour;
    return hour;
  }

  #newSum(hour: HourOfTraffic, { domain_id, app_id }: TrafficOwner): TrafficCounts {
    const own = this.#domainsOf.get(app_id) ?? 0;
    // The domains of all apps, and those of this app once more.
    if (this.#domains + own >= this.#limits.domainsMax) return this.#sumOfApp(hour, app_id);
    this.#domains += 1;
    this.#domainsOf.set(app_id, own + 1);
    const sum = noTraffic();
    hour.domains.set(domain_id, sum);
    return sum;
  }

  #sumOfApp({ apps }: HourOfTraffic, appId: string): TrafficCounts {
    const known = apps.get(appId);
    if (known !== undefined) return known;
    const sum = noTraffic();
    if (this.#apps >= this.#limits.appsMax) {
      this.#lost += 1;
      return sum;
    }
    this.#apps += 1;
    apps.set(appId, sum);
    return sum;
  }
}
