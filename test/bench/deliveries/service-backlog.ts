import type pg from 'pg';

/**
 * This file creates millions of rows inside the database. Event bodies are short, because a claim does not read the bodies of events that
 * it does not claim.
 */
const EVENTS_PER_DOMAIN = 10;
const APPS = 1_000;
const HOUR_MS = 3_600_000;

/**
 * Adds events, ten for each domain. Every 50th domain waits for a retry, with half of its events delivered. 400 domains of twenty apps are
 * due. All other events are delivered.
 */
export async function fillBacklog(client: pg.Client, events: number): Promise<void> {
  const now = Date.now() - HOUR_MS;
  const indexes = await dropIndexes(client, 'events');
  await client.query(`
    insert into apps (id, account_id, name, origin_reachable, origin_failures, webhook_url, whitelabel_verified, target_label,
      apex_redirect_default, signing_secret, created_at)
    select ${id('app', 'a')}, 'acc', 'bench', 0, 0, 'https://hooks.example.com/', 0, 'label ' || a, 'none', 'sealed', ${now}
    from generate_series(0, ${APPS - 1}) a`);
  await client.query(`
    insert into lanes (domain_id, app_id, due_at)
    select ${id('dom', 'd')}, ${id('app', APP_OF)},
      case when d < 400 then ${now} when d % 50 = 0 then ${now + 100 * HOUR_MS} end
    from generate_series(0, ${events / EVENTS_PER_DOMAIN - 1}) d`);
  await client.query(`
    insert into events (id, domain_id, app_id, mode, seq, type, hostname, created_at, body, delivery_status, attempts, tries, next_attempt_at)
    select ${id('evt', 'e')}, ${id('dom', 'd')}, ${id('app', APP_OF)}, 'live', seq, 'domain.active', 'careers.example.com', ${now} + e, '{}',
      case when (d < 400 or d % 50 = 0) and seq > ${EVENTS_PER_DOMAIN / 2} then 'pending' else 'delivered' end, 0, 0,
      case when d < 400 then ${now} else ${now + 100 * HOUR_MS} end
    from (
      select e, e / ${EVENTS_PER_DOMAIN} as d, e % ${EVENTS_PER_DOMAIN} + 1 as seq from generate_series(0, ${events - 1}) e
    ) made`);
  for (const index of indexes) await client.query(index);
}

/** Schedules a future job for each domain, except for a hundred domains whose job is due. */
export async function scheduleDomains(client: pg.Client, domains: number): Promise<void> {
  const now = Date.now();
  await client.query(`
    insert into jobs (kind, subject_id, app_id, due_at, attempts)
    select 'check_dns', ${id('dom', 'd')}, ${id('app', APP_OF)}, case when d < 100 then ${now - HOUR_MS} else ${now + HOUR_MS} + d end, 0
    from generate_series(0, ${domains - 1}) d`);
}

/** The due domains belong to twenty apps. */
const APP_OF = `case when d < 400 then d % 20 else d % ${APPS} end`;

function id(prefix: string, number: string): string {
  return `'${prefix}_' || lpad((${number})::text, 26, '0')`;
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
