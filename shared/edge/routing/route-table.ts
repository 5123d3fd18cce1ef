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

/** Where all hostnames lead, in memory: what an edge goes on serving while the database is away. */
export class RouteTable {
  readonly #routes = new RouteStorage();
  #holds = new Set<string>();
  /** Nothing is due before. */
  #next_change_at: Instant = Infinity;

  /** Finds the route of a hostname for an edge. @throws UnreadableRouteError. */
  readonly find = (hostname: string): FoundRoute =>
    findRouteOf(hostname, this.#isHeld(hostname), this.#known);

  /** Whether no domain with a valid certificate has it, held or not. */
  leadsNowhere(hostname: string): boolean {
    return followRoute(hostname, this.#known) === null;
  }

  /** Whether there may be a certificate for it, or one that is being issued. */
  isOwned(hostname: string): boolean {
    return this.#routes.has(hostname) || redirectingApex(hostname, this.#known) !== undefined;
  }

  /** Returns whether a domain has the hostname. */
  has(hostname: string): boolean {
    return this.#routes.has(hostname);
  }

  /** How many hostnames domains have. */
  get size(): number {
    return this.#routes.size;
  }

  /** How many of them cannot be read. */
  get unreadable(): number {
    return this.#routes.unreadable;
  }

  /** @param known null where no domain has the hostname any more. */
  set(hostname: string, known: KnownRoute | null): void {
    if (known === null) this.#routes.delete(hostname);
    else this.#routes.set(hostname, known);
    this.#next_change_at = Math.min(this.#next_change_at, known?.changes_at ?? Infinity);
  }

  /** Begins to read all routes in place. Each route is served unchanged until it is set again. */
  beginReading(): void {
    this.#routes.beginReading();
  }

  /** Forgets the hostnames that have not been set since `beginReading`, because no domain has them any more. */
  endReading(): void {
    this.#routes.endReading();
  }

  /** @param holds all that there are: names, and `*.name` for all below. */
  setHolds(holds: Iterable<string>): void {
    this.#holds = new Set(holds);
  }

  /** @param hostname a name, or `*.name` for all below. */
  setHold(hostname: string, held: boolean): void {
    if (held) this.#holds.add(hostname);
    else this.#holds.delete(hostname);
  }

  /** Hostnames to be read again. They are served as they are until then. */
  due(now: Instant): string[] {
    if (now < this.#next_change_at) return [];
    const due: string[] = [];
    this.#next_change_at = Infinity;
    for (const [hostname, changes_at] of this.#routes.moments()) {
      this.#next_change_at = Math.min(this.#next_change_at, changes_at);
      if (changes_at <= now) due.push(hostname);
    }
    return due;
  }

  readonly #known = (hostname: string): KnownRoute | undefined => this.#routes.get(hostname);

  #isHeld(hostname: string): boolean {
    return this.#holds.size > 0 && coveringHolds(hostname).some((name) => this.#holds.has(name));
  }
}
