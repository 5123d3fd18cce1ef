import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { describeNats, startNats } from '../../fixtures/nats/nats-server.ts';
import { newFolder, sealed, tamper } from '../edge/replica/sample-values.ts';
import { relayedDatabase } from './relayed-database.ts';

const SOON = { interval: 10 };
const KEY = 'host.careers.acme.com';
const COMPARED = 'the replica of this edge was compared with its source';
const REPAIRED = 'the bucket in NATS differed from the table, and was repaired';

const value = (text: string, version: readonly [number, number] = [1, 1], key = KEY) =>
  sealed(key, { text }, version);

/** Returns the versions of all values in the bucket, sorted by key. */
async function versionsOf(
  bucket: Awaited<ReturnType<Awaited<ReturnType<typeof relayedDatabase>>['bucket']>>,
) {
  const found: string[] = [];
  for await (const messages of (await bucket.openReader(1, { headersOnly: true })).read())
    for (const { value: read } of messages) if (read) found.push(`${read.key} ${read.epoch}.${read.number}`);
  return found.toSorted();
}

describeNats('the relay', () => {
  test('has one writer, and another process takes over when the writer ends or loses its lease', async () => {
    const server = await startNats();
    const { relay, edge, publish, execute } = await relayedDatabase([server.url]);
    const first = await relay('relay-1');
    await expect.poll(() => first.report(), SOON).not.toBeNull();
    const second = await relay('relay-2');
    await publish(value('one'));
    const { ready, text } = await edge();
    await ready;
    const relays = () => [first.report() !== null, second.report() !== null];
    expect(relays()).toEqual([true, false]);
    // As after a freeze: the lease has ended, and another process has it.
    await execute(`update edge_relay set holder = 'relay-2', until = 0`);
    await expect.poll(relays, SOON).toEqual([false, true]);
    await publish(value('two', [1, 2]));
    await expect.poll(() => text(KEY), SOON).toBe('two');
    await second.close();
    await expect.poll(relays, SOON).toEqual([true, false]);
    await publish(value('three', [1, 3]));
    await expect.poll(() => text(KEY), SOON).toBe('three');
  });

  test('fills a new bucket after the server lost its disk, and edges compare their replica with it', async () => {
    const server = await startNats();
    const { relay, edge, publish, bucket } = await relayedDatabase([server.url]);
    await publish(value('one'), value('held', [1, 1], 'hold.*.evil.example'));
    await relay();
    const follower = await edge();
    await follower.ready;
    await server.kill();
    await publish(value('two', [1, 2]));
    server.loseDisk();
    await server.restart();
    await expect.poll(() => follower.text(KEY), SOON).toBe('two');
    await expect.poll(() => follower.logged, SOON).toContain(COMPARED);
    expect(await versionsOf(await bucket())).toEqual(['hold.*.evil.example 1.1', `${KEY} 1.2`]);
    const empty = await edge(newFolder(), 'edge-2');
    await empty.ready;
    expect(empty.text(KEY)).toBe('two');
  });

  test('repairs a bucket that another program has changed, and counts the differences', async () => {
    const server = await startNats();
    const { relay, publish, bucket, edge, connection } = await relayedDatabase([server.url]);
    await publish(
      value('one'),
      value('other', [1, 1], 'host.other.com'),
      value('plain', [1, 1], 'host.plain.com'),
    );
    const first = await relay('relay-1');
    await (await edge()).ready;
    await first.close();
    const written = await bucket();
    const found = await written.last(KEY);
    await written.put(value('forged', [1, 9]), found?.sequence ?? 0);
    await written.purge('host.other.com', (await written.last('host.other.com'))?.sequence ?? 0);
    await written.put(value('foreign', [1, 1], 'host.foreign.com'), 0);
    // Other tools write messages without a version.
    const nc = await connection();
    nc.publish('$KV.nameplate.host.plain.com', 'text');
    nc.publish('$KV.nameplate.host.stranger.com', 'text');
    await nc.flush();
    const second = await relay('relay-2');
    await expect.poll(() => second.report()?.differences, SOON).toBe(5);
    expect(second.logged).toContain(REPAIRED);
    expect(await versionsOf(written)).toEqual([`${KEY} 1.1`, 'host.other.com 1.1', 'host.plain.com 1.1']);
    const { ready, text } = await edge(newFolder(), 'edge-2');
    await ready;
    expect([text(KEY), text('host.foreign.com')]).toEqual(['one', null]);
  });

  test('refuses the bucket of another installation', async () => {
    const server = await startNats();
    const { relay, publish, edge, execute } = await relayedDatabase([server.url]);
    await publish(value('one'));
    const first = await relay('relay-1');
    await (await edge()).ready;
    await first.close();
    await execute(`update edge_source set installation = 'another'`);
    const second = await relay('relay-2');
    await expect
      .poll(() => second.report()?.error, SOON)
      .toContain('set NAMEPLATE_NATS_BUCKET to another name');
    await execute(`update edge_source set installation = 'one'`);
    await expect.poll(() => second.report()?.error, SOON).toBeNull();
  });

  test('cannot replace what its successor has written, after it was frozen', async () => {
    const server = await startNats();
    const { bucket } = await relayedDatabase([server.url]);
    const frozen = await bucket();
    await frozen.create(1);
    const sequence = await frozen.put(value('one'), 0);
    const successor = await bucket();
    await successor.put(value('two', [1, 2]), sequence);
    await expect(frozen.put(value('stale', [1, 1]), sequence)).rejects.toThrow('another relay has written');
    expect((await successor.last(KEY))?.value?.number).toBe(2);
  });

  test('cannot replace the record of its successor either, nor remove what the successor has written', async () => {
    const server = await startNats();
    const { bucket } = await relayedDatabase([server.url]);
    const frozen = await bucket();
    await frozen.create(1);
    const record = { installation: 'one', generation: 'first', is_complete: false };
    const sequence = await frozen.putRecord(record, 0);
    const old = await frozen.put(value('one'), 0);
    const successor = await bucket();
    await successor.putRecord({ ...record, generation: 'second', is_complete: true }, sequence);
    await successor.put(value('two', [1, 2]), old);
    await expect(frozen.putRecord({ ...record, is_complete: true }, sequence)).rejects.toThrow(
      'another relay',
    );
    await frozen.purge(KEY, old);
    expect((await successor.record()).record?.generation).toBe('second');
    expect((await successor.last(KEY))?.value?.number).toBe(2);
  });

  test('gives its lease back while NATS is away, so that a relay with NATS can take it', async () => {
    const server = await startNats();
    const { relay, publish, edge, execute } = await relayedDatabase([server.url]);
    await publish(value('one'));
    const first = await relay();
    await (await edge()).ready;
    await server.kill();
    await expect.poll(() => [first.report(), first.problem()], SOON).toEqual([null, 'NATS is not connected']);
    const until = async () => {
      const { rows } = await execute('select until from edge_relay');
      return Number((rows as { until: string }[])[0]?.until);
    };
    await expect.poll(until, SOON).toBe(0);
    await server.restart();
    await expect.poll(() => first.report()?.generation ?? null, SOON).not.toBeNull();
  });

  test('delivers changes to edges while the bucket accepts none', async () => {
    const server = await startNats();
    const { relay, edge, publish, bucket } = await relayedDatabase([server.url]);
    await publish(value('one'));
    await relay();
    const { ready, text } = await edge();
    await ready;
    // As while the servers of a cluster elect a leader.
    const other = await bucket();
    const found = await other.last(KEY);
    other.tell(value('two', [1, 2]));
    await expect.poll(() => text(KEY), SOON).toBe('two');
    other.tell(value('replayed', [1, 1]));
    await other.put(value('two', [1, 2]), found?.sequence ?? 0);
    await publish(value('three', [1, 3]));
    await expect.poll(() => text(KEY), SOON).toBe('three');
  });

  test('sends what changed without a relay before it compares the bucket', async () => {
    const server = await startNats();
    const { relay, publish, bucket, execute } = await relayedDatabase([server.url]);
    await publish(value('one'));
    const first = await relay('relay-1');
    const position = async () => (await execute('select mark from edge_relay where mark is not null')).rows;
    await expect.poll(position, SOON).toHaveLength(1);
    await first.close();
    await publish(sealed(KEY, null, [1, 2]));
    const done: string[] = [];
    onTestFinished((await bucket()).listen(({ key }) => done.push(`${key} is sent`)));
    const second = await relay('relay-2', (table) => ({
      ...table,
      async *changes(since) {
        await delay(500); // A comparison that did not wait would begin now.
        return yield* table.changes(since);
      },
      installation() {
        done.push('the comparison begins');
        return table.installation();
      },
    }));
    await expect.poll(() => done, SOON).toEqual([`${KEY} is sent`, 'the comparison begins']);
    // The bucket lacks the change, but nothing is wrong with the bucket.
    await expect.poll(() => second.report()?.generation ?? null, SOON).not.toBeNull();
    expect([second.report()?.differences, second.logged.includes(REPAIRED)]).toEqual([0, false]);
  });

  test('reports no differences after more changes than can wait for the bucket', async () => {
    const server = await startNats();
    const { relay, publish } = await relayedDatabase([server.url]);
    const values = (number: number) =>
      Array.from({ length: 10_001 }, (_, n) => value(`${number}`, [1, number], `host.h${n}.acme.com`));
    await publish(...values(1));
    const first = await relay();
    await expect.poll(() => first.report()?.generation ?? null, SOON).not.toBeNull();
    await server.kill();
    await expect.poll(() => first.report(), SOON).toBeNull();
    await publish(...values(2));
    await server.restart();
    const complete = { generation: expect.any(String), pending: 0, differences: 0 };
    await expect.poll(() => first.report(), SOON).toMatchObject(complete);
    expect(first.logged).not.toContain(REPAIRED);
  });

  test('sends deletions and holds again while the bucket refuses them, and other values once', async () => {
    const server = await startNats();
    // A server without a cluster cannot keep three copies.
    const { relay, publish, bucket } = await relayedDatabase([server.url], 3);
    const told: string[] = [];
    const observer = await bucket();
    onTestFinished(observer.listen(({ key }) => told.push(key)));
    const first = await relay();
    await expect.poll(() => first.report()?.error, SOON).toContain('cannot write to the bucket');
    await publish(
      value('one'),
      sealed('host.gone.com', null, [1, 4]),
      value('held', [1, 1], 'hold.*.evil.example'),
    );
    const times = (key: string) => told.filter((each) => each === key).length;
    await expect.poll(() => times('host.gone.com'), SOON).toBeGreaterThan(2);
    expect([times('hold.*.evil.example') > 2, times(KEY)]).toEqual([true, 1]);
  });

  test('ends, and edges serve what they have until a relay runs again', async () => {
    const server = await startNats();
    const { relay, edge, publish } = await relayedDatabase([server.url]);
    await publish(value('one'));
    const first = await relay();
    const { ready, text, logged, replica } = await edge();
    await ready;
    await first.close();
    await expect
      .poll(() => logged, SOON)
      .toContain('the edge cannot read changes, and serves what its replica has');
    const { beat } = replica.lastBeat();
    expect(text(KEY)).toBe('one');
    await relay('relay-2');
    await expect.poll(() => replica.lastBeat().beat > beat, SOON).toBe(true);
    expect(logged).toContain('the edge follows its source again');
  });

  test('brings a hold to an edge whose reader was lost', async () => {
    const server = await startNats();
    const { relay, edge, publish } = await relayedDatabase([server.url]);
    await publish(value('one'));
    await relay();
    const { ready, text } = await edge();
    await ready;
    // The server forgets all readers when it starts again.
    await server.kill();
    await server.restart();
    await publish(value('held', [1, 1], 'hold.*.evil.example'));
    await expect.poll(() => text('hold.*.evil.example'), SOON).toBe('held');
  });

  test('brings an old replica up to date, even one of a former bucket', async () => {
    const server = await startNats();
    const { relay, edge, publish } = await relayedDatabase([server.url]);
    await publish(value('one'));
    await relay();
    const first = await edge();
    await first.ready;
    await first.close();
    tamper(
      first.folder,
      `update facts set value = json_set(value, '$.source', 'former') where name = 'position'`,
    );
    await publish(value('two', [1, 2]));
    const second = await edge(first.folder);
    await second.ready;
    await expect.poll(() => second.text(KEY), SOON).toBe('two');
    expect(second.logged).toContain(COMPARED);
  });
});
