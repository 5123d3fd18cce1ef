import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../../../service/database/postgres-store.ts';
import { inTransaction } from '../../../shared/store/store.ts';
import { createDatabase, describePostgres, type TestDatabase } from '../../fixtures/postgres/postgres.ts';

/** A statement is prepared after fewer uses than this. */
const OFTEN = 30;
/** One connection prepares fewer statements than this. */
const TEXTS = 400;

describePostgres('Prepared statements on Postgres save work', () => {
  let database: TestDatabase;
  let opened: PostgresStore;

  beforeAll(async () => {
    database = await createDatabase();
    opened = openPostgresStore({
      connectionString: database.url,
      connectionsMax: 1,
      onIdleError: () => undefined,
    });
  });
  beforeEach(async () => {
    await sql`drop table if exists things`.execute(opened.store.db);
    await sql`create table things (id bigint, name text)`.execute(opened.store.db);
    await sql`insert into things values (1, 'one')`.execute(opened.store.db);
  });
  afterAll(async () => {
    await opened.close();
    await database[Symbol.asyncDispose]();
  });

  const read = async (store = opened.store) =>
    (await sql`select * from things where id = ${1}`.execute(store.db)).rows;
  const write = async () =>
    (await sql`update things set name = ${'two'} where id = ${1} returning *`.execute(opened.store.db)).rows;
  const repeat = async (work: () => Promise<unknown>) => {
    for (let n = 0; n < OFTEN; n++) await work();
  };
  /** Returns how often the connection has executed each prepared statement. */
  const prepared = async () => {
    const { rows } = await sql<{ statement: string; uses: number }>`
      select statement, generic_plans + custom_plans as uses from pg_prepared_statements`.execute(
      opened.store.db,
    );
    return rows;
  };
  const addColumn = () => sql`alter table things add column kind text`.execute(opened.store.db);

  test('are created by a connection for a statement that is sent often, but not for a statement that is sent once', async () => {
    await repeat(() => read());
    await sql`select id from things where id = ${2}`.execute(opened.store.db);
    const texts = await prepared();
    expect(texts.map(({ statement }) => statement)).toEqual(['select * from things where id = $1']);
    expect(texts[0]?.uses).toBeGreaterThan(OFTEN / 2);
  });

  test('return the columns that a migration adds', async () => {
    await repeat(() => read());
    await repeat(() => write());
    await addColumn();
    expect(await read()).toEqual([{ id: 1, name: 'two', kind: null }]);
    await repeat(() => write());
    await sql`alter table things add column size text`.execute(opened.store.db);
    expect(await write()).toEqual([{ id: 1, name: 'two', kind: null, size: null }]);
  });

  test('are replaced if a migration has outdated them, and the transaction runs again', async () => {
    await repeat(() => inTransaction(opened.store, (tx) => read(tx)));
    await addColumn();
    let runs = 0;
    const rows = await inTransaction(opened.store, (tx) => {
      runs++;
      return read(tx);
    });
    expect({ rows, runs }).toEqual({ rows: [{ id: 1, name: 'one', kind: null }], runs: 2 });
  });

  test('are limited in number for each connection', async () => {
    for (let n = 0; n < TEXTS; n++) {
      const text = sql`select ${sql.lit(n)} from things where id = ${1}`;
      for (let uses = 0; uses < 11; uses++) await text.execute(opened.store.db);
    }
    expect((await prepared()).length).toBeGreaterThan(200);
    expect((await prepared()).length).toBeLessThanOrEqual(TEXTS - 100);
  });
});
