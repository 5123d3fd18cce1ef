import { sql } from 'kysely';
import { EDGE_FORGOTTEN_MS, type HeardEdge } from '../../core/edge/edge-health.ts';
import type { Store, Tx } from '../store.ts';

/** The database's time in milliseconds. The clocks of two machines are never compared. */
const NOW = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Stores the last beats of nodes in one statement. Also deletes nodes that were silent for `EDGE_FORGOTTEN_MS` if another node now has their
 * addresses, such as containers with a new name at each start. Needs Postgres.
 */
export async function saveEdgeBeats({ db }: Tx, beats: readonly HeardEdge[]): Promise<void> {
  const json = JSON.stringify(beats.map((beat) => ({ ...beat, addresses: JSON.stringify(beat.addresses) })));
  await sql`
    with beats as materialized (
      select *, ${NOW} as now from json_to_recordset(${json}::json)
        as beat(node text, region text, addresses text, state text, heard_ms bigint, served_ms bigint)
    ), forgotten as (
      delete from edge_beats old using beats
      where old.addresses = beats.addresses and old.heard_at < now - ${sql.lit(EDGE_FORGOTTEN_MS)}
        and old.node not in (select node from beats)
    )
    insert into edge_beats (node, region, addresses, state, heard_at, served_at)
    select node, region, addresses, state, now - heard_ms, now - served_ms from beats order by node
    on conflict (node) do update set region = excluded.region, addresses = excluded.addresses, state = excluded.state,
      heard_at = excluded.heard_at, served_at = coalesce(excluded.served_at, edge_beats.served_at)`.execute(
    db,
  );
}

/** Lists the last beat of every node, with its age by the database's time. Needs Postgres. */
export async function listEdgeBeats({ db }: Store): Promise<HeardEdge[]> {
  const { rows } = await sql<Omit<HeardEdge, 'addresses'> & { addresses: string }>`
    select node, region, addresses, state, greatest(0, now - heard_at) as heard_ms,
      case when served_at is not null then greatest(0, now - served_at) end as served_ms
    from edge_beats, (select ${NOW} as now) as clock order by node`.execute(db);
  return rows.map((row) => ({ ...row, addresses: JSON.parse(row.addresses) as string[] }));
}
