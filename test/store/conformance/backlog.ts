import { expect, test } from 'vitest';
import { readBacklog, readBacklogByApp } from '../../../shared/store/events/backlog.ts';
import { scheduleJob } from '../../../shared/store/jobs/jobs.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { claimDue } from '../events/lane-claims.ts';
import { anEvent, NOW, newId } from '../rows.ts';
import { ensureLane, insertEvent, wakeLane } from '../writes.ts';

export function backlogTests(store: () => Tx): void {
  test('reports no delay if nothing is due', async () => {
    const nothing = { jobs_due: 0, jobs_late_ms: 0, lanes_due: 0, lanes_late_ms: 0, events_pending: 0 };
    expect(await readBacklog(store(), NOW)).toEqual(nothing);
  });

  test('counts due work that no worker has taken, with its longest delay', async () => {
    for (const dueAt of [NOW - 70, NOW - 5, NOW, NOW + 1])
      await scheduleJob(store(), { kind: 'expire', subject_id: newId('dom'), app_id: null, due_at: dueAt });
    await wakeLane(store(), newId('dom'), newId('app'), NOW - 90);
    await claimDue(store(), NOW - 89);
    for (const dueAt of [NOW - 30, NOW + 1]) await wakeLane(store(), newId('dom'), newId('app'), dueAt);
    await ensureLane(store(), newId('dom'), newId('app'));
    for (const deliveryStatus of ['pending', 'delivered', 'failed', 'none', 'pending'] as const)
      await insertEvent(store(), anEvent({ delivery_status: deliveryStatus }));
    expect(await readBacklog(store(), NOW)).toEqual({
      jobs_due: 3,
      jobs_late_ms: 70,
      lanes_due: 1,
      lanes_late_ms: 30,
      events_pending: 2,
    });
  });

  test('a scrape counts at most 1000 jobs, lanes and events, and the list for operators counts more', async () => {
    const domains = Array.from({ length: 1_002 }, () => newId('dom'));
    const appId = newId('app');
    await store()
      .db.insertInto('jobs')
      .values(
        domains.map((id) => ({
          kind: 'expire',
          subject_id: id,
          app_id: null,
          due_at: NOW - 5,
          lease_id: null,
          attempts: 0,
        })),
      )
      .execute();
    await store()
      .db.insertInto('lanes')
      .values(domains.map((id) => ({ domain_id: id, app_id: appId, due_at: NOW - 7, lease_id: null })))
      .execute();
    for (const id of domains) await insertEvent(store(), anEvent({ domain_id: id }));
    const late = { jobs_late_ms: 5, lanes_late_ms: 7 };
    expect(await readBacklog(store(), NOW)).toEqual({
      ...late,
      jobs_due: 1_000,
      lanes_due: 1_000,
      events_pending: 1_000,
    });
    expect(await readBacklogByApp(store(), NOW, 9)).toEqual({
      backlog: { lanes_late_ms: 7, lanes_due: 1_002, events_pending: 1_002 },
      apps: [{ app_id: appId, lanes_due: 1_002, late_ms: 7 }],
    });
  });
}
