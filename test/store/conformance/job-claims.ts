import { expect, test } from 'vitest';
import { JOB_KINDS } from '../../../shared/core/domains/job.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import type { DueApp } from '../../../shared/store/due-apps.ts';
import { finishJob, holdsJob, type NewJob, postponeJob } from '../../../shared/store/jobs/jobs.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { aJob, JOB_LEASE_MS, jobTable } from '../jobs/job-table.ts';
import { anApp, NOW, newId } from '../rows.ts';

/** Tests that due jobs are claimed under a lease, and finished. */
export function jobClaimTests(store: () => Tx): void {
  const { rows, leaseEnds, schedule, claim, claimOne } = jobTable(store);

  test('claims jobs in the order in which they became due, each under its own lease', async () => {
    const [third, first, second, later] = [3, 1, 2, 4].map((i) => aJob({ due_at: NOW + i })) as [
      NewJob,
      NewJob,
      NewJob,
      NewJob,
    ];
    await schedule(third, first, second, later);
    const claimed = await claim(NOW + 3);
    expect(claimed.map(({ subject_id, due_at }) => [subject_id, due_at])).toEqual(
      [first, second, third].map(({ subject_id, due_at }) => [subject_id, due_at]),
    );
    expect(new Set(claimed.map(({ lease_id }) => lease_id)).size).toBe(3);
  });

  test('orders jobs due at the same time by kind, then subject', async () => {
    const [a, b] = [newId('dom'), newId('dom')];
    for (const kind of ['retry', 'advance', 'expire'] as const)
      await schedule(aJob({ kind, subject_id: b }), aJob({ kind, subject_id: a }));
    const order = (await claim(NOW)).map(({ kind, subject_id }) => [kind, subject_id]);
    expect(order).toEqual(
      ['advance', 'expire', 'retry'].flatMap((kind) => [
        [kind, a],
        [kind, b],
      ]),
    );
  });

  test('claims no more than asked for, and the rest next', async () => {
    const jobs = Array.from({ length: 5 }, (_, i) => aJob({ due_at: NOW + i }));
    await schedule(...jobs);
    const subjects = async () => (await claim(NOW + 9, { limit: 2 })).map(({ subject_id }) => subject_id);
    const ids = jobs.map(({ subject_id }) => subject_id);
    expect([await subjects(), await subjects(), await subjects(), await subjects()]).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
      [],
    ]);
  });

  test.each(JOB_KINDS)('claims only %s jobs if asked for that kind', async (kind) => {
    await schedule(...JOB_KINDS.map((each) => aJob({ kind: each })));
    expect((await claim(NOW, { kinds: [kind] })).map((job) => job.kind)).toEqual([kind]);
    expect(await claim(NOW, { kinds: [kind] })).toEqual([]);
  });

  test('a claim takes as many jobs of an app and a kind as the share allows, and any number of jobs without an app', async () => {
    const [full, other] = [newId('app'), newId('app')];
    const account = newId('acc');
    await insertApp(store(), anApp({ id: full, account_id: account }));
    const late = Array.from({ length: 9 }, (_, i) => aJob({ app_id: full, due_at: NOW - 99 + i }));
    const behind = [aJob({ app_id: other, due_at: NOW - 5 }), aJob({ app_id: null, due_at: NOW - 4 })];
    const expiring = [1, 2].map((i) => aJob({ kind: 'expire', app_id: full, due_at: NOW - i }));
    await schedule(...late, ...behind, ...expiring);
    const roomOf = ({ kind, account_id }: DueApp) => (account_id !== account ? 9 : kind === 'expire' ? 1 : 0);
    const claimed = await claim(NOW, { shareOut: () => ({ roomOf, takes: () => true }) });
    expect(claimed.map(({ subject_id, app_id, account_id }) => [subject_id, app_id, account_id])).toEqual([
      ...behind.map(({ subject_id, app_id }) => [subject_id, app_id, null]),
      [expiring[1]?.subject_id, full, account],
    ]);
  });

  test('leaves a job unchanged that a claim does not take', async () => {
    const [first, second] = [aJob(), aJob({ due_at: NOW + 1 })];
    await schedule(first, second);
    const asked: (string | null)[] = [];
    const takes = ({ app_id }: DueApp) => {
      asked.push(app_id);
      return app_id === second.app_id;
    };
    const claimed = await claim(NOW + 1, { shareOut: () => ({ roomOf: () => 9, takes }) });
    expect(asked).toEqual([first.app_id, second.app_id]);
    expect(claimed).toMatchObject([{ subject_id: second.subject_id, app_id: second.app_id, attempts: 1 }]);
    expect(await rows()).toMatchObject([{ ...first, lease_id: null, attempts: 0 }, { attempts: 1 }]);
  });

  test('claims a leased job only after its lease has ended, and counts its attempts', async () => {
    await schedule(aJob());
    const first = await claimOne(NOW);
    expect(await claim(NOW + JOB_LEASE_MS - 1)).toEqual([]);
    const second = await claimOne(NOW + JOB_LEASE_MS);
    expect(second.lease_id).not.toBe(first.lease_id);
    expect(second.due_at).toBe(NOW);
    expect(await rows()).toMatchObject([{ attempts: 2, lease_id: second.lease_id, due_at: NOW }]);
    expect(await leaseEnds()).toEqual([NOW + 2 * JOB_LEASE_MS]);
  });

  test('a finished job is due again then, with nothing left of the lease', async () => {
    const job = aJob();
    await schedule(job);
    await finishJob(store(), await claimOne(NOW), NOW + 5);
    expect(await rows()).toEqual([{ ...job, due_at: NOW + 5, lease_id: null, attempts: 0 }]);
  });

  test('deletes a job that is finished for good, and no other', async () => {
    const other = aJob({ due_at: NOW + 1 });
    await schedule(aJob(), other);
    await finishJob(store(), await claimOne(NOW), null);
    expect(await rows()).toMatchObject([{ subject_id: other.subject_id }]);
  });

  test.each([null, NOW + 5])(
    'a worker that lost the lease holds nothing and finishes nothing (%s)',
    async (dueAt) => {
      await schedule(aJob());
      const lost = await claimOne(NOW);
      const held = await claimOne(NOW + JOB_LEASE_MS);
      expect(await holdsJob(store(), lost)).toBe(false);
      expect(await holdsJob(store(), held)).toBe(true);
      const before = await rows();
      await finishJob(store(), lost, dueAt);
      await postponeJob(store(), lost, NOW + 7);
      expect(await rows()).toEqual(before);
    },
  );

  test('postpones a failed job with its attempts', async () => {
    const job = aJob();
    await schedule(job);
    for (const attempts of [1, 2]) {
      await postponeJob(store(), await claimOne(NOW + attempts), NOW + attempts + 1);
      expect(await rows()).toEqual([{ ...job, due_at: NOW + attempts + 1, lease_id: null, attempts }]);
    }
  });

  test('20 concurrent claims share no job and leave none', async () => {
    const jobs = Array.from({ length: 100 }, (_, i) => aJob({ due_at: NOW - i }));
    await schedule(...jobs);
    const rounds = await Promise.all(Array.from({ length: 20 }, () => claim(NOW, { limit: 7 })));
    const claimed = rounds.flat().map(({ subject_id }) => subject_id);
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = (await claim(NOW)).map(({ subject_id }) => subject_id);
    expect([...claimed, ...rest].sort()).toEqual(jobs.map(({ subject_id }) => subject_id).sort());
  });
}
