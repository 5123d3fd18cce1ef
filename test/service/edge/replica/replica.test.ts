import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replicaFile } from '../../../../service/edge/replica/replica-file.ts';
import { DAY_MS } from '../../../../shared/core/instant.ts';
import { replicaIn, sealed, tamper, textOf } from './sample-values.ts';

const KEY = 'host.careers.acme.com';
const POSITION = { source: 's', snapshot: '1:1:', installation: 'one', at: 1_000 };

const value = (text: string, version: readonly [number, number], key = KEY) => sealed(key, { text }, version);
const gone = (version: readonly [number, number], key = KEY) => sealed(key, null, version);
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => value(`${n}`, [1, 1], `host.${n}.acme.com`));

describe("a machine's replica stores values", () => {
  it('has the values and the position after it was closed and opened again', () => {
    const { folder, ...first } = replicaIn();
    expect(first.position()).toBeNull();
    first.apply([value('one', [1, 1]), value('two', [1, 1], 'app.1'), gone([1, 4], 'host.gone.com')]);
    first.holdsLease(0);
    first.beat(5_000, POSITION);
    first.close();
    const again = replicaIn(folder);
    expect([KEY, 'app.1', 'host.gone.com', 'host.unknown.com'].map((key) => textOf(again, key))).toEqual([
      'one',
      'two',
      null,
      null,
    ]);
    expect(again.keysOf('host.')).toEqual([KEY]);
    expect([again.count('host.'), again.count('app.'), again.count('hold.')]).toEqual([1, 1, 0]);
    expect(again.position()).toEqual(POSITION);
    expect(again.lastBeat().at).toBe(5_000);
  });

  it('keeps values, names and deletions apart for keys that begin with the same text', () => {
    const replica = replicaIn();
    replica.apply(
      ['hold.a.com', 'hold.*.a.com', 'holder.a.com', 'host.a.com'].map((key) => value('x', [1, 1], key)),
    );
    expect(replica.keysOf('hold.')).toEqual(['hold.*.a.com', 'hold.a.com']);
    replica.apply([gone([1, 2], 'hold.*.a.com')]);
    expect(replica.keysOf('hold.')).toEqual(['hold.a.com']);
    expect(replica.versions('', null).map(({ key, number }) => [key, number])).toEqual([
      ['hold.*.a.com', 2],
      ['hold.a.com', 1],
      ['holder.a.com', 1],
      ['host.a.com', 1],
    ]);
    expect(replica.versions('hold.*.a.com', 'holder.a.com').map(({ key }) => key)).toEqual([
      'hold.a.com',
      'holder.a.com',
    ]);
  });

  it('ends with the last of a hundred changes of one value, and keeps one copy', () => {
    const replica = replicaIn();
    for (let n = 1; n <= 100; n++) replica.apply([value(`${n}`, [1, n])]);
    expect(textOf(replica, KEY)).toBe('100');
    expect(replica.count('')).toBe(1);
    expect(replica.versions('', null)).toEqual([{ key: KEY, epoch: 1, number: 100 }]);
  });
});

describe('a replica does not grow with what its source has forgotten', () => {
  it('a replica drops the versions of values that were deleted over 30 days ago, some with each beat', () => {
    const replica = replicaIn();
    const now = 100 * DAY_MS;
    const deleted = (at: number, count: number) =>
      Array.from({ length: count }, (_, n) => gone([1, at + n], `host.${at}-${n}.com`));
    replica.apply([...deleted(now - 31 * DAY_MS, 250), ...deleted(now - 29 * DAY_MS, 3)]);
    replica.apply([value('old', [1, now - 31 * DAY_MS])]);
    replica.holdsLease(0);
    replica.beat(now, POSITION);
    expect(replica.versions('', null).length).toBeLessThan(254);
    for (let beats = 0; beats < 9; beats++) replica.beat(now, POSITION);
    const kept = [KEY, ...deleted(now - 29 * DAY_MS, 3).map(({ key }) => key)];
    expect(replica.versions('', null).map(({ key }) => key)).toEqual(kept.toSorted());
  });
});

