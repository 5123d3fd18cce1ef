import { type CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommittingClient } from '../../service/database/committing-client.ts';
import { openPostgresStore, type PostgresStore } from '../../service/database/postgres-store.ts';
import { createWaitingCommits } from '../../service/database/waiting-commits.ts';
import type { AccountId } from '../../shared/core/ids.ts';
import { openPostgres } from '../../shared/store/postgres.ts';
import { runTogether } from '../../shared/store/run-together.ts';
import { inTransaction, runWithCommit, type Store } from '../../shared/store/store.ts';
import { createDatabase, describePostgres, type TestDatabase } from '../fixtures/postgres/postgres.ts';

const BROKEN_BEGIN = 'begin isolation level none';

describePostgres('The start of a transaction on Postgres saves round trips', () => {
  let database: TestDatabase;
  let opened: PostgresStore;

  beforeAll(async () => {
    database = await createDatabase();
    opened = openPostgresStore({
      connectionString: database.url,
      connectionsMax: 2,
      onIdleError: () => undefined,
    });
    await sql`create table accounts (id text primary key, name text)`.execute(opened.store.db);
  });

  afterAll(async () => {
    await opened.close();
    await database[Symbol.asyncDispose]();
  });

  const names = (store: Store) => store.db.selectFrom('accounts').select('name').orderBy('name').compile();
  const insertion = (store: Store, name: string): CompiledQuery =>
    sql`insert into accounts values (${name}, ${name})`.compile(store.db);
  const written = async () => (await opened.store.db.executeQuery(names(opened.store))).rows;

  /** Runs `work` and records what the connection sends. @returns the texts of the statements, joined if no response came between them. */
  async function writesOf(work: () => Promise<unknown>): Promise<string[]> {
    const client = await opened.pool.connect();
    const { stream } = client.connection;
    client.release();
    const writes: string[] = [];
    let isAnswered = true;
    const note = (text: string) => {
      if (isAnswered) writes.push('');
      isAnswered = false;
      writes[writes.length - 1] += text;
    };
    const answered = () => {
      isAnswered = true;
    };
    stream.on('data', answered);
    const { _writev, _write } = stream;
    Object.assign(stream, {
      _writev(chunks: { chunk: Buffer }[], done: () => void) {
        note(chunks.map(({ chunk }) => chunk.toString('latin1')).join(''));
        _writev?.call(stream, chunks as never, done);
      },
      _write(chunk: Buffer, encoding: BufferEncoding, done: () => void) {
        note(chunk.toString('latin1'));
        _write.call(stream, chunk, encoding, done);
      },
    });
    await work();
    Object.assign(stream, { _writev, _write });
    stream.off('data', answered);
    return writes;
  }

  test('sends BEGIN with the first reads in one round trip, and further statements together in another', async () => {
    const writes = await writesOf(() =>
      inTransaction(opened.store, async (tx) => {
        await runTogether(tx, names(tx), names(tx));
        await runTogether(tx, insertion(tx, 'one'), insertion(tx, 'two'), names(tx));
      }),
    );
    expect(wordsOf(writes)).toEqual([
      ['begin', 'select', 'select'],
      ['insert', 'insert', 'select'],
      ['commit'],
    ]);
    expect(await written()).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  test('makes a write wait for BEGIN, and makes later reads wait for the write', async () => {
    const writes = await writesOf(async () => {
      const [before, , after] = await inTransaction(opened.store, (tx) =>
        runTogether(tx, names(tx), insertion(tx, 'three'), names(tx)),
      );
      expect([before.length, after.length]).toEqual([2, 3]);
    });
    expect(wordsOf(writes)).toEqual([['begin', 'select'], ['insert', 'select'], ['commit']]);
  });

  test('is followed by one round trip for the last statements and COMMIT', async () => {
    const writes = await writesOf(() =>
      inTransaction(opened.store, async (tx) => {
        await runTogether(tx, names(tx));
        runWithCommit(tx, insertion(tx, 'four'), insertion(tx, 'five'));
      }),
    );
    expect(wordsOf(writes)).toEqual([
      ['begin', 'select'],
      ['insert', 'insert', 'commit'],
    ]);
  });

  test('makes statements that are sent with COMMIT wait for BEGIN', async () => {
    const writes = await writesOf(() =>
      inTransaction(opened.store, async (tx) => runWithCommit(tx, insertion(tx, 'six'))),
    );
    expect(wordsOf(writes)).toEqual([['begin'], ['insert', 'commit']]);
  });

  test('writes nothing if the node refuses a change that is sent with COMMIT', async () => {
    const before = await written();
    let areFull = false;
    const commits = Object.defineProperty(createWaitingCommits(1), 'areFull', { get: () => areFull });
    const refusing = openPostgresStore({
      connectionString: database.url,
      onIdleError: () => undefined,
      commits,
    });
    const refused = inTransaction(refusing.store, async (tx) => {
      await runTogether(tx, insertion(tx, 'stray'));
      areFull = true;
      runWithCommit(tx, insertion(tx, 'refused'));
    });
    await expect(refused).rejects.toMatchObject({ code: '53000' });
    expect(await written()).toEqual(before);
    await refusing.close();
  });

  test('treats a read with a common table expression as a write', async () => {
    const writes = await writesOf(() =>
      inTransaction(opened.store, async (tx) => {
        await tx.db
          .with('gone', (db) =>
            db
              .deleteFrom('accounts')
              .where('id', '=', 'three' as AccountId)
              .returning('id'),
          )
          .selectFrom('gone')
          .selectAll()
          .execute();
      }),
    );
    expect(writes[0]).not.toContain('delete');
  });

  test.each([
    ['a read', false],
    ['a write', true],
  ])('writes nothing if BEGIN fails, although the callback continues after %s', async (_, writesFirst) => {
    const before = await written();
    // A pool whose transactions cannot begin, as during a shutdown of the database.
    const pool = new pg.Pool({
      connectionString: database.url,
      max: 1,
      pipeline: true,
      Client: CommittingClient,
    });
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      const broken = (text: unknown, ...rest: unknown[]) =>
        query(text === 'begin' ? BROKEN_BEGIN : text, ...rest);
      Object.assign(client, { query: broken });
    });
    const store = openPostgres(pool);
    const errors: unknown[] = [];
    const failing = inTransaction(store, async (tx) => {
      const note = (error: unknown) => errors.push(error);
      if (!writesFirst) await tx.db.executeQuery(names(tx)).catch(note);
      await tx.db.executeQuery(insertion(tx, 'stray')).catch(note);
      await tx.db.executeQuery(insertion(tx, 'stray')).catch(note);
      throw new Error('the callback failed');
    });
    await expect(failing).rejects.toThrow();
    expect(errors.map(String)).toEqual(Array(errors.length).fill(expect.stringContaining('syntax error')));
    expect(errors.length).toBe(writesFirst ? 2 : 3);
    expect(await written()).toEqual(before);
    // The pool has discarded the broken connection.
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });
});

/** Returns the keywords (`begin`, `select`, …) in each write. */
function wordsOf(writes: readonly string[]): string[][] {
  return writes.map((write) => [...write.matchAll(/begin|select|insert|commit/g)].map(([word]) => word));
}
