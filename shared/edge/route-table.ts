import { apexOf } from '../core/hostname.ts';
import type { Instant } from '../core/instant.ts';
import type { EdgeRoute, FoundRoute } from './route.ts';

/** What a hostname is that a domain has. */
export interface KnownRoute {
  /** Null: it leads nowhere now, as before its certificate is there. `unreadable`: it leads somewhere, and nobody can tell where. */
  route: EdgeRoute | 'held' | 'unreadable' | null;
  /** `www.` before it leads to it, unless a domain has that name. */
  redirects_www: boolean;
  /** When it is to be read again, because time alone changes it; null where nothing does. */
  changes_at: Instant | null;
}

/** Where all hostnames lead, in memory: what an edge goes on serving while the database is away. */
export class RouteTable {
  #routes = new Map<string, KnownRoute>();
  #unreadable = 0;
  #holds = new Set<string>();
  /** Nothing is due before. */
  #next_change_at: Instant = Infinity;

  /** The `find_route` of an edge. @throws where it cannot be read: nothing is forwarded by half of a route, least of all unsigned. */
  readonly find = (hostname: string): FoundRoute => {
    // First of all: the domains that a hold covers follow it one by one.
    const found = this.#isHeld(hostname) ? 'held' : this.#follow(hostname);
    if (found === 'unreadable') throw new UnreadableRouteError();
    return found;
  };

  /** Whether no domain with a valid certificate has it, held or not. */
  leadsNowhere(hostname: string): boolean {
    return this.#follow(hostname) === null;
  }

  /** Whether there may be a certificate for it, or one that is being issued. */
  isOwned(hostname: string): boolean {
    return this.#routes.has(hostname) || this.#redirecting(hostname) !== undefined;
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

  #follow(hostname: string): KnownRoute['route'] {
    const own = this.#routes.get(hostname);
    if (own !== undefined) return own.route;
    const to = this.#redirecting(hostname)?.route ?? null;
    return to === null || typeof to === 'string' ? to : { ...to, redirect_to: to.hostname };
  }

  #redirecting(hostname: string): KnownRoute | undefined {
    const apex = apexOf(hostname);
    const known = apex === null ? undefined : this.#routes.get(apex);
    return known?.redirects_www ? known : undefined;
  }

  #isHeld(hostname: string): boolean {
    if (this.#holds.size === 0) return false;
    if (this.#holds.has(hostname)) return true;
    for (let dot = hostname.indexOf('.'); dot >= 0; dot = hostname.indexOf('.', dot + 1)) {
      if (this.#holds.has(`*${hostname.slice(dot)}`)) return true;
    }
    return false;
  }
}

function unreadable(known: KnownRoute | null | undefined): 0 | 1 {
  return known?.route === 'unreadable' ? 1 : 0;
}

class UnreadableRouteError extends Error {
  override name = 'UnreadableRouteError';

  constructor() {
    super('the route cannot be read: what is wrong was logged when it was tried');
  }
}
