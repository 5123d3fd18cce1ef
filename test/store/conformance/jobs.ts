import { expect, test } from 'vitest';
import { JOB_KINDS, type JobKind } from '../../../shared/core/job.ts';
import {
  cancelJobs,
  claimJobs,
  dropJobLeases,
  finishJob,
  holdsJob,
  type LeasedJob,
  listJobs,
  type NewJob,
  nextJobDue,
  postponeJob,
  replaceJobs,
  retryJob,
  scheduleJob,
  scheduleJobOnce,
} from '../../../shared/store/jobs.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

const LEASE_MS = 60_000;

export function jobTests(store: () => Store): void {
  const rows = () => store().db.selectFrom('jobs').selectAll().orderBy('due_at').orderBy('kind').execute();
  const aJob = (change: Partial<NewJob> = {}): NewJob => ({
    kind: 'advance',
    subject_id: newId('dom'),
    app_id: newId('app'),
    due_at: NOW,
    ...change,
  });
  const schedule = async (...jobs: NewJob[]) => {
    for (const job of jobs) await scheduleJob(store(), job);
  };
  const claim = (now: number, { limit = 100, kinds = JOB_KINDS as readonly JobKind[] } = {}) =>
    inTransaction(store(), (tx) =>
      claimJobs(tx, { now, lease_until: now + LEASE_MS, limit, kinds, make_lease_id: () => newId('lea') }),
    );
  const claimOne = async (now: number): Promise<LeasedJob> => {
    const [job, ...more] = await claim(now);
    if (job === undefined || more.length > 0) throw new Error('Not one job was due');
    return job;
  };

  test('jobs are claimed when they are due, in the order they came due, each under its own lease', async () => {
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

  test('of jobs due at the same time the order is by kind, then subject', async () => {
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

  test('no more are claimed than asked for, and the rest come next', async () => {
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

  test.each(JOB_KINDS)('whoever asks for %s gets that kind alone', async (kind) => {
    await schedule(...JOB_KINDS.map((each) => aJob({ kind: each })));
    expect((await claim(NOW, { kinds: [kind] })).map((job) => job.kind)).toEqual([kind]);
    expect(await claim(NOW, { kinds: [kind] })).toEqual([]);
  });

  test('a leased job is not claimed before the lease ends, is taken over then, and counts its attempts', async () => {
    await schedule(aJob());
    const first = await claimOne(NOW);
    expect(await claim(NOW + LEASE_MS - 1)).toEqual([]);
    const second = await claimOne(NOW + LEASE_MS);
    expect(second.lease_id).not.toBe(first.lease_id);
    expect(await rows()).toMatchObject([
      { attempts: 2, lease_id: second.lease_id, due_at: NOW + 2 * LEASE_MS },
    ]);
  });

  test('a job that is finished is due again then, with nothing left of the lease', async () => {
    const job = aJob();
    await schedule(job);
    await finishJob(store(), await claimOne(NOW), NOW + 5);
    expect(await rows()).toEqual([{ ...job, due_at: NOW + 5, lease_id: null, attempts: 0 }]);
  });

  test('a job that is finished for good is gone, and no other', async () => {
    const other = aJob({ due_at: NOW + 1 });
    await schedule(aJob(), other);
    await finishJob(store(), await claimOne(NOW), null);
    expect(await rows()).toMatchObject([{ subject_id: other.subject_id }]);
  });

  test.each([null, NOW + 5])(
    'whoever lost the lease holds nothing and finishes nothing (%s)',
    async (due_at) => {
      await schedule(aJob());
      const lost = await claimOne(NOW);
      const held = await claimOne(NOW + LEASE_MS);
      expect(await holdsJob(store(), lost)).toBe(false);
      expect(await holdsJob(store(), held)).toBe(true);
      const before = await rows();
      await finishJob(store(), lost, due_at);
      await postponeJob(store(), lost, NOW + 7);
      expect(await rows()).toEqual(before);
    },
  );

  test('a job that failed is put off with its attempts', async () => {
    const job = aJob();
    await schedule(job);
    for (const attempts of [1, 2]) {
      await postponeJob(store(), await claimOne(NOW + attempts), NOW + attempts + 1);
      expect(await rows()).toEqual([{ ...job, due_at: NOW + attempts + 1, lease_id: null, attempts }]);
    }
  });

  test('a job that is scheduled anew is due then, and whoever ran it has lost the lease', async () => {
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

  test('a job can be put off as well as brought forward', async () => {
    const job = aJob({ app_id: null });
    for (const due_at of [NOW + 5, NOW + 9, NOW + 1]) {
      await schedule({ ...job, due_at });
      expect(await nextJobDue(store())).toBe(due_at);
    }
  });

  test('a job that is scheduled once stays as it is, also for 20 that do it at the same time', async () => {
    const job = aJob();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => scheduleJobOnce(store(), { ...job, due_at: NOW + i })),
    );
    const [first, ...more] = await rows();
    expect(more).toEqual([]);
    const leased = await claimOne(NOW + 20);
    await scheduleJobOnce(store(), { ...job, due_at: NOW });
    expect(await rows()).toEqual([
      { ...first, due_at: NOW + 20 + LEASE_MS, lease_id: leased.lease_id, attempts: 1 },
    ]);
  });

  test('the jobs of a subject become exactly those given, among the kinds given', async () => {
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

  test('cancelling ends the kinds given of that subject alone, leased ones too', async () => {
    const subject_id = newId('dom');
    const other = aJob();
    await schedule(aJob({ subject_id }), aJob({ subject_id, kind: 'expire' }));
    await claim(NOW, { kinds: ['advance'] });
    await schedule(other);
    await cancelJobs(store(), subject_id, ['advance', 'retry']);
    const left = (await rows()).map((row) => [row.kind, row.subject_id]).sort();
    expect(left).toEqual([
      ['advance', other.subject_id],
      ['expire', subject_id],
    ]);
  });

  test('the next job due is the earliest that nobody holds, of all kinds or those given', async () => {
    expect(await nextJobDue(store())).toBeNull();
    await schedule(aJob({ kind: 'expire' }), aJob({ kind: 'advance', due_at: NOW + 2 * LEASE_MS }));
    expect(await nextJobDue(store())).toBe(NOW);
    expect(await nextJobDue(store(), ['advance', 'retry'])).toBe(NOW + 2 * LEASE_MS);
    expect(await nextJobDue(store(), ['retry'])).toBeNull();
    const leased = await claimOne(NOW);
    expect(await nextJobDue(store())).toBe(NOW + 2 * LEASE_MS);
    await finishJob(store(), leased, NOW + 1);
    expect(await nextJobDue(store())).toBe(NOW + 1);
  });

  test('an operator sees the jobs, the next due first, by time and attempts', async () => {
    const [failing, leased, later] = [
      aJob(),
      aJob({ due_at: NOW + 1 }),
      aJob({ due_at: NOW + 9 * LEASE_MS }),
    ] as const;
    await schedule(later, leased, failing);
    await postponeJob(store(), await claimOne(NOW), NOW);
    await postponeJob(store(), await claimOne(NOW), NOW + 2);
    await claimOne(NOW + 1);
    const seen = [
      { ...failing, due_at: NOW + 2, attempts: 2, leased: false },
      { ...leased, due_at: NOW + 1 + LEASE_MS, attempts: 1, leased: true },
      { ...later, attempts: 0, leased: false },
    ];
    expect(await listJobs(store(), { limit: 9 })).toEqual(seen);
    expect(await listJobs(store(), { limit: 1 })).toEqual(seen.slice(0, 1));
    expect(await listJobs(store(), { due_before: NOW + 1 + LEASE_MS, limit: 9 })).toEqual(seen.slice(0, 2));
    expect(await listJobs(store(), { attempts_min: 2, limit: 9 })).toEqual(seen.slice(0, 1));
  });

  test('an operator makes a job due, whoever holds it', async () => {
    const job = aJob({ due_at: NOW });
    const other = aJob({ due_at: NOW + 9 });
    await schedule(job, other);
    const running = await claimOne(NOW);
    expect(await retryJob(store(), job.kind, job.subject_id, NOW + 1)).toBe(true);
    expect(await holdsJob(store(), running)).toBe(false);
    expect((await claimOne(NOW + 1)).subject_id).toBe(job.subject_id);
    expect(await retryJob(store(), 'retry', job.subject_id, NOW)).toBe(false);
    expect(await retryJob(store(), job.kind, newId('dom'), NOW)).toBe(false);
    expect(await nextJobDue(store())).toBe(NOW + 9);
  });

  test('dropping all leases makes what was leased due now and leaves the rest', async () => {
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

  test('20 that claim at the same time share no job and leave none', async () => {
    const jobs = Array.from({ length: 100 }, (_, i) => aJob({ due_at: NOW - i }));
    await schedule(...jobs);
    const rounds = await Promise.all(Array.from({ length: 20 }, () => claim(NOW, { limit: 7 })));
    const claimed = rounds.flat().map(({ subject_id }) => subject_id);
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = (await claim(NOW)).map(({ subject_id }) => subject_id);
    expect([...claimed, ...rest].sort()).toEqual(jobs.map(({ subject_id }) => subject_id).sort());
  });
}
