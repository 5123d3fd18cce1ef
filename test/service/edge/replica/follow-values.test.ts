import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../shared/core/instant.ts';
import { claimEpoch, findEdgeValues } from '../../../../shared/store/edge/edge-values.ts';
import { autocommit } from '../../../../shared/store/store.ts';
import { describePostgres } from '../../../fixtures/postgres/postgres.ts';
import { followedDatabase, watchedStore } from './followed-database.ts';
import { newFolder, replicaIn, sealed, tamper, textOf } from './sample-values.ts';

const SOON = { interval: 10 };
const KEY = 'host.careers.acme.com';
const COMPARED = 'the replica of this edge was compared with its source';
const AWAY = 'the edge cannot read changes, and serves what its replica has';
const WAITS = 'the edge cannot read changes, and waits for its first copy';

const value = (text: string, version: readonly [number, number] = [1, 1], key = KEY) =>
  sealed(key, { text }, version);
const gone = (version: readonly [number, number], key = KEY) => sealed(key, null, version);
const hosts = (count: number) =>
  Array.from({ length: count }, (_, n) => `host.h${String(n).padStart(4, '0')}.acme.com`);

/** Makes a replica take its database for another one, as it does after a restart, a failover or a restore. */
function forgetSource(folder: string): void {
  tamper(
    folder,
    `update facts set value = json_set(value, '$.source', 'another server') where name = 'position'`,
  );
}

