import { coveringHolds } from '../../core/domains/hostname.ts';
import {
  type FoundRoute,
  findRouteOf,
  followRoute,
  type KnownRoute,
  redirectingApex,
} from '../../core/edge/edge-route.ts';
import type { Instant } from '../../core/instant.ts';
import { RouteStorage } from './route-storage.ts';

/** The routes of all hostnames, in memory, so that an edge can serve them while the database is unavailable. */
export class RouteTable {
  readonly #routes = new RouteStorage();
  #holds = new Set<string>();
  /** The earliest time at which a route has to be read again. */
  #nextChangeAt: Instant = Infinity;

  /** Finds the route of a hostname for an edge. @throws UnreadableRouteError */
  readonly find = (hostname: string): FoundRoute =>
    findRouteOf(hostname, this.#isHeld(hostname), this.#known);

  /** Returns true if the hostname has no route, because no domain with a valid certificate has it. Ignores holds by the operator. */
  leadsNowhere(hostname: string): boolean {
    return followRoute(hostname, this.#known) === null;
  }

  /** Returns true if a domain has the hostname or redirects from it, so that a certificate for the hostname may exist or be ordered. */
  isOwned(hostname: string): boolean {
    return this.#routes.has(hostname) || redirectingApex(hostname, this.#known) !== undefined;
  }

  /** Returns whether a domain has the hostname. */
  has(hostname: string): boolean {
    return this.#routes.has(hostname);
  }

  /** Number of stored hostnames. */
  get size(): number {
    return this.#routes.size;
  }

  /** Number of stored routes that cannot be read. */
  get unreadable(): number {
    return this.#routes.unreadable;
  }

  /** Stores the route of a hostname. @param known null if the hostname no longer has a domain. */
  set(hostname: string, known: KnownRoute | null): void {
    if (known === null) this.#routes.delete(hostname);
    else this.#routes.set(hostname, known);
    this.#nextChangeAt = Math.min(this.#nextChangeAt, known?.changesAt ?? Infinity);
  }

  /** Begins to read all routes again. Each stored route stays in use until it is set again. */
  beginReading(): void {
    this.#routes.beginReading();
  }

  /** Deletes the hostnames that have not been set since `beginReading`, because they no longer have a domain. */
  endReading(): void {
    this.#routes.endReading();
  }

  /** Replaces all holds. @param holds exact names, and `*.name` for all names below. */
  setHolds(holds: Iterable<string>): void {
    this.#holds = new Set(holds);
  }

  /** Adds or removes a hold. @param hostname an exact name, or `*.name` for all names below. */
  setHold(hostname: string, held: boolean): void {
    if (held) this.#holds.add(hostname);
    else this.#holds.delete(hostname);
  }

  /** Returns the hostnames whose routes have to be read again. Their stored routes stay in use until then. */
  due(now: Instant): string[] {
    if (now < this.#nextChangeAt) return [];
    const due: string[] = [];
    this.#nextChangeAt = Infinity;
    for (const [hostname, changesAt] of this.#routes.moments()) {
      this.#nextChangeAt = Math.min(this.#nextChangeAt, changesAt);
      if (changesAt <= now) due.push(hostname);
    }
    return due;
  }

  readonly #known = (hostname: string): KnownRoute | undefined => this.#routes.get(hostname);

  #isHeld(hostname: string): boolean {
    return this.#holds.size > 0 && coveringHolds(hostname).some((name) => this.#holds.has(name));
  }
}
