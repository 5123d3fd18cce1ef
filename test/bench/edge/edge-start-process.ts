import { writeSync } from 'node:fs';
import pg from 'pg';
import { composeService } from '../../../service/compose.ts';
import { createEdgeCertificates } from '../../../service/edge/edge-certificates.ts';
import { openRouteFeed } from '../../../service/edge/route-feed.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import { BENCH_LOG, benchConfig } from '../deliveries/service-deliverer.ts';

/**
 * A program that reads all routes of `DATABASE_URL`, as an edge does before it listens. With `floor`, only the driver reads the routes, and
 * nothing stores them. Prints one JSON document, `EdgeStart`.
 */
export interface EdgeStart {
  hostnames: number;
  /** The time from the first query to the end of the last one. */
  ms: number;
  /** Resident memory after the read. `kept_mib` is the growth that remains after a garbage collection. */
  peak_mib: number;
  kept_mib: number;
}

/** Keeps a reference, so that the table is not collected as garbage. */
const keep: { table?: RouteTable } = {};
const url = process.env['DATABASE_URL'] ?? '';
const read = process.argv.includes('floor') ? byTheDriver : byTheEdge;
const { hostnames, ms } = await read();
const peakMib = mib();
globalThis.gc?.();
const document: EdgeStart = { hostnames, ms, peak_mib: peakMib, kept_mib: mib() };
writeSync(1, `${JSON.stringify(document)}\n`);
process.exit();

async function byTheEdge(): Promise<{ hostnames: number; ms: number }> {
  const { context, database } = await composeService(benchConfig(url), BENCH_LOG);
  const table = new RouteTable();
  keep.table = table;
  const certificates = createEdgeCertificates(context, table);
  const startedAt = performance.now();
  const feedContext = { ...context, store: database.feedStore };
  await openRouteFeed(feedContext, { table, certificates, onChanged: () => undefined });
  return { hostnames: table.size, ms: performance.now() - startedAt };
}

async function byTheDriver(): Promise<{ hostnames: number; ms: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const startedAt = performance.now();
  let hostnames = 0;
  for (let after = ''; ; ) {
    const { rows } = await client.query({
      text: `select r.hostname, d.id, d.app_id, d.status, d.certificate, d.origin, d.origin_headers, d.apex_redirect
        from routes r join domains d on d.id = r.domain_id where r.hostname > $1 order by r.hostname limit 5000`,
      values: [after],
      rowMode: 'array',
    });
    if (rows.length === 0) return { hostnames, ms: performance.now() - startedAt };
    hostnames += rows.length;
    after = rows.at(-1)?.[0];
  }
}

function mib(): number {
  return process.memoryUsage.rss() / 1024 / 1024;
}
