import { sql } from 'kysely';
import type { CnameLookup } from '../../shared/ports/dns.ts';
import type { Store, Tx } from '../../shared/store/store.ts';
import type { ClockState } from '../time/adjustable-clock.ts';

/** The values that the emulator stores in a table of its own, besides the service's tables. Each value is a row with JSON. */
export interface EmulatorFacts {
  clock: ClockState;
  /** The key that encrypts the secrets in this file: 32 bytes in base64. */
  encryption_key: string;
  /** Id of the default app. */
  app_id: string;
  /** For each white-label host, the CNAME record that lookups of the host return. */
  cnames: Record<string, string | null>;
  /** With seeded ids, the number of the last run of ids in this file. Each start of the emulator begins the next run, from 0. */
  id_run?: number | null | undefined;
}

export async function createFactTable(store: Store): Promise<void> {
  await sql`create table if not exists emulator_facts (name text primary key, value text not null)`.execute(
    store.db,
  );
}

export async function findFact<K extends keyof EmulatorFacts>(
  store: Store,
  name: K,
): Promise<EmulatorFacts[K] | null> {
  const { rows } = await sql<{
    value: string;
  }>`select value from emulator_facts where name = ${name}`.execute(store.db);
  return rows[0] ? JSON.parse(rows[0].value) : null;
}

export async function saveFact<K extends keyof EmulatorFacts>(
  tx: Tx,
  name: K,
  value: EmulatorFacts[K],
): Promise<void> {
  await sql`insert into emulator_facts (name, value) values (${name}, ${JSON.stringify(value)})
    on conflict (name) do update set value = excluded.value`.execute(tx.db);
}

/** Creates a CNAME lookup for white-label hosts that returns the records set through the control surface, without asking any DNS server. */
export function createStoredCnameLookup(store: Store): CnameLookup {
  return {
    async chain(host) {
      const found = (await findFact(store, 'cnames'))?.[host] ?? null;
      return found === null ? [] : [found];
    },
  };
}