describe("a replica's newest version wins, in whatever order versions arrive", () => {
  it.each<[string, (readonly [number, number])[], string]>([
    [
      'a lower number never replaces a higher number of the same epoch',
      [
        [1, 3],
        [1, 2],
      ],
      '1/3',
    ],
    [
      'a lower number of a higher epoch replaces a higher number',
      [
        [1, 9],
        [2, 1],
      ],
      '2/1',
    ],
    [
      'a higher number of a lower epoch never replaces a value',
      [
        [2, 1],
        [1, 9],
      ],
      '2/1',
    ],
    [
      'a higher number of the same epoch replaces a value',
      [
        [2, 1],
        [2, 2],
      ],
      '2/2',
    ],
  ])('%s', (_, versions, expected) => {
    const replica = replicaIn();
    for (const version of versions) replica.apply([value(version.join('/'), version)]);
    expect(textOf(replica, KEY)).toBe(expected);
    const together = replicaIn();
    together.apply(versions.map((version) => value(version.join('/'), version)));
    expect(textOf(together, KEY)).toBe(expected);
  });

  it('an older value never undoes a deletion, and a newer value does', () => {
    const replica = replicaIn();
    replica.apply([value('old', [1, 1])]);
    replica.apply([gone([1, 3])]);
    replica.apply([value('late', [1, 2])]);
    expect(textOf(replica, KEY)).toBeNull();
    replica.apply([value('new', [1, 4])]);
    expect(textOf(replica, KEY)).toBe('new');
    replica.apply([gone([1, 3])]);
    expect(textOf(replica, KEY)).toBe('new');
    expect(replica.versions('', null)).toHaveLength(1);
  });

  it('a comparison replaces a higher version by a lower one, because the source has lost commits', () => {
    const replica = replicaIn();
    replica.apply([value('lost', [1, 9]), gone([1, 9], 'host.a.com'), value('extra', [1, 1], 'host.b.com')]);
    replica.replace([
      { key: KEY, compared: { epoch: 1, number: 9 }, value: value('kept', [1, 2]) },
      { key: 'host.a.com', compared: { epoch: 1, number: 9 }, value: value('back', [1, 1], 'host.a.com') },
      { key: 'host.b.com', compared: { epoch: 1, number: 1 }, value: null },
      { key: 'host.c.com', compared: null, value: value('added', [1, 1], 'host.c.com') },
    ]);
    const keys = [KEY, 'host.a.com', 'host.b.com', 'host.c.com'];
    expect(keys.map((key) => textOf(replica, key))).toEqual(['kept', 'back', null, 'added']);
    // Nothing remains of a key that the source does not know, so that any version of it is new.
    expect(replica.versions('host.b', 'host.b~')).toEqual([]);
  });

  it('a comparison leaves a value alone that changed after its version was read', () => {
    const replica = replicaIn();
    const compared = { epoch: 1, number: 1 };
    replica.apply([value('one', [1, 1]), value('one', [1, 1], 'host.a.com')]);
    replica.apply([value('two', [1, 2]), gone([1, 2], 'host.a.com')]);
    replica.replace([
      { key: KEY, compared, value: null },
      { key: 'host.a.com', compared, value: value('one', [1, 1], 'host.a.com') },
      { key: 'host.b.com', compared, value: value('b', [1, 1], 'host.b.com') },
    ]);
    expect([KEY, 'host.a.com', 'host.b.com'].map((key) => textOf(replica, key))).toEqual(['two', null, null]);
  });
});

describe("a replica's changes reach every process of the machine", () => {
  it('lists the exact keys that changed since the last call, once, whichever process changed them', () => {
    const writer = replicaIn();
    writer.apply([value('before', [1, 1])]);
    const reader = replicaIn(writer.folder);
    expect(reader.changes()).toEqual([]);
    writer.apply([value('two', [1, 2]), value('a', [1, 1], 'host.a.com')]);
    writer.apply([gone([1, 2], 'host.a.com')]);
    writer.replace([{ key: 'host.c.com', compared: null, value: value('c', [1, 1], 'host.c.com') }]);
    const keys = ['host.a.com', 'host.a.com', 'host.c.com', KEY];
    expect(reader.changes()?.sort()).toEqual(keys);
    expect(reader.changes()).toEqual([]);
    expect(writer.changes()?.sort()).toEqual([...keys, KEY]);
    expect(writer.changes()).toEqual([]);
  });

  it('lists nothing after a beat, and for a value that is not newer', () => {
    const replica = replicaIn();
    replica.apply([value('one', [1, 1])]);
    replica.changes();
    replica.holdsLease(0);
    replica.beat(1, POSITION);
    replica.apply([value('again', [1, 1])]);
    expect(replica.changes()).toEqual([]);
  });

  it('says that anything may have changed after a transaction with over 400 values', () => {
    const replica = replicaIn();
    replica.apply(numbered(400));
    expect(replica.changes()).toHaveLength(400);
    replica.apply(numbered(401).map((each) => ({ ...each, number: 2 })));
    expect(replica.changes()).toBeNull();
    expect(replica.changes()).toEqual([]);
  });

  it('says that anything may have changed to a reader that has over ten thousand changes to read', () => {
    const writer = replicaIn();
    const reader = replicaIn(writer.folder);
    for (let round = 1; round <= 26; round++)
      writer.apply(numbered(400).map((each) => ({ ...each, number: round })));
    expect(reader.changes()).toBeNull();
    writer.apply([value('next', [1, 1])]);
    expect(reader.changes()).toEqual([KEY]);
  });

  it('says that anything may have changed to a reader whose changes were already deleted', () => {
    const writer = replicaIn();
    const reader = replicaIn(writer.folder);
    writer.apply([value('one', [1, 1])]);
    tamper(writer.folder, 'update sqlite_sequence set seq = 200000');
    writer.apply([value('two', [1, 2])]);
    expect(reader.changes()).toBeNull();
  });

  it('lets a reader find values while another process writes', () => {
    const replica = replicaIn();
    replica.apply([value('one', [1, 1])]);
    const other = new DatabaseSync(replicaFile(replica.folder));
    onTestFinished(() => other.close());
    other.exec("begin immediate; update stored set value = x'00'");
    expect(textOf(replica, KEY)).toBe('one');
    expect(() => replica.apply([value('two', [1, 2])])).toThrow('locked');
    other.exec('rollback');
    replica.apply([value('two', [1, 2])]);
    expect(textOf(replica, KEY)).toBe('two');
  });
});
