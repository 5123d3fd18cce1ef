import { expect, test } from 'vitest';
import { probeAppOrigin } from '../../../shared/operations/edge/probe-origin.ts';
import { getApp, lockApp, updateApp } from '../../../shared/store/accounts/apps.ts';
import { autocommit, inTransaction } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type JobWorld, jobWorld } from '../../jobs/job-world.ts';
import { openDatabase } from '../../store/open-postgres.ts';

const ORIGIN = 'https://origin.acme.com';

describePostgres('origin probes on Postgres can run at the same time', () => {
  test('keep the new origin if it was set during a probe of the old origin', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { app_id } = await world.addApp('acme');
    const { context } = world;
    await updateApp(autocommit(context.store), app_id, { origin_url: ORIGIN });
    const probed = failingProbe(world);
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const change = inTransaction(context.store, async (tx) => {
      await lockApp(tx, app_id);
      locked.resolve();
      await end.promise;
      await updateApp(tx, app_id, {
        origin_url: 'https://new.acme.com',
        origin_reachable: true,
        origin_failures: 0,
      });
    });
    await locked.promise;
    const probe = probeAppOrigin(context, app_id);
    await probed;
    // During these reads, a probe that takes no lock would read the old origin.
    for (let reads = 0; reads < 5; reads++) await getApp(context.store, app_id);
    end.resolve();
    await Promise.all([change, probe]);
    expect(await getApp(context.store, app_id)).toMatchObject({
      origin_url: 'https://new.acme.com',
      origin_reachable: true,
      origin_failures: 0,
    });
  });

  test('count every failure, even if several probes run at the same time', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { app_id } = await world.addApp('acme');
    const { context } = world;
    await updateApp(autocommit(context.store), app_id, { origin_url: ORIGIN });
    failingProbe(world);
    await Promise.all(Array.from({ length: 8 }, () => probeAppOrigin(context, app_id)));
    expect((await getApp(context.store, app_id)).origin_failures).toBe(8);
  });
});

/** Makes every probe time out. Resolves once the first probe has been sent. */
function failingProbe(world: JobWorld): Promise<void> {
  const sent = Promise.withResolvers<void>();
  world.context.outbound.send = async () => {
    sent.resolve();
    return { ok: false, problem: 'timeout', response_ms: 1 };
  };
  return sent.promise;
}
