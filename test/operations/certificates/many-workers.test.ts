import { expect, test } from 'vitest';
import { systemClock } from '../../../shared/adapters/system.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import { pause } from '../../../shared/ports/system.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { openDatabase } from '../../store/open-postgres.ts';
import { certificateWorld } from './certificate-world.ts';

const WORKERS = 3;
const DOMAINS = 12;

describePostgres('certificate workers on one Postgres coordinate', () => {
  test('place only one order per hostname, with only one account', async () => {
    await using database = await openDatabase();
    await using under = await certificateWorld({ clock: systemClock, store: database.store });
    const { context } = under.world;
    const { issue } = COMMON_HANDLERS;
    const runners = Array.from({ length: WORKERS }, () =>
      createRunner(context, {
        handlers: issue ? { issue } : {},
        limits: { inFlightMax: 1, inFlightPerAccountMax: 1 },
        pollMs: 100,
      }),
    );
    const ids: DomainId[] = [];
    for (let n = 0; n < DOMAINS; n++) ids.push(await under.addIssuing(`careers-${n}.acme.com`));
    for (const runner of runners) runner.start();
    const statuses = async () =>
      (await Promise.all(ids.map((id) => under.domain(id)))).map(({ status }) => status);
    for (let looks = 0; looks < 300 && (await statuses()).includes('issuing'); looks++) await pause(50);
    await Promise.all(runners.map((runner) => runner.stop()));
    expect(await statuses()).toEqual(ids.map(() => 'active'));
    expect(under.acme.first.count('newOrder')).toBe(DOMAINS);
    expect(await context.store.db.selectFrom('acme_accounts').selectAll().execute()).toHaveLength(1);
    expect(await context.store.db.selectFrom('certificate_orders').selectAll().execute()).toEqual([]);
    expect(await context.store.db.selectFrom('certificates').selectAll().execute()).toHaveLength(DOMAINS);
  });
});
