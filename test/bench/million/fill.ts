import type pg from 'pg';
import type { AccountId, AppId } from '../../../shared/core/ids.ts';
import { DAY_MS, type Instant } from '../../../shared/core/instant.ts';
import { makeSigningSecret } from '../../../shared/core/webhooks/signature.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { sealedFor } from '../../../shared/operations/events/signing-secrets.ts';
import { autocommit } from '../../../shared/store/store.ts';
import type { LargeApp } from '../api/lists-at-scale-fill.ts';
import { DOMAIN_FILLS } from './fill-domains.ts';
import { fillEdgeValues } from './fill-edge-values.ts';
import { type Fill, idOf } from './fill-expressions.ts';
import { TRAFFIC_FILLS } from './fill-traffic.ts';

/** Number of domains of each app, except the large one. */
const DOMAINS_PER_APP = 200;
const APPS_MIN = 10;
const APPS_PER_INSERT = 500;

/**
 * Fills a migrated database with live domains and with all rows that the service would have written for them. A quarter of the domains
 * belong to the large app. Encrypted texts have the right form, but only the encrypted texts of apps can be decrypted.
 */
export async function fillDomains(
  context: Context,
  client: pg.Client,
  large: LargeApp,
  domains: number,
): Promise<Fill> {
  const { store, secrets, random, settings, clock } = context;
  const fill: Fill = {
    domains,
    deleted: Math.floor(domains / 100),
    apps: Math.max(APPS_MIN, Math.floor(domains / DOMAINS_PER_APP)),
    large,
    edgeZone: settings.edgeZone,
    now: clock.now(),
  };
  await client.query(`update apps set webhook_url = '${WEBHOOK_URL}' where id = '${large.app_id}'`);
  for (let first = 1; first <= fill.apps; first += APPS_PER_INSERT) {
    const ids = Array.from({ length: Math.min(APPS_PER_INSERT, fill.apps - first + 1) }, (_, i) => first + i);
    const apps = ids.map((n) => {
      const id = idOf('app', n) as AppId;
      return appRow(n, secrets.seal(makeSigningSecret(random), sealedFor(id)), fill.now);
    });
    await autocommit(store)
      .db.insertInto('accounts')
      .values(ids.map((n) => accountRow(n, fill.now)))
      .execute();
    await autocommit(store).db.insertInto('apps').values(apps).execute();
  }
  for (const [table, statements] of Object.entries({ ...DOMAIN_FILLS, ...TRAFFIC_FILLS })) {
    const indexes = await dropIndexes(client, table);
    for (const statement of statements) await client.query(statement(fill));
    for (const index of indexes) await client.query(index);
  }
  await fillEdgeValues(context, client, fill);
  // The fill adds work in any order, so `due_apps` gets many rows for each queue. This merges them into one row, as the first claim of a
  // queue does.
  await client.query(`
    with bounds as (delete from due_apps returning *)
    insert into due_apps select kind, app_id, min(wake_at), min(first_due_at) from bounds group by 1, 2`);
  await client.query('vacuum analyze');
  return fill;
}

const WEBHOOK_URL = 'https://hooks.example.com/';

function accountRow(n: number, now: Instant) {
  return {
    id: idOf('acc', n) as AccountId,
    name: `Account ${n}`,
    plan: 'scale' as const,
    trial_ends_at: null,
    promotional: 0 as const,
    card_on_file: 1 as const,
    suspended: 0 as const,
    created_at: now - 40 * DAY_MS,
  };
}

function appRow(n: number, signingSecret: string, now: Instant) {
  return {
    id: idOf('app', n) as AppId,
    account_id: idOf('acc', n) as AccountId,
    name: `App ${n}`,
    origin_url: 'https://origin.example.com/',
    origin_reachable: 1 as const,
    origin_failures: 0,
    webhook_url: WEBHOOK_URL,
    webhook_epoch: 0,
    whitelabel_verified: 0 as const,
    target_label: `label-${n}`,
    apex_redirect_default: 'none' as const,
    allow_proxied: 1 as const,
    signing_secret: signingSecret,
    created_at: now - 40 * DAY_MS,
  };
}

/**
 * Drops the indexes of a table, because the fill is much faster if the indexes are created afterwards. @returns the statements that create
 * the indexes again.
 */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query(
    `select indexname, indexdef from pg_indexes where tablename = $1 and indexname not like '%_pk'`,
    [table],
  );
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}
