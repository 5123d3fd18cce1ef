import { type RawBuilder, sql } from 'kysely';
import type { AccountId, AppId } from '../../../shared/core/ids.ts';
import { metadataEntry } from '../../../shared/store/domains/domain-metadata.ts';
import type { Store } from '../../../shared/store/store.ts';

/** The app with three tenths of all domains. Values that are common in this app are rare in the other 1 000 apps, and vice versa. */
export interface LargeApp {
  app_id: AppId;
  account_id: AccountId;
}

/** The time at which the first domain was added. Each further domain was added 1 ms later. */
export const FIRST_AT = Date.UTC(2026, 0, 1);
const OTHER_APPS = 1_000;
/** The number of the large app's domain that has one hundredth of all events. */
export const FLAPPING = 7;

export const idOf = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, '0')}`;
const id = (prefix: string, n: RawBuilder<unknown>) =>
  sql`${sql.lit(`${prefix}_`)} || substr('00000000000000000000000000' || ${n}, length('' || ${n}) + 1)`;
const N = sql`n`;

/**
 * Adds domains, three events each, and metadata entries by SQL that both databases accept. Values that half of the other apps' domains
 * have, such as the status `held`, are on only three domains of the large app. Its even and odd domains have different values, so that two
 * common filters share few rows.
 */
export async function fillLists(
  store: Store,
  { app_id, account_id }: LargeApp,
  domains: number,
): Promise<void> {
  const large = Math.floor(domains * 0.3);
  const run = (statement: RawBuilder<unknown>) => statement.execute(store.db);
  const numbers = (from: number, to: number) => sql`
    (with recursive numbers(n) as (select ${sql.lit(from)} union all select n + 1 from numbers where n < ${sql.lit(to)})
     select n from numbers) numbers`;
  const addDomains = (
    app: RawBuilder<unknown>,
    status: RawBuilder<unknown>,
    name: RawBuilder<unknown>,
    from: number,
    to: number,
  ) =>
    run(sql`
    insert into domains (id, app_id, mode, hostname, reversed_hostname, is_apex, status, status_since, apex_redirect,
      connect_token, txt_value, metadata, created_at, updated_at, window_opened_at, event_seq)
    select ${id('dom', N)}, ${app}, 'live', ${name} || n || '.example.com', 'moc.elpmaxe.' || n, 0, ${status},
      ${sql.lit(FIRST_AT)} + n, 'none', 'token ' || n, 'proof', '{"a":"x"}', ${sql.lit(FIRST_AT)} + n, ${sql.lit(FIRST_AT)} + n,
      ${sql.lit(FIRST_AT)} + n, 3 from ${numbers(from, to)}`);
  const addEntries = (
    key: string,
    app: RawBuilder<unknown>,
    which: RawBuilder<unknown>,
    from: number,
    to: number,
  ) =>
    run(sql`
    insert into domain_metadata (domain_id, entry, app_id, mode, created_at)
    select ${id('dom', N)}, ${sql.lit(metadataEntry(key, 'x'))}, ${app}, 'live', ${sql.lit(FIRST_AT)} + n
    from ${numbers(from, to)} where ${which}`);
  const addEvents = (
    app: RawBuilder<unknown>,
    domain: RawBuilder<unknown>,
    types: RawBuilder<unknown>,
    seq: RawBuilder<unknown>,
    deliveries: RawBuilder<unknown>,
    from: number,
    to: number,
  ) =>
    run(sql`
    insert into events (id, domain_id, app_id, mode, seq, type, hostname, status, created_at, body, delivery_status, attempts, tries)
    select ${id('evt', N)}, ${domain}, ${app}, 'live', ${seq}, ${types}, 'a.example.com', 'active', ${sql.lit(FIRST_AT)} + n,
      '{}', ${deliveries}, 0, 0 from ${numbers(from, to)}`);

  const ours = sql.lit(app_id);
  const other = id('app', sql`(n % ${sql.lit(OTHER_APPS)})`);
  await addDomains(
    ours,
    sql`case when n <= 3 then 'held' when n % 2 = 0 or n < 7 then 'active' else 'dns_broken' end`,
    sql`case when n <= 3 then 'shop-' when n <= ${sql.lit(large / 2)} then 'old-' else 'www-' end`,
    1,
    large,
  );
  await addDomains(
    other,
    sql`case when n % 2 = 0 then 'held' else 'active' end`,
    sql`case when n % 2 = 0 then 'shop-' else 'www-' end`,
    large + 1,
    domains,
  );
  await addEntries('rare', ours, sql`n <= 3`, 1, large);
  await addEntries('rare', other, sql`n % 2 = 0`, large + 1, domains);
  for (const [key, which] of Object.entries(COMMON_KEYS))
    await addEntries(key, ours, sql.raw(which), 1, large);

  const events = 3 * domains;
  const commonHere = sql`case when n <= 3 then 'domain.held' when n % 2 = 0 then 'domain.active' else 'domain.dns_broken' end`;
  const ofDomain = (count: number) => id('dom', sql`(n % ${sql.lit(count)} + 1)`);
  await addEvents(
    ours,
    ofDomain(large),
    commonHere,
    sql`n / ${sql.lit(large)} + 1`,
    sql`case when n <= 3 then 'failed' when n % 2 = 0 then 'delivered' else 'none' end`,
    1,
    3 * large,
  );
  await addEvents(
    other,
    id('dom', sql`(${sql.lit(large)} + n % ${sql.lit(domains - large)} + 1)`),
    sql`case when n % 2 = 0 then 'domain.held' else 'domain.released' end`,
    sql`n / ${sql.lit(domains - large)} + 10`,
    sql`case when n % 2 = 0 then 'failed' else 'pending' end`,
    3 * large + 1,
    events,
  );
  await addEvents(
    ours,
    sql.lit(idOf('dom', FLAPPING)),
    sql`case when n = ${sql.lit(events + 1)} then 'domain.verified' else 'domain.active' end`,
    N,
    sql`case when n = ${sql.lit(events + 1)} then 'failed' else 'delivered' end`,
    events + 1,
    events + domains / 100,
  );
  // Adds one test key that is older than ten thousand live keys.
  await run(sql`
    insert into api_keys (id, app_id, name, mode, prefix, last4, hash, created_at)
    select ${id('key', N)}, ${ours}, 'key', case when n = 1 then 'test' else 'live' end, 'sk', '1234', 'hash ' || n, ${sql.lit(FIRST_AT)} + n
    from ${numbers(1, Math.min(10_000, large))}`);
  await run(sql`
    insert into domain_counts (account_id, used, added) values (${account_id}, ${large}, ${large})
    on conflict (account_id) do update set used = excluded.used, added = excluded.added`);
}

/**
 * Metadata keys, each with an SQL condition for the half of the large app's domains that have it. Only three domains have both `even` and
 * `odd`.
 */
const COMMON_KEYS = {
  even: 'n % 2 = 0',
  odd: 'n % 2 = 1 or n < 7',
  pairs: 'n % 4 < 2',
  fours: 'n % 8 < 4',
  eights: 'n % 16 < 8',
};
