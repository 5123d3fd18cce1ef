import { sql } from 'kysely';
import type { AppId } from '../../shared/core/ids.ts';
import type { Store, Tx } from '../../shared/store/store.ts';
import type { Tables } from '../../shared/store/tables.ts';

/** Every table of the service. The compiler checks that none is missing. */
const TABLES: Record<keyof Tables, true> = {
  accounts: true,
  apps: true,
  api_keys: true,
  domains: true,
  domain_metadata: true,
  domain_counts: true,
  routes: true,
  edge_values: true,
  edge_source: true,
  dns_checks: true,
  mail_subscriptions: true,
  holds: true,
  events: true,
  deliveries: true,
  lanes: true,
  jobs: true,
  due_apps: true,
  idempotency: true,
  rate_windows: true,
  audit_log: true,
  members: true,
  sign_in_links: true,
  sessions: true,
  passkeys: true,
  sign_in_challenges: true,
  acme_accounts: true,
  certificates: true,
  certificate_history: true,
  revocations: true,
  certificate_orders: true,
  challenges: true,
  ca_limits: true,
  billing_accounts: true,
  billing_events: true,
  account_mails: true,
  whitelabel_endings: true,
  origin_probes: true,
  traffic: true,
  traffic_writers: true,
};
export const TABLE_NAMES = Object.keys(TABLES) as (keyof Tables)[];

export async function appIds(store: Store): Promise<AppId[]> {
  const rows = await store.db.selectFrom('apps').select('id').execute();
  return rows.map(({ id }) => id);
}

/** Deletes everything that the service stored. Leaves the emulator's own table `emulator_facts` unchanged. */
export async function clearState(tx: Tx): Promise<void> {
  for (const name of TABLE_NAMES) await sql`delete from ${sql.table(name)}`.execute(tx.db);
}
