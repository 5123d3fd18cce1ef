import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openPostgresNotices, type PostgresNotices } from '../../../service/database/postgres-notices.ts';
import type { Notice } from '../../../shared/ports/system.ts';
import { createDatabase, describePostgres } from '../../fixtures/postgres/postgres.ts';

const LISTENERS =
  "select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'";

describePostgres('Notices between nodes are not lost silently', () => {
  function open(
    connectionString: string,
    onGap: () => void = () => undefined,
    logged: string[] = [],
  ): PostgresNotices {
    const add = (_: unknown, message: string) => void logged.push(message);
    const log = { info: add, warn: add, error: console.error };
    // Turns pings off, because a ping would replace the query by which `LISTENERS` finds the connection.
    return openPostgresNotices({ connectionString, log, onGap, pingMs: 1_000_000 });
  }

  async function query(url: string, sql: string): Promise<pg.QueryResult['rows']> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  test('are all sent before the connection closes, at whatever moment a node closes it', async () => {
    await using database = await createDatabase();
    const listener = open(database.url);
    const heard: Notice[] = [];
    listener.subscribe((notice) => heard.push(notice));
    await expect.poll(() => query(database.url, LISTENERS)).toHaveLength(1);
    // Closes the sender in three moments: before the batch is sent, while it is sent, and when the batch is due but the connection is not
    // yet open.
    for (const [waitMs, isConnected] of [
      [0, true],
      [7, true],
      [7, false],
    ] as const) {
      const teller = open(database.url);
      const isOpen = () => expect.poll(() => query(database.url, LISTENERS)).toHaveLength(2);
      if (isConnected) await isOpen();
      const told = Array.from({ length: 3_000 }, (_, n) => `d${n}.w${waitMs}-${isConnected}.example.com`);
      for (const hostname of told) teller.publish({ kind: 'route', hostname });
      await sleep(waitMs);
      if (!isConnected) await isOpen();
      await teller.close();
      await expect.poll(() => heard.length).toBe(told.length);
      expect(heard).toEqual(told.map((hostname) => ({ kind: 'route', hostname })));
      heard.length = 0;
    }
    await listener.close();
  });

  test('report a gap when their connection breaks, and only one new connection replaces it', async () => {
    await using database = await createDatabase();
    let gaps = 0;
    const notices = open(database.url, () => {
      gaps += 1;
    });
    for (let breaks = 1; breaks <= 2; breaks++) {
      await expect.poll(() => query(database.url, LISTENERS)).toHaveLength(1);
      await query(database.url, `select pg_terminate_backend(pid) from (${LISTENERS}) as listeners`);
      await expect.poll(() => gaps).toBe(breaks);
    }
    await expect.poll(() => query(database.url, LISTENERS)).toHaveLength(1);
    expect(gaps).toBe(2);
    await notices.close();
  });

  test('log an outage once for each problem, and its end', async () => {
    await using database = await createDatabase();
    const { pathname } = new URL(database.url);
    const other = new URL('/postgres', database.url).href;
    const allow = (isAllowed: boolean) =>
      query(other, `alter database "${pathname.slice(1)}" allow_connections ${isAllowed}`);
    let gaps = 0;
    const logged: string[] = [];
    const notices = open(database.url, () => ++gaps, logged);
    await expect.poll(() => query(database.url, LISTENERS)).toHaveLength(1);
    await allow(false);
    await query(
      other,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${pathname.slice(1)}'`,
    );
    await expect.poll(() => gaps).toBeGreaterThan(3);
    await allow(true);
    const lost = 'the connection for notices was lost; reconnecting';
    await expect.poll(() => logged).toEqual([lost, lost, 'the connection for notices works again']);
    await notices.close();
  });
});
