import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { SealedValue } from '../../../shared/core/edge/edge-value.ts';
import { saveChallenge } from '../../../shared/store/certificates/challenges.ts';
import { currentMark, type Mark } from '../../../shared/store/commit-order.ts';
import { insertHold } from '../../../shared/store/domains/holds.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { insertEdgeDrain } from '../../../shared/store/edge/edge-drains.ts';
import {
  claimEpoch,
  findEdgeValues,
  findInstallation,
  listEdgeChanges,
  listEdgeDeletions,
  listEdgeValues,
  listEdgeVersions,
  lockEdgeKeys,
  saveEdgeValues,
} from '../../../shared/store/edge/edge-values.ts';
import {
  findReconciled,
  listReconciled,
  RECONCILED,
  type ReconciledSubjects,
  saveReconciled,
} from '../../../shared/store/edge/reconciled.ts';
import { prune } from '../../../shared/store/prune.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { NOTHING, NOW, newId } from '../rows.ts';

/** No program publishes values to edges from SQLite, where a value keeps its place in the order of commits when it is replaced. */
const ONLY_INSERTS = 'SQLite numbers only new values';
const PAGE = { after: '', limit: 100 };
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

export function edgeValueTests(store: () => Tx): void {
  const value = (key: string, number = 1, text: string | null = key): SealedValue => ({
    key,
    epoch: 1,
    number,
    value: text === null ? null : bytes(text),
  });
  const save = (...values: SealedValue[]) => saveEdgeValues(store(), values, NOW);
  const stored = async (key: string) => textOf((await findEdgeValues(store(), [key])).get(key));

  test('a saved value replaces the value of its key, and a deleted value keeps its version', async () => {
    await save();
    await save(value('host.a.com'), value('host.b.com'));
    expect(await stored('host.a.com')).toEqual({
      key: 'host.a.com',
      epoch: 1,
      number: 1,
      text: 'host.a.com',
    });
    await save({ ...value('host.a.com', 4, null), epoch: 2 });
    expect(await stored('host.a.com')).toEqual({ key: 'host.a.com', epoch: 2, number: 4, text: null });
    expect(await stored('host.b.com')).toMatchObject({ number: 1, text: 'host.b.com' });
    expect((await findEdgeValues(store(), ['host.c.com'])).size).toBe(0);
    expect((await findEdgeValues(store(), [])).size).toBe(0);
  });

  test('values and versions are listed in pages, in the byte order of their keys, with the deleted ones', async () => {
    const keys = ['app.a', 'host.-a', 'host.A', 'host.a', 'host.a.b', 'host.ab', 'host.é'];
    await save(...keys.toReversed().map((key, n) => value(key, n + 1, key === 'host.a' ? null : key)));
    for (const limit of [1, 3, 100]) {
      const [values, versions]: [SealedValue[], object[]] = [[], []];
      for (let after = ''; ; ) {
        const page = { after, limit };
        const read = await listEdgeValues(store(), page);
        versions.push(...(await listEdgeVersions(store(), page)));
        values.push(...read);
        if (read.length < limit) break;
        after = read.at(-1)?.key ?? '';
      }
      expect(values.map(({ key }) => key)).toEqual(keys);
      expect(values.filter((each) => each.value === null).map(({ key }) => key)).toEqual(['host.a']);
      expect(versions).toEqual(values.map(({ key, epoch, number }) => ({ key, epoch, number })));
    }
  });

  test('deletions are listed in pages, by their time and then by their key, from a time on', async () => {
    const gone = (...keys: string[]) => keys.map((key) => value(key, 2, null));
    await saveEdgeValues(store(), gone('host.old'), NOW - 1);
    await saveEdgeValues(store(), [...gone('host.c', 'host.a', 'host.b'), value('host.stays')], NOW);
    await saveEdgeValues(store(), gone('app.later'), NOW + 1);
    for (const limit of [1, 2, 100]) {
      const listed: string[] = [];
      let last = { key: '', deleted_at: NOW as number | null };
      for (let rows = [last]; rows.length > 0; last = rows.at(-1) ?? last) {
        rows = await listEdgeDeletions(store(), { since: last.deleted_at ?? 0, after: last.key, limit });
        listed.push(...rows.map(({ key }) => key));
      }
      expect(listed).toEqual(['host.a', 'host.b', 'host.c', 'app.later']);
    }
  });

  test('values of a range of keys are listed in pages', async () => {
    await save(...['app.a', 'hold.*.a', 'hold.a', 'hold.b', 'host.a'].map((key) => value(key)));
    const listed = await Promise.all(
      ['hold.', 'hold.a'].map((after) => listEdgeValues(store(), { after, before: 'hold/', limit: 2 })),
    );
    expect(listed.map((rows) => rows.map(({ key }) => key))).toEqual([['hold.*.a', 'hold.a'], ['hold.b']]);
  });

  test('the changes since a mark contain the newest version of each key once, in pages of one snapshot', async ({
    skip,
  }) => {
    skip(!store().flags.rowLocks, ONLY_INSERTS);
    await save(value('host.old.com'), value('host.one.com'));
    const since = await currentMark(store(), 'edge_values');
    await save(value('host.two.com'), value('host.one.com', 2));
    await inTransaction(store(), async (tx) => {
      await saveEdgeValues(tx, [value('host.two.com', 2)], NOW);
      await saveEdgeValues(tx, [value('host.two.com', 3, null), value('app.a')], NOW);
    });
    const listed = async (from: Mark, until: Mark | null, page = PAGE) => {
      const { now, rows } = await listEdgeChanges(store(), { since: from, until }, page);
      return { now, rows: rows.map(({ key, number }) => `${key} ${number}`) };
    };
    const { now, rows } = await listed(since, null);
    expect(rows).toEqual(['app.a 1', 'host.one.com 2', 'host.two.com 3']);
    await save(value('host.three.com'), value('host.old.com', 2));
    expect((await listed(since, now)).rows).toEqual(rows);
    expect((await listed(since, now, { after: 'app.a', limit: 1 })).rows).toEqual(['host.one.com 2']);
    expect((await listed(since, now, { after: 'host.one.com', limit: 5 })).rows).toEqual(['host.two.com 3']);
    expect((await listed(now, null)).rows).toEqual(['host.old.com 2', 'host.three.com 1']);
    expect((await listed((await listed(now, null)).now, null)).rows).toEqual([]);
  });

  test('a change that the end of a range leaves out is found from that end on', async ({ skip }) => {
    skip(!store().flags.rowLocks, ONLY_INSERTS);
    const since = await currentMark(store(), 'edge_values');
    await save(value('host.a.com'));
    const until = await currentMark(store(), 'edge_values');
    await save(value('host.a.com', 2));
    const { rows } = await listEdgeChanges(store(), { since, until }, PAGE);
    expect(rows).toEqual([]);
    const later = await listEdgeChanges(store(), { since: until, until: null }, PAGE);
    expect(later.rows.map(({ number }) => number)).toEqual([2]);
  });

  test('the versions of deleted values are forgotten after their retention, and other values stay', async () => {
    await saveEdgeValues(store(), [value('host.old.com', 2, null)], NOW - 1);
    await saveEdgeValues(store(), [value('host.young.com', 2, null), value('host.a.com')], NOW);
    await prune(store(), { ...NOTHING, edgeValues: NOW });
    const keys = (await listEdgeVersions(store(), PAGE)).map(({ key }) => key);
    expect(keys).toEqual(['host.a.com', 'host.young.com']);
  });

  test('a value that is saved again after its deletion is not forgotten', async () => {
    await saveEdgeValues(store(), [value('host.a.com', 2, null)], NOW - 1);
    await save(value('host.a.com', 3));
    await prune(store(), { ...NOTHING, edgeValues: NOW + 1 });
    expect(await stored('host.a.com')).toMatchObject({ number: 3, text: 'host.a.com' });
  });

  test('two transactions that lock the same keys in any order raise the number one after the other', async () => {
    const keys = ['host.a.com', 'host.b.com'];
    await save(...keys.map((key) => value(key)));
    const raise = (locked: string[]) =>
      inTransaction(store(), async (tx) => {
        await lockEdgeKeys(tx, locked);
        const found = await findEdgeValues(tx, keys);
        await saveEdgeValues(
          tx,
          keys.map((key) => value(key, (found.get(key)?.number ?? 0) + 1)),
          NOW,
        );
      });
    await Promise.all(Array.from({ length: 10 }, (_, n) => raise(n % 2 === 0 ? keys : keys.toReversed())));
    for (const key of keys) expect(await stored(key)).toMatchObject({ number: 11 });
  });

  test('an installation keeps its first id and its epoch while the database stays the same', async () => {
    expect(await findInstallation(store())).toBeNull();
    expect(await claimEpoch(store(), 'one')).toBe(1);
    expect(await claimEpoch(store(), 'two')).toBe(1);
    expect(await findInstallation(store())).toBe('one');
  });

  test('the epoch rises once if another database wrote the last values, however many transactions notice it', async () => {
    await claimEpoch(store(), 'one');
    await sql`update edge_source set server = 'another'`.execute(store().db);
    const claim = () => inTransaction(store(), (tx) => claimEpoch(tx, 'two'));
    expect(await Promise.all([claim(), claim(), claim()])).toEqual([2, 2, 2]);
    expect(await claimEpoch(store(), 'two')).toBe(2);
    expect(await findInstallation(store())).toBe('one');
  });

  test('the subjects of a reconciliation are all routes, challenges and holds, lost values of hosts and holds, and apps with a value', async () => {
    const id = newId('dom');
    for (const hostname of ['a.com', 'b.com', 'c.com']) await takeRoute(store(), hostname, id, true);
    for (const [hostname, token] of [
      ['a.com', '1'],
      ['a.com', '2'],
      ['d.com', '3'],
    ] as const)
      await saveChallenge(store(), {
        hostname,
        token,
        domain_id: id,
        method: 'http-01',
        key_authorization: 'k',
      });
    await insertEdgeDrain(store(), { node: 'fra-1', actor: 'ada', drained_at: NOW });
    await insertHold(store(), { hostname: '*.evil.example', reason: null, created_at: NOW });
    await save(
      ...[
        'host.b.com',
        'host.lost.com',
        'host.x.com',
        'hold.*.evil.example',
        'hold.lost.com',
        'drain.fra-1',
        'drain.lost',
      ].map((key) => value(key)),
      ...['app.1', 'app.2', 'apq.3', 'challenge.h', 'chain.h'].map((key) => value(key)),
      value('host.gone.com', 2, null),
      value('hold.gone.com', 2, null),
      value('app.gone', 2, null),
      value('chain.gone', 2, null),
      value('dns.h'),
    );
    const listed = await Promise.all(RECONCILED.map((of) => listReconciled(store(), of, PAGE)));
    expect(Object.fromEntries(RECONCILED.map((of, n) => [of, listed[n]?.names]))).toEqual({
      routes: ['a.com', 'b.com', 'c.com'],
      challenges: ['a.com', 'd.com'],
      delegations: [id],
      holds: ['*.evil.example'],
      drains: ['fra-1'],
      lost_hosts: ['lost.com', 'x.com'],
      lost_holds: ['lost.com'],
      lost_drains: ['lost'],
      apps: ['1', '2'],
      chains: ['h'],
      answers: ['h'],
      texts: ['h'],
    });
    const page = (of: ReconciledSubjects, after: string) => listReconciled(store(), of, { after, limit: 1 });
    expect(await page('routes', 'a.com')).toEqual({ names: ['b.com'], last: 'b.com' });
    expect(await page('lost_hosts', 'lost.com')).toEqual({ names: ['x.com'], last: 'x.com' });
    // A page of values that are not lost is not the last one.
    expect(await page('lost_hosts', '')).toEqual({ names: [], last: 'b.com' });
    expect(await page('apps', 'gone')).toEqual({ names: [], last: null });
  });

  test('the position of a reconciliation is the start until one is saved', async () => {
    await claimEpoch(store(), 'one');
    expect(await findReconciled(store())).toEqual({ of: 'routes', after: '', began: 0 });
    await saveReconciled(store(), { of: 'holds', after: 'a.com', began: NOW });
    expect(await findReconciled(store())).toEqual({ of: 'holds', after: 'a.com', began: NOW });
    expect(await claimEpoch(store(), 'two')).toBe(1);
    expect(await findReconciled(store())).toEqual({ of: 'holds', after: 'a.com', began: NOW });
  });
}

function textOf(found: SealedValue | undefined) {
  if (found === undefined) return null;
  const { value, ...rest } = found;
  return { ...rest, text: value && Buffer.from(value).toString() };
}
