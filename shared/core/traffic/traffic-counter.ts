import { HOUR_MS, type Instant } from '../instant.ts';
import { addTraffic, noTraffic, type TrafficCounts } from './traffic-counts.ts';
import { startOf } from './traffic-range.ts';

/** The domain whose requests are counted, and its app. */
export interface TrafficOwner {
  domain_id: string;
  app_id: string;
}

/** The counts of an hour, by domain and by app. */
export interface HourOfTraffic {
  hour: Instant;
  domains: Map<string, TrafficCounts>;
  /** The counts of each app for domains that got no counts of their own, because the limit was reached. */
  apps: Map<string, TrafficCounts>;
}

export interface TrafficCounterLimits {
  /**
   * Maximum number of counts by domain and hour. An app may use half of what the other apps leave free, so that there is always room for
   * another app.
   */
  domainsMax: number;
  /** Maximum number of counts by app and hour. Requests beyond this limit are not counted. */
  appsMax: number;
}

const LIMITS: TrafficCounterLimits = { domainsMax: 40_000, appsMax: 20_000 };

export type TrafficCounter = ReturnType<typeof createTrafficCounter>;

/**
 * Adds up the traffic of domains in bounded memory until `take` removes the counts. The requests of a domain beyond the limit are counted
 * only for its app (`decisions/0059`).
 */
export function createTrafficCounter(limits: TrafficCounterLimits = LIMITS) {
  let hours: HourOfTraffic[] = [];
  /** The hour of the latest request. */
  let latest: HourOfTraffic | null = null;
  let domainSums = 0;
  let appSums = 0;
  const domainsOf = new Map<string, number>();
  let lost = 0;

  /** Returns the counts to which a domain's current requests are added. Do not store the result, because `take` replaces it. */
  function sumFor(owner: TrafficOwner, now: Instant): TrafficCounts {
    const hour = latest && now >= latest.hour && now < latest.hour + HOUR_MS ? latest : hourOf(now);
    return hour.domains.get(owner.domain_id) ?? newSum(hour, owner);
  }

  function hourOf(now: Instant): HourOfTraffic {
    const start = startOf(now, HOUR_MS);
    let hour = hours.find((each) => each.hour === start);
    if (hour === undefined) {
      hour = { hour: start, domains: new Map(), apps: new Map() };
      hours.push(hour);
    }
    latest = hour;
    return hour;
  }

  function newSum(hour: HourOfTraffic, { domain_id, app_id }: TrafficOwner): TrafficCounts {
    const own = domainsOf.get(app_id) ?? 0;
    // The app's own domains count twice, so that an app can use at most half of what the others leave free.
    if (domainSums + own >= limits.domainsMax) return sumOfApp(hour, app_id);
    domainSums += 1;
    domainsOf.set(app_id, own + 1);
    const sum = noTraffic();
    hour.domains.set(domain_id, sum);
    return sum;
  }

  function sumOfApp({ apps }: HourOfTraffic, appId: string): TrafficCounts {
    const known = apps.get(appId);
    if (known !== undefined) return known;
    const sum = noTraffic();
    if (appSums >= limits.appsMax) {
      lost += 1;
      return sum;
    }
    appSums += 1;
    apps.set(appId, sum);
    return sum;
  }

  return {
    sumFor,

    /** Number of times since the start that an app got no counts, because the limit was reached. */
    get lost(): number {
      return lost;
    },

    /** Adds counts that another program made. */
    add: (owner: TrafficOwner, at: Instant, counts: ArrayLike<number>): void =>
      addTraffic(sumFor(owner, at), counts),

    /** Adds an app's counts that another program made without separating them by domain. */
    addToApp: (appId: string, at: Instant, counts: ArrayLike<number>): void =>
      addTraffic(sumOfApp(hourOf(at), appId), counts),

    /** Removes and returns all counts, one entry for each hour, the oldest first. */
    take(): HourOfTraffic[] {
      const taken = hours.toSorted((a, b) => a.hour - b.hour);
      hours = [];
      latest = null;
      domainSums = 0;
      appSums = 0;
      domainsOf.clear();
      return taken;
    },
  };
}
