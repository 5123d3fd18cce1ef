import { monotonicClock } from '../../shared/adapters/system.ts';
import type { RouteTable } from '../../shared/edge/routing/route-table.ts';
import type { Context } from '../../shared/operations/context.ts';
import { ROUTE_CHANGES_KEPT_MS } from '../../shared/operations/edge/read-routes.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { currentMark, type Mark } from '../../shared/store/commit-order.ts';
import { findHoldNames, selectHolds } from '../../shared/store/domains/holds.ts';
import { listRouteChanges, type RouteTopic } from '../../shared/store/domains/route-changes.ts';
import type { EdgeCertificates } from './edge-certificates.ts';
import { createRouteReader } from './route-reader.ts';
import { RouteRereads } from './route-rereads.ts';

/** Keeps an edge's routes and certificates up to date. It follows the database's list of route changes (`decisions/0015`). */
export interface RouteFeed {
  /** Returns how many milliseconds ago the edge's routes were last up to date. */
  ageMs(): number;
  /**
   * Resolves once the edge has applied all removals, holds and single-route changes that were made before this call. @throws if the
   * database is unavailable.
   */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export interface RouteFeedOptions {
  table: RouteTable;
  certificates: EdgeCertificates;
  /** Called when the route or certificate of a hostname may have changed; null for all hostnames. */
  onChanged: (hostname: string | null) => void;
  /** Called for each hostname whose route was read again, for example because the origin of its app has changed. */
  onRouteRead?: (hostname: string) => void;
  pollMs?: number;
  /** The number of routes in one page. */
  pageSize?: number;
  /** The monotonic clock of this process, with which the age of its routes is measured. */
  machine?: Clock;
}

/** The interval of polls. They are needed because notices may be lost, and the edge must stop serving a deleted domain within 5 s. */
const POLL_MS = 2000;
/**
 * The number of routes in a page. Reading a page takes about 50 ms. Pages are small, because the feed looks for removals between two pages.
 */
const PAGE = 2000;
/** With more changes than this, reading all routes costs less than reading each changed route. */
const CHANGES_MAX = 50_000;

/**
 * Reads all routes, then follows their changes. While the database is unavailable, the edge keeps the routes that it has.
 * @throws if the database is unavailable at the start, because an edge without routes must not start.
 */
export async function openRouteFeed(context: Context, options: RouteFeedOptions): Promise<RouteFeed> {
  const { table, certificates, onChanged, onRouteRead, pollMs = POLL_MS, pageSize = PAGE } = options;
  const { machine = monotonicClock } = options;
  const { store, clock, log } = context;
  const reader = createRouteReader(context, { table, certificates, onChanged, onRouteRead, pageSize });
  const rereads = new RouteRereads();
  /**
   * The position in the list of changes. The feed has applied, or will read, each change that was committed before this position. Null if
   * it is unknown.
   */
  let mark: Mark | null = null;
  /** When the feed last reached the end of the list of changes, and when it last had no page left to read again. */
  let listReadAt = machine.now();
  let upToDateAt = listReadAt;
  let away = false;
  let looking: Promise<void> | null = null;
  let again = false;
  let closed = false;
  /** The calls of `catchUp` since the last read of the list began. */
  const waiting: PromiseWithResolvers<void>[] = [];

  /** Begins a read of all routes. Takes the mark first, so that no change is missed. */
  async function beginReadingAll(): Promise<void> {
    const begun = await currentMark(store, 'route_changes');
    table.setHolds((await selectHolds(store)).map(({ hostname }) => hostname));
    table.beginReading();
    mark = begun;
  }

  function endReadingAll(): void {
    table.endReading();
    certificates.keepOnly((hostname) => table.has(hostname));
    onChanged(null);
  }

  async function readChanges(): Promise<void> {
    const read = mark === null ? null : await listRouteChanges(store, mark, CHANGES_MAX);
    if (read === null || read.now.source !== mark?.source || read.rows.length === CHANGES_MAX) {
      log.info({}, 'the route changes since the last read are unknown; reading all routes again');
      mark = null;
      await beginReadingAll();
      rereads.add('all');
    } else {
      await follow(read.rows);
      mark = read.now;
    }
    await reader.readHostnames(table.due(clock.now()));
  }

  async function follow(changes: readonly RouteTopic[]): Promise<void> {
    for (const { app_id } of changes) if (app_id !== null) rereads.add(app_id);
    const hostnames = [...new Set(changes.flatMap(({ hostname }) => hostname ?? []))];
    if (hostnames.length === 0) return;
    // Apply holds first, because the domains that a hold covers change later, one by one. The list names only the held name, which may
    // begin with `*.`.
    const holds = await findHoldNames(store, hostnames);
    for (const hostname of hostnames) table.setHold(hostname, holds.has(hostname));
    // A hold of `*.name` changes the routes of hostnames that are not in this list.
    if (onRouteRead && hostnames.some((hostname) => hostname.startsWith('*.'))) onChanged(null);
    await reader.readHostnames(hostnames);
  }

  /** Reads the next page of a scope. Each read begins after the previous read has ended, so a later page never has older data. */
  async function readNextPage(): Promise<boolean> {
    const page = rereads.next();
    if (page === null) return false;
    const last = await reader.readPage(page);
    if (rereads.pass(page.scope, last) && page.scope === 'all') endReadingAll();
    return true;
  }

  async function look(): Promise<void> {
    // A read resolves only the calls of `catchUp` before it began, because its rows may be older than a later call.
    const before = waiting.splice(0);
    try {
      if (machine.now() - listReadAt > ROUTE_CHANGES_KEPT_MS / 2) mark = null;
      // Read the list of changes after each page, so that removals and holds do not wait for a full read.
      for (let more = true; more && !closed; ) {
        const startedAt = machine.now();
        before.push(...waiting.splice(0));
        await readChanges();
        listReadAt = startedAt;
        for (const { resolve } of before.splice(0)) resolve();
        more = await readNextPage();
        if (!more) upToDateAt = startedAt;
      }
      if (away) log.info({}, 'following route changes again');
      away = false;
    } catch (error) {
      if (!away && !closed)
        log.warn({ error }, 'could not read route changes; the edge serves the routes that it has');
      away = true;
      for (const { reject } of before) reject(error);
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

  await beginReadingAll();
  await reader.readAll();
  endReadingAll();
  listReadAt = upToDateAt = machine.now();
  const unsubscribe = context.notices.subscribe(({ kind }) => {
    if (kind === 'route' || kind === 'routes' || kind === 'gap') lookSoon();
  });
  const timer = setInterval(lookSoon, pollMs);
  lookSoon();
  return {
    ageMs: () => machine.now() - upToDateAt,
    catchUp() {
      const caughtUp = Promise.withResolvers<void>();
      waiting.push(caughtUp);
      lookSoon();
      return caughtUp.promise;
    },
    async close() {
      closed = true;
      clearInterval(timer);
      unsubscribe();
      await looking;
    },
  };
}
