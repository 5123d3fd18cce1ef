import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { type EdgeReplica, openEdgeReplica } from '../../../service/edge/replica/edge-replica.ts';
import { createPostgresSource } from '../../../service/edge/replica/postgres-source.ts';
import { openReplica } from '../../../service/edge/replica/replica.ts';
import { createLocalNotices, monotonicClock, systemClock } from '../../../shared/adapters/system.ts';
import type { SealedValue } from '../../../shared/core/edge/edge-value.ts';
import { claimEpoch } from '../../../shared/store/edge/edge-values.ts';
import { autocommit, closeStore } from '../../../shared/store/store.ts';
import { migrated } from '../deliveries/service-deliverer.ts';
import { SAMPLE_BOX, type SampleValues } from './sample-values.ts';

const INSTALLATION = 'bench';
/** The number of values in a transaction of the replica. Large transactions make the fill fast. */
const PER_TRANSACTION = 20_000;
const PER_INSERT = 1_000;
/** No server listens here, so the edge must serve what its replica has. */
export const AWAY = 'postgres://bench@127.0.0.1:1/away';

/** Fills the replica in a folder as a follower does that has read everything. */
export function fillReplica(folder: string, samples: SampleValues, hostnames: number): void {
  const replica = openReplica(folder);
  replica.apply(samples.shared);
  for (let from = 0; from < hostnames; from += PER_TRANSACTION)
    replica.apply(samples.hosts(from, Math.min(hostnames, from + PER_TRANSACTION)));
  const at = systemClock.now();
  replica.holdsLease(monotonicClock.now());
  replica.beat(at, { source: 'bench', snapshot: '1:1:', installation: INSTALLATION, at });
  replica.close();
}

/**
 * Returns the statement that inserts values. All values are one binary parameter, because the driver sends an array of them as text, which
 * takes several times as long.
 */
export function valuesInsert(values: readonly SealedValue[]): pg.QueryConfig {
  const bytes = values.map(({ value }) => value ?? new Uint8Array());
  let end = 0;
  const places = bytes.map(({ length }) => {
    end += length;
    return end - length + 1;
  });
  return {
    name: 'insert edge values',
    text: `insert into edge_values (key, epoch, number, value) select key, epoch, number, substr($4::bytea, place, length)
      from unnest($1::text[], $2::bigint[], $3::bigint[], $5::integer[], $6::integer[]) as given (key, epoch, number, place, length)`,
    values: [
      values.map(({ key }) => key),
      values.map(({ epoch }) => epoch),
      values.map(({ number }) => number),
      Buffer.concat(bytes),
      places,
      bytes.map(({ length }) => length),
    ],
  };
}

/** Migrates an empty database, and fills its table of values. */
export async function fillEdgeValues(url: string, samples: SampleValues, hostnames: number): Promise<void> {
  await migrated(url);
  const { store } = openPostgresStore({ connectionString: url, onIdleError: console.error });
  await claimEpoch(autocommit(store), INSTALLATION);
  await closeStore(store);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const insert = (values: SampleValues['shared']) => client.query(valuesInsert(values));
  await insert(samples.shared);
  for (let from = 0; from < hostnames; from += PER_INSERT)
    await insert(samples.hosts(from, Math.min(hostnames, from + PER_INSERT)));
  await client.query('vacuum analyze edge_values');
  await client.end();
}

/** Opens a filled replica in this process, while its database is away. */
export function openFilledReplica(folder: string): Promise<EdgeReplica> {
  const { store } = openPostgresStore({ connectionString: AWAY, onIdleError: () => undefined });
  return openEdgeReplica({
    folder,
    box: SAMPLE_BOX,
    source: createPostgresSource(store, createLocalNotices()),
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined, error: console.error },
  });
}

/** Starts an origin on loopback that responds to each request with a text. @returns its URL. */
export async function startTextOrigin(text: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