describePostgres('the follower of an edge machine', () => {
  test('copies all values before it is ready, in pages, and then follows each change', async () => {
    const { publish, follow } = await followedDatabase();
    await publish(...hosts(25).map((key) => value('one', [1, 1], key)), gone([1, 5], 'host.gone.com'));
    const edge = follow(newFolder(), { page: 4 });
    await edge.ready;
    expect(edge.replica.count('host.')).toBe(25);
    await publish(
      value('two', [1, 2], hosts(1)[0]),
      gone([1, 2], hosts(2)[1]),
      value('new', [1, 6], 'host.gone.com'),
    );
    await expect.poll(() => edge.text('host.gone.com'), SOON).toBe('new');
    expect(hosts(3).map(edge.text)).toEqual(['two', null, 'one']);
    expect(edge.logged).toEqual([]);
  });

  test('ends with the last value of a hostname that changes a thousand times in a row', async () => {
    const { publish, follow } = await followedDatabase();
    const edge = follow(newFolder(), { pollMs: 1 });
    await edge.ready;
    let last = 0;
    for (let n = 1; n <= 1_000; n++) {
      await publish(n % 10 === 9 ? gone([1, n]) : value(`${n}`, [1, n]));
      const seen = Number(edge.text(KEY) ?? last);
      expect(seen).toBeGreaterThanOrEqual(last);
      last = seen;
    }
    await expect.poll(() => edge.text(KEY), SOON).toBe('1000');
    expect(edge.replica.versions('', null)).toEqual([{ key: KEY, epoch: 1, number: 1_000 }]);
  });

  test('completes a first copy that ended in the middle, and is ready only then', async () => {
    const { publish, follow, store } = await followedDatabase();
    await publish(...hosts(20).map((key) => value('one', [1, 1], key)));
    const folder = newFolder();
    let reads = 0;
    const failing = watchedStore(store, () => {
      reads += 1;
      if (reads > 6) throw new Error('the connection broke');
    });
    const first = follow(folder, { store: failing, page: 4 });
    await expect.poll(() => first.logged, SOON).toEqual([WAITS]);
    let isReady = false;
    void first.ready.then(() => {
      isReady = true;
    });
    const copied = first.replica.count('host.');
    expect([copied > 0, copied < 20]).toEqual([true, true]);
    expect(first.replica.position()).toBeNull();
    expect(isReady).toBe(false);
    await first.close();
    // A deletion that the clean-up has forgotten since, and a change.
    await publish(gone([1, 2], hosts(1)[0]), value('two', [1, 2], hosts(20)[19]));
    await autocommit(store)
      .db.deleteFrom('edge_values')
      .where('key', '=', hosts(1)[0] ?? '')
      .execute();
    const second = follow(folder, { page: 4 });
    await second.ready;
    expect(hosts(20).map(second.text)).toEqual([null, ...Array(18).fill('one'), 'two']);
    expect(second.replica.position()).not.toBeNull();
  });

  test('goes on with a first copy after the connection broke, without a restart', async () => {
    const { publish, follow, store } = await followedDatabase();
    await publish(...hosts(20).map((key) => value('one', [1, 1], key)));
    let reads = 0;
    const failing = watchedStore(store, () => {
      reads += 1;
      if (reads === 7) throw new Error('the connection broke');
    });
    const edge = follow(newFolder(), { store: failing, page: 4 });
    await edge.ready;
    expect(edge.replica.count('host.')).toBe(20);
    expect(edge.logged).toContain(WAITS);
  });

  test('does not treat a first copy as complete if it is closed in the middle', async () => {
    const { publish, follow, store } = await followedDatabase();
    await publish(...hosts(20).map((key) => value('one', [1, 1], key)));
    const folder = newFolder();
    let reads = 0;
    let closing: Promise<void> | undefined;
    const closed = watchedStore(store, () => {
      reads += 1;
      if (reads === 6) closing = edge.close();
    });
    const edge = follow(folder, { store: closed, page: 4 });
    await expect.poll(() => closing !== undefined, SOON).toBe(true);
    await closing;
    const again = replicaIn(folder);
    expect(again.count('host.')).toBeLessThan(20);
    expect(again.position()).toBeNull();
  });

  test('continues from its position after a restart, and reads only what changed', async () => {
    const { publish, follow, store } = await followedDatabase();
    await publish(...hosts(20).map((key) => value('one', [1, 1], key)));
    const first = follow();
    await first.ready;
    await first.close();
    await publish(gone([1, 2], hosts(1)[0]), value('two', [1, 2], hosts(2)[1]));
    let reads = 0;
    const counted = watchedStore(store, () => {
      reads += 1;
    });
    const second = follow(first.folder, { store: counted, pollMs: 60_000 });
    await second.ready;
    expect(hosts(3).map(second.text)).toEqual([null, 'two', 'one']);
    expect(second.logged).toEqual([]);
    expect(reads).toBeLessThanOrEqual(2);
  });

  test('compares its values if the database became another one, and takes what the database has even with lower versions', async () => {
    const { publish, follow, execute } = await followedDatabase();
    await publish(
      value('one', [1, 1]),
      value('same', [1, 3], 'host.same.com'),
      gone([1, 2], 'host.back.com'),
    );
    const first = follow();
    await first.ready;
    // These commits are lost when a standby without them is promoted.
    await publish(
      value('lost', [1, 2]),
      value('lost', [1, 1], 'host.lost.com'),
      gone([1, 4], 'host.same.com'),
    );
    await expect.poll(() => first.text('host.lost.com'), SOON).toBe('lost');
    await first.close();
    await execute(`delete from edge_values where key = 'host.lost.com'`);
    await publish(
      value('one', [1, 1]),
      value('same', [1, 3], 'host.same.com'),
      value('back', [1, 1], 'host.back.com'),
    );
    forgetSource(first.folder);
    const second = follow(first.folder, { page: 1 });
    await second.ready;
    const keys = [KEY, 'host.same.com', 'host.back.com', 'host.lost.com'];
    expect(keys.map(second.text)).toEqual(['one', 'same', 'back', null]);
    expect(second.logged).toEqual([COMPARED]);
  });

  test('takes the first values of a new epoch although their numbers are lower than those of the lost commits', async () => {
    const { publish, follow, execute, store } = await followedDatabase();
    await publish(value('newest', [1, 9]));
    const edge = follow();
    await edge.ready;
    // A dump of yesterday is restored in another database, in which a node then writes.
    await execute(`update edge_source set server = 'the server of the dump'`);
    const epoch = await claimEpoch(autocommit(store), 'ignored');
    expect(epoch).toBe(2);
    await publish(value('restored', [epoch, 3]));
    await expect.poll(() => edge.text(KEY), SOON).toBe('restored');
    // A process that was frozen since before the restore has this value.
    edge.replica.apply([value('frozen', [1, 10])]);
    expect(edge.text(KEY)).toBe('restored');
  });

  test('compares values of equal versions as different ones if a restore has raised the epoch, also in the same database', async () => {
    const { publish, follow, execute, store } = await followedDatabase();
    await publish(value('lost', [1, 2]));
    const first = follow();
    await first.ready;
    await first.close();
    // Restores a dump as `pg_restore --clean` does, in which the value has the number 1.
    await execute(`begin; create table restored (like edge_source including all); insert into restored select * from edge_source;
      drop table edge_source; alter table restored rename to edge_source; commit`);
    const epoch = await claimEpoch(autocommit(store), 'ignored');
    await publish(value('right', [epoch, 2]));
    forgetSource(first.folder);
    const second = follow(first.folder);
    await second.ready;
    expect(second.text(KEY)).toBe('right');
    expect(await claimEpoch(autocommit(store), 'ignored')).toBe(epoch);
  });

  test.each(['after a restart', 'while it runs'])(
    'removes a value whose deletion it missed for over 30 days, %s',
    async (when) => {
      const { publish, follow, forgetDeletions, clock, store } = await followedDatabase();
      await publish(value('one'), value('kept', [1, 1], 'host.kept.com'));
      let isAway = false;
      const watched = watchedStore(store, () => {
        if (isAway) throw new Error('away');
      });
      const first = follow(newFolder(), { store: watched });
      await first.ready;
      isAway = true;
      await expect.poll(() => first.logged, SOON).toEqual([AWAY]);
      if (when === 'after a restart') await first.close();
      await publish(gone([1, 2]));
      clock.at += 31 * DAY_MS;
      await forgetDeletions();
      isAway = false;
      const second = when === 'after a restart' ? follow(first.folder) : first;
      await expect.poll(() => second.text(KEY), SOON).toBeNull();
      expect(second.text('host.kept.com')).toBe('kept');
      await expect.poll(() => second.logged, SOON).toContain(COMPARED);
    },
  );

  test('stores nothing in the replica of another installation, and says so', async () => {
    const { publish, follow, execute } = await followedDatabase();
    await publish(value('one'));
    const first = follow();
    await first.ready;
    await first.close();
    await execute(`update edge_source set installation = 'another'`);
    await publish(value('two', [1, 2]));
    const second = follow(first.folder, { pollMs: 60_000 });
    await expect.poll(() => String(second.unusable), SOON).toContain('another installation');
    expect(second.replica.position()).toBeNull();
    expect(second.text(KEY)).toBe('one');
  });

  test('waits with an empty replica while its installation has no value, and then copies the first ones', async () => {
    const { publish, follow, execute, store } = await followedDatabase();
    await execute('delete from edge_source');
    const edge = follow();
    await edge.ready;
    expect(edge.replica.position()).toBeNull();
    await claimEpoch(autocommit(store), 'new');
    await publish(value('first'));
    await expect.poll(() => edge.text(KEY), SOON).toBe('first');
    await expect.poll(() => edge.replica.position()?.installation, SOON).toBe('new');
  });

  test('copies values that it cannot open as they are, because it has no keys', async () => {
    const { publish, follow, store } = await followedDatabase();
    const poisoned = { key: KEY, epoch: 1, number: 1, value: Buffer.alloc(3_000_000, 0xff) };
    await publish(poisoned, value('next', [1, 1], 'host.next.com'));
    const edge = follow();
    await edge.ready;
    expect(edge.replica.find(KEY)?.value.length).toBe(3_000_000);
    expect(textOf(edge.replica, 'host.next.com')).toBe('next');
    expect((await findEdgeValues(store, [KEY])).get(KEY)?.number).toBe(1);
  });
});
