import type { Domain } from '../shared/core/domain.ts';
import type { KnownRoute } from '../shared/core/edge-route.ts';
import type { RouteTable } from '../shared/edge/route-table.ts';
import type { Context } from '../shared/operations/context.ts';
import { ROUTE_CHANGES_KEPT_MS, readRoutes } from '../shared/operations/read-routes.ts';
import { type Clock, monotonicClock } from '../shared/ports/clock.ts';
import { findNewestCertificates } from '../shared/store/certificates.ts';
import { findHoldNames, listHolds } from '../shared/store/holds.ts';
import type { RouteChange } from '../shared/store/route-changes.ts';
import { findRoutedDomains, listRoutedDomains } from '../shared/store/routes.ts';
import type { EdgeCertificates } from './edge-certificates.ts';
import { RouteCursor } from './route-cursor.ts';

/** What an edge remembers of all hostnames, kept true by the list of changes (`decisions/0015`). */
export interface RouteFeed {
  /** How long ago all that had changed was known. */
  ageMs(): number;
  close(): Promise<void>;
}

export interface RouteFeedOptions {
  table: RouteTable;
  certificates: EdgeCertificates;
  /** A hostname, or null for any, may lead elsewhere now or have another certificate. */
  on_changed: (hostname: string | null) => void;
  poll_ms?: number;
  /** Of this process: for how long it was away. */
  machine?: Clock;
}

/** Notices may be lost, and a deleted domain stops within 5 s. */
const POLL_MS = 2000;
const PAGE = 500;

/**
 * Reads all routes, then what changes. While the database is away everything stays as it was known.
 * @throws where it is away now: an edge that knows nothing must not start.
 */
export async function openRouteFeed(context: Context, options: RouteFeedOptions): Promise<RouteFeed> {
  const { table, certificates, on_changed, poll_ms = POLL_MS, machine = monotonicClock } = options;
  const { store, clock, log } = context;
  const cursor = new RouteCursor(store, machine);
  let known_at = machine.now();
  /** Until all has been read, the cursor's new place says nothing of what is known. */
  let is_whole = false;
  let away = false;
  let looking: Promise<void> | null = null;
  let again = false;
  let closed = false;

  /** From nothing, after so long that changes are no longer listed, or where the list is another one. */
  async function readAll(): Promise<void> {
    is_whole = false;
    await cursor.begin();
    const routes = new Map<string, KnownRoute>();
    await eachPage({}, (domains) => readInto(domains, ({ hostname }, known) => routes.set(hostname, known)));
    table.setHolds((await listHolds(store)).map(({ hostname }) => hostname));
    table.load(routes);
    certificates.keepOnly((hostname) => routes.has(hostname));
    on_changed(null);
    is_whole = true;
  }

  async function readChanges(): Promise<void> {
    for (let more = true; more; ) {
      const read = await cursor.read();
      await follow(read.changes);
      cursor.pass(read.changes);
      more = read.more;
    }
    await readAgain(table.due(clock.now()));
  }

  async function follow(changes: readonly RouteChange[]): Promise<void> {
    const hostnames = [...new Set(changes.flatMap(({ hostname }) => hostname ?? []))];
    // A hold is told of by its own name, `*.` included, and first of all: the domains that it covers follow it one by one.
    const holds = await findHoldNames(store, hostnames);
    for (const hostname of hostnames) table.setHold(hostname, holds.has(hostname));
    await readAgain(hostnames);
    for (const app_id of new Set(changes.flatMap(({ app_id }) => app_id ?? []))) {
      await eachPage({ app_id }, (domains) => readInto(domains, change));
    }
  }

  async function readAgain(hostnames: readonly string[]): Promise<void> {
    for (let from = 0; from < hostnames.length; from += PAGE) {
      const page = hostnames.slice(from, from + PAGE);
      const domains = await findRoutedDomains(store, page);
      await readInto(domains, change);
      const found = new Set(domains.map(({ hostname }) => hostname));
      for (const hostname of page) {
        if (found.has(hostname)) continue;
        certificates.remember(hostname, null);
        change({ hostname }, null);
      }
    }
  }

  function change({ hostname }: Pick<Domain, 'hostname'>, known: KnownRoute | null): void {
    table.set(hostname, known);
    on_changed(hostname);
    on_changed(`www.${hostname}`);
  }

  async function readInto(
    domains: readonly Domain[],
    keep: (domain: Pick<Domain, 'hostname'>, known: KnownRoute) => void,
  ): Promise<void> {
    if (domains.length === 0) return;
    const [routes, newest] = await Promise.all([
      readRoutes(context, domains),
      findNewestCertificates(
        store,
        domains.flatMap(({ id, hostname }) => (certificates.wants(hostname) ? id : [])),
      ),
    ]);
    for (const [index, domain] of domains.entries()) {
      const read = routes[index];
      if (!read) continue;
      certificates.remember(domain.hostname, newest.get(domain.id) ?? null);
      const { route, redirects_www, changes_at } = read;
      keep(domain, { route, redirects_www, changes_at });
    }
  }

  async function eachPage(
    which: Pick<Parameters<typeof listRoutedDomains>[1], 'app_id'>,
    work: (domains: readonly Domain[]) => Promise<void>,
  ): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const domains: Domain[] = await listRoutedDomains(store, { ...which, after, limit: PAGE });
      await work(domains);
      after = domains.length < PAGE ? undefined : domains.at(-1)?.hostname;
    }
  }

  /** One at a time: what is read later is newer. */
  async function look(): Promise<void> {
    const started_at = machine.now();
    try {
      const is_too_late = started_at - known_at > ROUTE_CHANGES_KEPT_MS / 2;
      if (!is_whole || is_too_late || (await cursor.isLost())) {
        log.info({}, 'the list of changes no longer goes on from what is known: all routes are read');
        await readAll();
      }
      await readChanges();
      known_at = started_at;
      if (away) log.info({}, 'the routes are followed again');
      away = false;
    } catch (error) {
      if (!away && !closed) log.warn({ error }, 'routes cannot be followed; the edge serves what it knows');
      away = true;
    }
  }

  function lookSoon(): void {
    if (closed) return;
    if (looking !== null) {
      again = true;
      return;
    }
    looking = look().finally(() => {
      looking = null;
      if (again) {
        again = false;
        lookSoon();
      }
    });
  }

  await readAll();
  known_at = machine.now();
  const unsubscribe = context.notices.subscribe(({ kind }) => {
    if (kind === 'route' || kind === 'routes' || kind === 'gap') lookSoon();
  });
  const timer = setInterval(lookSoon, poll_ms);
  lookSoon();
  return {
    ageMs: () => machine.now() - known_at,
    async close() {
      closed = true;
      clearInterval(timer);
      unsubscribe();
      await looking;
    },
  };
}
