import type { EdgeRoute, KnownRoute } from '../../core/edge/edge-route.ts';
import type { Instant } from '../../core/instant.ts';

/**
 * Stores routes by hostname, compactly enough to fit a million routes into memory. Fields that the domains of an app share are stored once.
 * A lookup combines them with the hostname's own fields.
 */
export class RouteStorage {
  readonly #records = new Map<string, RouteRecord>();
  readonly #shared = new Map<string, SharedRoute>();
  /** The latest shared fields of each app, which most of its hostnames use. */
  readonly #newest = new Map<string, SharedRoute>();
  #unreadable = 0;
  /** During a full read, the hostnames that were stored before and have not been set again yet. */
  #leftovers = new Set<string>();

  get size(): number {
    return this.#records.size;
  }

  has(hostname: string): boolean {
    return this.#records.has(hostname);
  }

  get(hostname: string): KnownRoute | undefined {
    const record = this.#records.get(hostname);
    if (record === undefined) return undefined;
    const { to, redirectsWww } = record.shared;
    const route =
      to === null || typeof to === 'string' ? to : { domain_id: record.domainId, hostname, ...to };
    return { route, redirectsWww, changesAt: record.changesAtS * 1000 || null };
  }

  /** Returns the number of stored routes that cannot be read. */
  get unreadable(): number {
    return this.#unreadable;
  }

  set(hostname: string, { route, redirectsWww, changesAt }: KnownRoute): void {
    const shared = this.#take(route, redirectsWww);
    const domainId = route === null || typeof route === 'string' ? '' : route.domain_id;
    const record = { domainId, shared, changesAtS: Math.floor((changesAt ?? 0) / 1000) };
    this.#leftovers.delete(hostname);
    const before = this.#records.get(hostname);
    if (before === undefined) {
      this.#records.set(hostname, record);
      return;
    }
    this.#release(before.shared);
    Object.assign(before, record);
  }

  delete(hostname: string): void {
    const record = this.#records.get(hostname);
    if (record === undefined) return;
    this.#records.delete(hostname);
    this.#leftovers.delete(hostname);
    this.#release(record.shared);
  }

  /** Begins to replace all routes. Call `set` for each route, then `endReading`. */
  beginReading(): void {
    this.#leftovers = new Set(this.#records.keys());
  }

  /** Deletes the hostnames that have not been set since `beginReading`. */
  endReading(): void {
    for (const hostname of this.#leftovers) this.delete(hostname);
  }

  /** Yields each hostname whose route will change at a known time, and that time. */
  *moments(): Generator<[hostname: string, changesAt: Instant]> {
    for (const [hostname, { changesAtS }] of this.#records)
      if (changesAtS > 0) yield [hostname, changesAtS * 1000];
  }

  #take(route: KnownRoute['route'], redirectsWww: boolean): SharedRoute {
    const shared = this.#find(route, redirectsWww);
    shared.uses += 1;
    this.#newest.set(shared.appId, shared);
    if (shared.to === 'unreadable') this.#unreadable += 1;
    return shared;
  }

  #find(route: KnownRoute['route'], redirectsWww: boolean): SharedRoute {
    const appId = route === null || typeof route === 'string' ? '' : route.app_id;
    const newest = this.#newest.get(appId);
    if (newest?.redirectsWww === redirectsWww && isSame(newest.to, route)) return newest;
    const to = sharedPartOf(route);
    const key = JSON.stringify([to, redirectsWww]);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const shared = { to, redirectsWww, appId, key, uses: 0 };
    this.#shared.set(key, shared);
    return shared;
  }

  #release(shared: SharedRoute): void {
    shared.uses -= 1;
    if (shared.to === 'unreadable') this.#unreadable -= 1;
    if (shared.uses > 0) return;
    this.#shared.delete(shared.key);
    if (this.#newest.get(shared.appId) === shared) this.#newest.delete(shared.appId);
  }
}

interface RouteRecord {
  /** Empty if the hostname is not routed to a domain. */
  domainId: string;
  shared: SharedRoute;
  /** The time of the next change in whole seconds, rounded down, because a small integer takes no extra memory. 0 if there is none. */
  changesAtS: number;
}

/** The fields of a route that many hostnames share. */
interface SharedRoute {
  to: SharedPart | 'held' | 'unreadable' | null;
  redirectsWww: boolean;
  /** Empty if the route belongs to no app. */
  appId: string;
  key: string;
  /** Number of hostnames that use these fields. */
  uses: number;
}

type SharedPart = Omit<EdgeRoute, 'domain_id' | 'hostname'>;

function sharedPartOf(route: KnownRoute['route']): SharedRoute['to'] {
  if (route === null || typeof route === 'string') return route;
  const { domain_id, hostname, ...shared } = route;
  return shared;
}

function isSame(shared: SharedRoute['to'], route: KnownRoute['route']): boolean {
  if (shared === null || typeof shared === 'string' || route === null || typeof route === 'string') {
    return shared === route;
  }
  for (const field in shared) {
    const [one, other] = [shared[field as keyof SharedPart], route[field as keyof SharedPart]];
    if (one !== other && JSON.stringify(one) !== JSON.stringify(other)) return false;
  }
  return true;
}
