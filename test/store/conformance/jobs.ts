import { expect, test } from 'vitest';
import {
  dropJobLeases,
  finishJob,
  holdsJob,
  makeJobDue,
  nextJobDue,
  postponeJob,
  scheduleJobOnce,
  selectJobs,
} from '../../../shared/store/jobs/jobs.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { aJob, JOB_LEASE_MS, jobTable } from '../jobs/job-table.ts';
import { NOW, newId } from '../rows.ts';
import { cancelJobs, replaceJobs } from '../writes.ts';

/** Tests that jobs are scheduled, and listed for an operator. */
export function jobTests(store: () => Tx): void {
  const { rows, schedule, claim, claimOne } = jobTable(store);

  test('a rescheduled job is due then, and its worker loses the lease', async () => {
    const job = aJob();
    await schedule(job);
    const running = await claimOne(NOW);
    await schedule({ ...job, due_at: NOW + 1 });
    expect(await rows()).toEqual([{ ...job, due_at: NOW + 1, lease_id: null, attempts: 0 }]);
    expect(await holdsJob(store(), running)).toBe(false);
    await finishJob(store(), running, null);
    expect(await rows()).toHaveLength(1);
    expect((await claimOne(NOW + 1)).subject_id).toBe(job.subject_id);
  });

  test('a job can be postponed as well as brought forward', async () => {
    const job = aJob({ app_id: null });
    for (const dueAt of [NOW + 5, NOW + 9, NOW + 1]) {
      await schedule({ ...job, due_at: dueAt });
      expect(await nextJobDue(store())).toBe(dueAt);
    }
  });

  test('scheduling a job once leaves an existing one unchanged, also for 20 at the same time', async () => {
    const job = aJob();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => scheduleJobOnce(store(), { ...job, due_at: NOW + i })),
    );
    const [first, ...more] = await rows();
    expect(more).toEqual([]);
    const leased = await claimOne(NOW + 20);
    await scheduleJobOnce(store(), { ...job, due_at: NOW });
    expect(await rows()).toEqual([{ ...first, lease_id: leased.lease_id, attempts: 1 }]);
  });

  test('replaces the jobs of a subject among the given kinds', async () => {
    const subject = { subject_id: newId('dom'), app_id: newId('app') };
    const foreign = aJob({ kind: 'expire' });
    await schedule(foreign, aJob({ ...subject, kind: 'prune' }), aJob({ ...subject, kind: 'expire' }));
    await schedule(aJob({ ...subject, kind: 'advance', due_at: NOW + 1 }));
    await replaceJobs(
      store(),
      subject,
      ['advance', 'expire', 'retry'],
      [
        { kind: 'advance', due_at: NOW + 7 },
        { kind: 'retry', due_at: NOW + 8 },
      ],
    );
    const left = (await rows()).map(({ kind, subject_id, due_at }) => [kind, subject_id, due_at]);
    expect(left).toEqual([
      ['expire', foreign.subject_id, NOW],
      ['prune', subject.subject_id, NOW],
      ['advance', subject.subject_id, NOW + 7],
      ['retry', subject.subject_id, NOW + 8],
    ]);
    await replaceJobs(store(), subject, ['advance', 'expire', 'retry'], []);
    expect((await rows()).map(({ kind }) => kind)).toEqual(['expire', 'prune']);
  });

  test('cancels only the given kinds of a subject, including leased ones', async () => {
    const subjectId = newId('dom');
    const other = aJob();
    await schedule(aJob({ subject_id: subjectId }), aJob({ subject_id: subjectId, kind: 'expire' }));
    await claim(NOW, { kinds: ['advance'] });
    await schedule(other);
    await cancelJobs(store(), subjectId, ['advance', 'retry']);
    const left = (await rows()).map((row) => [row.kind, row.subject_id]).sort();
    expect(left).toEqual([
      ['advance', other.subject_id],
      ['expire', subjectId],
    ]);
  });

  test('the next due job is the earliest free one, of all kinds or the given ones', async () => {
    expect(await nextJobDue(store())).toBeNull();
    await schedule(aJob({ kind: 'expire' }), aJob({ kind: 'advance', due_at: NOW + 2 * JOB_LEASE_MS }));
    expect(await nextJobDue(store())).toBe(NOW);
    expect(await nextJobDue(store(), ['advance', 'retry'])).toBe(NOW + 2 * JOB_LEASE_MS);
    expect(await nextJobDue(store(), ['retry'])).toBeNull();
    expect(await nextJobDue(store(), [])).toBeNull();
    expect(await nextJobDue(store(), undefined, NOW - 1)).toBe(NOW);
    expect(await nextJobDue(store(), undefined, NOW)).toBe(NOW + 2 * JOB_LEASE_MS);
    const leased = await claimOne(NOW);
    expect(await nextJobDue(store())).toBe(NOW + 2 * JOB_LEASE_MS);
    await finishJob(store(), leased, NOW + 1);
    expect(await nextJobDue(store())).toBe(NOW + 1);
  });

  test('lists jobs for an operator, the next due first, by time and attempts', async () => {
    const [failing, leased, later] = [
      aJob(),
      aJob({ due_at: NOW + 1 }),
      aJob({ due_at: NOW + 9 * JOB_LEASE_MS }),
    ] as const;
    await schedule(later, leased, failing);
    await postponeJob(store(), await claimOne(NOW), NOW);
    await postponeJob(store(), await claimOne(NOW), NOW + 2);
    await claimOne(NOW + 1);
    const seen = [
      { ...leased, attempts: 1, leased: true },
      { ...failing, due_at: NOW + 2, attempts: 2, leased: false },
      { ...later, attempts: 0, leased: false },
    ];
    expect(await selectJobs(store(), { limit: 9 })).toEqual(seen);
    expect(await selectJobs(store(), { limit: 1 })).toEqual(seen.slice(0, 1));
    expect(await selectJobs(store(), { dueBefore: NOW + 2, limit: 9 })).toEqual(seen.slice(0, 2));
    expect(await selectJobs(store(), { attemptsMin: 2, limit: 9 })).toEqual(seen.slice(1, 2));
  });

  test('lets an operator make a job due, even if a worker holds it', async () => {
    const job = aJob({ due_at: NOW });
    const other = aJob({ due_at: NOW + 9 });
    await schedule(job, other);
    const running = await claimOne(NOW);
    expect(await makeJobDue(store(), job.kind, job.subject_id, NOW + 1)).toBe(true);
    expect(await holdsJob(store(), running)).toBe(false);
    expect((await claimOne(NOW + 1)).subject_id).toBe(job.subject_id);
    expect(await makeJobDue(store(), 'retry', job.subject_id, NOW)).toBe(false);
    expect(await makeJobDue(store(), job.kind, newId('dom'), NOW)).toBe(false);
    expect(await nextJobDue(store())).toBe(NOW + 9);
  });

  test('dropping all leases makes leased jobs due now and leaves the rest', async () => {
    const later = aJob({ due_at: NOW + 9 });
    await schedule(aJob(), later);
    const leased = await claimOne(NOW);
    await dropJobLeases(store(), NOW + 1);
    expect(await holdsJob(store(), leased)).toBe(false);
    expect(await rows()).toMatchObject([
      { subject_id: leased.subject_id, due_at: NOW + 1, lease_id: null },
      { ...later, lease_id: null },
    ]);
  });
}
