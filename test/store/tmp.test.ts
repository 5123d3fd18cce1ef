import { expect, test } from 'vitest';
import { createDatabase, describePostgres } from '../fixtures/postgres.ts';
import pg from 'pg';
describePostgres('x', () => {
  test('y', async () => {
    await using db = await createDatabase();
    const c = new pg.Client({ connectionString: db.url });
    await c.connect();
    console.log((await c.query("select version(), 'a' < 'B' as icu, 'a' < 'B' collate \"C\" as c")).rows);
    await c.end();
    expect(1).toBe(Number(process.env.FAIL ?? 1));
  });
});
