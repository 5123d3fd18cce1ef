import { composeService } from '../../../service/compose.ts';
import { readConfig, type ServiceConfig } from '../../../service/config.ts';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import type { App } from '../../../shared/core/apps/app.ts';
import type { StoredEvent } from '../../../shared/core/webhooks/delivery.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { migrateSchema } from '../../../shared/store/migrations/migrate.ts';
import { autocommit, closeStore } from '../../../shared/store/store.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import type { Backlog, Deliverer } from './service-delivering.ts';

export const BENCH_LOG = { info: () => undefined, warn: console.error, error: console.error };

/** Prepares a backlog for the service's adapters and runner, composed as in a node, with receivers on loopback. */
export async function deliverByService(backlog: Backlog): Promise<Deliverer> {
  const { databaseUrl, receiver_url, apps } = backlog;
  await migrated(databaseUrl);
  const { context, runner, close } = await composeService(benchConfig(databaseUrl), BENCH_LOG);
  for (let n = 0; n < apps; n++) {
    const { app } = await createAccount(context, { name: `bench ${n}`, webhook_url: receiver_url });
    for (let d = n; d < backlog.domains; d += apps) await fillLane(context, app, backlog.events_per_domain);
  }
  return {
    async start() {
      runner.start();
    },
    async finish() {
      await runner.stop();
      await close();
    },
  };
}

/** Returns an operator's configuration, except that receivers and origins may be on this machine. */
export function benchConfig(databaseUrl: string): ServiceConfig {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    NAMEPLATE_EDGE_REPLICA: replicaFolder(),
    NAMEPLATE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    // The edge must not have an address of this machine, because the receivers are on this machine.
    NAMEPLATE_EDGE_IPV4: '192.0.2.1',
    NAMEPLATE_EDGE_IPV6: '2001:db8::1',
    NAMEPLATE_RATE_PER_SECOND: '100000',
    NAMEPLATE_RATE_BURST: '1000000',
  });
  return { ...config, settings: { ...config.settings, allowLoopback: true } };
}

export async function migrated(databaseUrl: string): Promise<void> {
  const { store } = openPostgresStore({ connectionString: databaseUrl, onIdleError: console.error });
  try {
    await migrateSchema(store);
  } finally {
    await closeStore(store);
  }
}

async function fillLane({ ids, store, clock }: Context, app: App, events: number): Promise<void> {
  const domainId = ids('dom');
  const now = clock.now() - events;
  const rows = Array.from({ length: events }, (_, i): StoredEvent => {
    const seq = i + 1;
    return {
      id: ids('evt'),
      domain_id: domainId,
      app_id: app.id,
      mode: 'live',
      seq,
      type: 'domain.active',
      hostname: 'careers.example.com',
      previous_status: 'issuing',
      status: 'active',
      created_at: now + i,
      body: bodyOf(domainId, seq),
      webhook_epoch: 0,
      delivery_status: 'pending',
      attempts: 0,
      tries: 0,
      first_attempt_at: null,
      last_status_code: null,
      last_error: null,
      last_attempt_at: null,
      next_attempt_at: now + i,
    };
  });
  await autocommit(store).db.insertInto('events').values(rows).execute();
  await autocommit(store)
    .db.insertInto('lanes')
    .values({ domain_id: domainId, app_id: app.id, due_at: now, lease_id: null })
    .execute();
}

/** Returns a body of the same length as the body of a domain's event. */
export function bodyOf(domain: string, n: number): string {
  return JSON.stringify({ domain, n, padding: 'x'.repeat(1_500) });
}
