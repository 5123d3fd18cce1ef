import type { RouteTable } from '../../shared/edge/routing/route-table.ts';
import type { Context } from '../../shared/operations/context.ts';
import { ROUTE_CHANGES_KEPT_MS } from '../../shared/operations/edge/read-routes.ts';
import { type Clock, monotonicClock } from '../../shared/ports/clock.ts';
import { findHoldNames, listHolds } from '../../shared/store/domains/holds.ts';
import type { RouteChange } from '../../shared/store/domains/route-changes.ts';
import type { EdgeCertificates } from './edge-certificates.ts';
import { RouteCursor } from './route-cursor.ts';
import { createRouteReader } from './route-reader.ts';
import { RouteRereads } from './route-rereads.ts';

/** What an edge remembers of all hostnames, kept true by the list of changes (`decisions/0015`). */
export interface RouteFeed {
  /** How long ago all that had changed was known. */
  ageMs(): number;
  /** Resolves once the edge has applied the removals, holds and single routes from before this call. @throws if the database is away. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export interface RouteFeedOptions {
  table: RouteTable;
  certificates: EdgeCertificates;
  /** A hostname, or null for any, may lead elsewhere now or have another certificate. */
  on_changed: (hostname: string | null) => void;
  poll_ms?: number;
  /** Routes in one page. */
  pageSize?: number;
  /** Of this process: for how long it was away. */
  machine?: Clock;
}

/** Notices may be lost, and a deleted domain stops within 5 s. */
const POLL_MS = 2000;
/** About 50 ms of work, because the feed looks for removals between two pages. */
const PAGE = 2000;

/**
 * Reads all routes, then what changes. While the database is away everything stays as it was known.
 * @throws where it is away now: an edge that knows nothing must not start.
 */
export async function openRouteFeed(context: Context, options: RouteFeedOptions): Promise<RouteFeed> {
  const { table, certificates, on_changed, poll_ms = POLL_MS, pageSize = PAGE } = options;
  const { machine = monotonicClock } = options;
  const { store, clock, log } = context;
  const cursor = new RouteCursor(store, machine);
  const reader = createRouteReader(context, { table, certificates, on_changed, pageSize });
  const rereads = new RouteRereads();
  /** When the feed last reached the end of the list, and when it last had nothing left to read again. */
  let heardAt = machine.now();
  let knownAt = heardAt;
  /** Whether the cursor has a place in the list. Its numbers mean nothing before. */
  let hasPlace = false;
  let away = false;
  let looking: Promise<void> | null = null;
  let again = false;
  let closed = false;
  /** Calls of `catchUp` since the last reading of the list began. */
  const waiting: PromiseWithResolvers<void>[] = [];

  /** Takes a place in the list of changes before it reads all routes, so that it misses no change. */
  async function beginReadingAll(): Promise<void> {
    hasPlace = false;
    await cursor.begin();
    table.setHolds((await listHolds(store)).map(({ hostname }) => hostname));
    table.beginReading();
    hasPlace = true;
  }

  function endReadingAll(): void {
    table.endReading();
    certificates.keepOnly((hostname) => table.has(hostname));
    on_changed(null);
  }

  async function readChanges(): Promise<void> {
    for (let more = true; more; ) {
      const read = await cursor.read();
      await follow(read.changes);
      cursor.pass(read.changes);
      more = read.more;
    }
    await reader.readHostnames(table.due(clock.now()));
  }

  async function follow(changes: readonly RouteChange[]): Promise<void> {
    for (const { app_id } of changes) if (app_id !== null) rereads.add(app_id);
    const hostnames = [...new Set(changes.flatMap(({ hostname }) => hostname ?? []))];
    if (hostnames.length === 0) return;
    // A hold is told of by its own name, `*.` included, and first of all: the domains that it covers follow it one by one.
    const holds = await findHoldNames(store, hostnames);
    for (const hostname of hostnames) table.setHold(hostname, holds.has(hostname));
    await reader.readHostnames(hostnames);
  }

  /** Reads one page of a scope. Each read begins after the previous one ended, so later pages are newer. */
  async function readNextPage(): Promise<boolean> {
    const page = rereads.next();
    if (page === null) return false;
    const last = await reader.readPage(page);
    if (rereads.pass(page.scope, last) && page.scope === 'all') endReadingAll();
    return true;
  }

  async function look(): Promise<void> {
    // A reading settles only the calls from before it began, because its rows may be older than a later call.
    const before = waiting.splice(0);
    try {
      const isTooLate = machine.now() - heardAt > ROUTE_CHANGES_KEPT_MS / 2;
      if (!hasPlace || isTooLate || (await cursor.isLost())) {
        log.info({}, 'the list of changes no longer goes on from what is known: all routes are read');
        await beginReadingAll();
        rereads.add('all');
      }
      // Removals and holds overtake the reread: the feed reads one page, then the list again.
      for (let more = true; more && !closed; ) {
        const startedAt = machine.now();
        before.push(...waiting.splice(0));
        await readChanges();
        heardAt = startedAt;
        for (const { resolve } of before.splice(0)) resolve();
        more = await readNextPage();
        if (!more) knownAt = startedAt;
      }
      if (away) log.info({}, 'the routes are followed again');
      away = false;
    } catch (error) {
      if (!away && !closed) log.warn({ error }, 'routes cannot be followed; the edge serves what it knows');
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
  heardAt = knownAt = machine.now();
  const unsubscribe = context.notices.subscribe(({ kind }) => {
    if (kind === 'route' || kind === 'routes' || kind === 'gap') lookSoon();
  });
  const timer = setInterval(lookSoon, poll_ms);
  lookSoon();
  return {
    ageMs: () => machine.now() - knownAt,
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
