import { describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { claimEpoch, saveEdgeValues } from '../../../shared/store/edge/edge-values.ts';
import { autocommit, inTransaction } from '../../../shared/store/store.ts';
import { describeNats, startNats } from '../../fixtures/nats/nats-server.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { followedDatabase } from '../edge/replica/followed-database.ts';
import { newFolder, sealed, tamper } from '../edge/replica/sample-values.ts';
import { relayedDatabase } from './relayed-database.ts';

/** The rules for every source of values, on each source with its real server. */

const SOON = { timeout: 15_000, interval: 10 };
const KEY = 'host.careers.acme.com';
const COMPARED = 'the replica of this edge was compared with its source';

const value = (text: string, version: readonly [number, number] = [1, 1], key = KEY) =>
  sealed(key, { text }, version);
const gone = (version: readonly [number, number], key = KEY) => sealed(key, null, version);
const hosts = (count: number) =>
  Array.from({ length: count }, (_, n) => `host.h${String(n).padStart(4, '0')}.acme.com`);

/** A database whose values edges follow directly. */
async function withPostgres() {
  const database = await followedDatabase();
  return {
    ...database,
    follow: async (folder = newFolder()) => database.follow(folder),
    /** Makes replicas take their source for another one, as after a failover. */
    failOver: async (folder: string) =>
      tamper(
        folder,
        `update facts set value = json_set(value, '$.source', 'another') where name = 'position'`,
      ),
  };
}

/** A database whose values edges follow through NATS. */
async function withNats() {
  const server = await startNats();
  const database = await relayedDatabase([server.url]);
  let relay: Awaited<ReturnType<typeof database.relay>> | null = null;
  const restart = async (meanwhile: () => Promise<unknown>) => {
    await relay?.close();
    await meanwhile();
    relay = await database.relay('relay-2');
  };
  return {
    ...database,
    async follow(folder = newFolder()) {
      relay ??= await database.relay();
      return database.edge(folder);
    },
    forgetDeletions: () => restart(database.forgetDeletions),
    failOver: (_folder: string) =>
      restart(() =>
        database.execute(`update edge_relay set mark = '{"source":"another","snapshot":"1:1:"}'`),
      ),
  };
}

function sourceTests(name: string, open: typeof withPostgres | typeof withNats): void {
  describe(`the source ${name}`, () => {
    test('has all values for a first copy, deleted ones too, and then each change', async () => {
      const { publish, follow } = await open();
      await publish(
        ...hosts(1_200).map((key) => value('one', [1, 1], key)),
        gone([1, 5], 'host.gone.com'),
        value('held', [1, 1], 'hold.*.evil.example'),
      );
      const edge = await follow();
      await edge.ready;
      expect(edge.replica.count('host.')).toBe(1_200);
      expect(edge.text('hold.*.evil.example')).toBe('held');
      await publish(
        value('two', [1, 2], hosts(1)[0]),
        gone([1, 2], hosts(2)[1]),
        value('new', [1, 6], 'host.gone.com'),
        gone([1, 2], 'hold.*.evil.example'),
      );
      await expect.poll(() => edge.text('host.gone.com'), SOON).toBe('new');
      const read = [...hosts(3), 'hold.*.evil.example'];
      await expect.poll(() => read.map(edge.text), SOON).toEqual(['two', null, 'one', null]);
    });

    test('has a change whose transaction began first and committed last', async () => {
      const { publish, follow, store } = await open();
      const edge = await follow();
      await publish(value('early', [1, 1], 'host.early.com'));
      await edge.ready;
      const { promise: hold, resolve: release } = Promise.withResolvers<void>();
      const { promise: written, resolve: markWritten } = Promise.withResolvers<void>();
      const late = inTransaction(store, async (tx) => {
        await saveEdgeValues(tx, [value('late', [1, 1], 'host.late.com')], 0);
        markWritten();
        await hold;
      });
      await written;
      await publish(value('next', [1, 2], 'host.early.com'));
      await expect.poll(() => edge.text('host.early.com'), SOON).toBe('next');
      expect(edge.text('host.late.com')).toBeNull();
      release();
      await late;
      await expect.poll(() => edge.text('host.late.com'), SOON).toBe('late');
    });

    test('ends with the last value of a hostname that changes often, and never goes back', async () => {
      const { publish, follow } = await open();
      await publish(value('0', [1, 1]));
      const edge = await follow();
      await edge.ready;
      let last = 0;
      for (let n = 2; n <= 300; n++) {
        await publish(n % 10 === 9 ? gone([1, n]) : value(`${n}`, [1, n]));
        const seen = Number(edge.text(KEY) ?? last);
        expect(seen).toBeGreaterThanOrEqual(last);
        last = seen;
      }
      await expect.poll(() => edge.text(KEY), SOON).toBe('300');
    });

    test('continues from the position of a replica', async () => {
      const { publish, follow } = await open();
      await publish(...hosts(20).map((key) => value('one', [1, 1], key)));
      const first = await follow();
      await first.ready;
      await first.close();
      await publish(gone([1, 2], hosts(1)[0]), value('two', [1, 2], hosts(2)[1]));
      const second = await follow(first.folder);
      await second.ready;
      await expect.poll(() => hosts(3).map(second.text), SOON).toEqual([null, 'two', 'one']);
      expect(second.logged).not.toContain(COMPARED);
    });

    test('replaces newer values after a failover that lost them, and removes values that it lacks', async () => {
      const { publish, follow, execute, failOver } = await open();
      await publish(value('one'), value('same', [1, 3], 'host.same.com'), gone([1, 2], 'host.back.com'));
      const edge = await follow();
      await edge.ready;
      await publish(
        value('lost', [1, 2]),
        value('lost', [1, 1], 'host.lost.com'),
        gone([1, 4], 'host.same.com'),
      );
      await expect.poll(() => edge.text('host.lost.com'), SOON).toBe('lost');
      await expect.poll(() => edge.text('host.same.com'), SOON).toBeNull();
      await edge.close();
      await execute(`delete from edge_values where key = 'host.lost.com'`);
      await publish(
        value('one'),
        value('same', [1, 3], 'host.same.com'),
        value('back', [1, 1], 'host.back.com'),
      );
      await failOver(edge.folder);
      const after = await follow(edge.folder);
      const keys = [KEY, 'host.same.com', 'host.back.com', 'host.lost.com'];
      await expect.poll(() => keys.map(after.text), SOON).toEqual(['one', 'same', 'back', null]);
      await after.ready;
    });

    test('has the first values of a new epoch, whose numbers are lower', async () => {
      const { publish, follow, execute, store } = await open();
      await publish(value('newest', [1, 9]));
      const edge = await follow();
      await edge.ready;
      await execute(`update edge_source set server = 'the server of the dump'`);
      const epoch = await claimEpoch(autocommit(store), 'ignored');
      await publish(value('restored', [epoch, 3]));
      await expect.poll(() => edge.text(KEY), SOON).toBe('restored');
    });

    test('removes a value whose deletion was forgotten while the edge was away', async () => {
      const { publish, follow, forgetDeletions } = await open();
      await publish(value('one'), value('kept', [1, 1], 'host.kept.com'));
      const first = await follow();
      await first.ready;
      await first.close();
      await publish(gone([1, 2]));
      await forgetDeletions();
      tamper(
        first.folder,
        `update facts set value = json_set(value, '$.at', value ->> '$.at' - ${31 * DAY_MS}) where name = 'position'`,
      );
      const second = await follow(first.folder);
      await expect.poll(() => second.text(KEY), SOON).toBeNull();
      await second.ready;
      expect(second.text('host.kept.com')).toBe('kept');
      expect(second.logged).toContain(COMPARED);
    });

    test('has no values yet in a new installation, and then the first ones', async () => {
      const { publish, follow, execute, store } = await open();
      await execute('delete from edge_source');
      const edge = await follow();
      await edge.ready;
      await claimEpoch(autocommit(store), 'new');
      await publish(value('first'));
      await expect.poll(() => edge.text(KEY), SOON).toBe('first');
      await expect.poll(() => edge.replica.position()?.installation, SOON).toBe('new');
    });

    test('replaces a value that is too long for a message, and delivers the values after it', async () => {
      const { publish, follow } = await open();
      await publish(value('before'));
      const edge = await follow();
      await edge.ready;
      await publish({ key: KEY, epoch: 1, number: 2, value: Buffer.alloc(3_000_000, 0xff) });
      await publish(value('next', [1, 1], 'host.next.com'));
      await expect.poll(() => edge.text('host.next.com'), SOON).toBe('next');
      await vi.waitFor(() => expect(() => edge.text(KEY)).toThrow('unknown format'), SOON);
    });
  });
}

describePostgres('sources with Postgres', () => sourceTests('postgres', withPostgres));
describeNats('sources with NATS', () => sourceTests('nats', withNats));
