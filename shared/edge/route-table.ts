import {
  type FoundRoute,
  findRouteOf,
  followRoute,
  type KnownRoute,
  redirectingApex,
} from '../core/edge-route.ts';
import { coveringHolds } from '../core/hostname.ts';
import type { Instant } from '../core/instant.ts';

/** Where all hostnames lead, in memory: what an edge goes on serving while the database is away. */
export class RouteTable {
  #routes = new Map<string, KnownRoute>();
  #unreadable = 0;
  #holds = new Set<string>();
  /** Nothing is due before. */
  #next_change_at: Instant = Infinity;

  /** The `find_route` of an edge. @throws UnreadableRouteError. */
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

  /** How many hostnames domains have. */
  get size(): number {
    return this.#routes.size;
  }

  /** How many of them cannot be read. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** Takes the place of all that was known. */
  load(routes: Map<string, KnownRoute>): void {
    this.#routes = routes;
    this.#unreadable = 0;
    for (const known of routes.values()) this.#unreadable += unreadable(known);
    this.#next_change_at = 0;
  }

  /** @param known null where no domain has the hostname any more. */
  set(hostname: string, known: KnownRoute | null): void {
    this.#unreadable += unreadable(known) - unreadable(this.#routes.get(hostname));
    if (known === null) this.#routes.delete(hostname);
    else this.#routes.set(hostname, known);
    this.#next_change_at = Math.min(this.#next_change_at, known?.changes_at ?? Infinity);
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
    for (const [hostname, { changes_at }] of this.#routes) {
      if (changes_at === null) continue;
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

function unreadable(known: KnownRoute | null | undefined): 0 | 1 {
  return known?.route === 'unreadable' ? 1 : 0;
}
