import type { RouteTable } from '../../shared/edge/routing/route-table.ts';
import type { Context } from '../../shared/operations/context.ts';
import { readRoutes } from '../../shared/operations/edge/read-routes.ts';
import { findNewestCertificates } from '../../shared/store/certificates/certificates.ts';
import {
  findRoutedDomains,
  listRoutedDomains,
  type RoutedDomain,
} from '../../shared/store/domains/routes.ts';
import type { EdgeCertificates } from './edge-certificates.ts';
import type { RoutePage } from './route-rereads.ts';

/** Reads routes from the database into an edge's table. */
export interface RouteReader {
  /** Reads the routes and certificates of these hostnames. First removes the routes that no longer exist. */
  readHostnames(hostnames: readonly string[]): Promise<void>;
  /** Reads all routes for an edge that serves nothing yet. The database prepares the next page while the edge stores the current page. */
  readAll(): Promise<void>;
  /** Reads one page of a scope. @returns the page's last hostname; null after the last page. */
  readPage(page: RoutePage): Promise<string | null>;
}

export interface RouteReaderOptions {
  table: RouteTable;
  certificates: EdgeCertificates;
  /** Called for a hostname whose route or certificate may have changed. */
  onChanged: (hostname: string) => void;
  /** Called for each hostname whose route was stored. */
  onRouteRead?: ((hostname: string) => void) | undefined;
  /** The number of routes in one read. A removal waits for at most one read. */
  pageSize: number;
}

export function createRouteReader(context: Context, options: RouteReaderOptions): RouteReader {
  const { table, certificates, onChanged, onRouteRead, pageSize } = options;
  const { store } = context;

  async function readInto(domains: readonly RoutedDomain[]): Promise<void> {
    for (const read of await readRoutes(context, domains)) {
      table.set(read.hostname, read);
      onRouteRead?.(read.hostname);
    }
  }

  async function readCertificates(domains: readonly RoutedDomain[]): Promise<void> {
    const wanted = domains.filter(({ hostname }) => certificates.wants(hostname));
    if (wanted.length === 0) return;
    const newest = await findNewestCertificates(
      store,
      wanted.flatMap(({ id, holder_id }) => (id === holder_id ? [id] : [holder_id, id])),
    );
    // If the domain that has the hostname (`holder_id`) already has a certificate, prefer it, even while the edge still serves the domain
    // that had the hostname before. The order of this certificate ends only when the edge presents it.
    for (const { hostname, id, holder_id } of wanted)
      certificates.remember(hostname, newest.get(holder_id) ?? newest.get(id) ?? null);
  }

  function tellChanged(hostname: string): void {
    onChanged(hostname);
    onChanged(`www.${hostname}`);
  }

  async function readBatch(hostnames: readonly string[]): Promise<void> {
    const domains = await findRoutedDomains(store, hostnames);
    const found = new Set(domains.map(({ hostname }) => hostname));
    for (const hostname of hostnames) {
      if (found.has(hostname)) continue;
      certificates.remember(hostname, null);
      table.set(hostname, null);
      tellChanged(hostname);
    }
    await Promise.all([readInto(domains), readCertificates(domains)]);
    for (const { hostname } of domains) tellChanged(hostname);
  }

  const listPage = (after: string) => listRoutedDomains(store, { after, limit: pageSize });
  const isLast = (domains: readonly RoutedDomain[]) => domains.length < pageSize;
  const lastOf = (domains: readonly RoutedDomain[]) => domains.at(-1)?.hostname ?? '';

  return {
    async readAll() {
      for (let domains = await listPage(''); ; ) {
        const [next] = await Promise.all([
          isLast(domains) ? null : listPage(lastOf(domains)),
          readInto(domains),
          readCertificates(domains),
        ]);
        if (next === null) return;
        domains = next;
      }
    },
    async readHostnames(hostnames) {
      for (let from = 0; from < hostnames.length; from += pageSize) {
        await readBatch(hostnames.slice(from, from + pageSize));
      }
    },
    async readPage({ scope, after }) {
      const of = scope === 'all' ? {} : { app_id: scope };
      const domains = await listRoutedDomains(store, { ...of, after, limit: pageSize });
      // Read certificates only in a read of all routes, because a change of a whole app, such as a new origin, does not affect them.
      await Promise.all([readInto(domains), scope === 'all' ? readCertificates(domains) : null]);
      return isLast(domains) ? null : lastOf(domains);
    },
  };
}
