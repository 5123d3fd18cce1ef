import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../../service/database/postgres-store.ts';
import { createLocalNotices, systemClock } from '../../../../shared/adapters/system.ts';
import type { SealedValue } from '../../../../shared/core/edge/edge-value.ts';
import { claimEpoch, saveEdgeValues } from '../../../../shared/store/edge/edge-values.ts';
import { autocommit } from '../../../../shared/store/store.ts';
import { describePostgres } from '../../../fixtures/postgres/postgres.ts';
import { startRestartablePostgres } from '../../../fixtures/postgres/restartable-postgres.ts';
import { migrateAt } from '../../database/migrated-database.ts';
import { openedEdge } from './opened-edge.ts';
import { APP_ID, appValue, BOX, HOST, hostValue, newFolder, OTHER, sealed } from './sample-values.ts';
import { originOf } from './value-source.ts';

const SOON = { interval: 10 };

describePostgres('an edge machine whose Postgres stops and starts', () => {
  test('serves everything meanwhile, starts without Postgres, and afterwards moves only what differs', async () => {
    const postgres = await startRestartablePostgres();
    const { store } = openPostgresStore({
      connectionString: postgres.url,
      connectionsMax: 4,
      onIdleError: () => undefined,
    });
    onTestFinished(async () => {
      await store.db.destroy();
      await postgres[Symbol.asyncDispose]();
    });
    await migrateAt(postgres.url);
    await claimEpoch(autocommit(store), 'one');
    const publish = (...values: SealedValue[]) => saveEdgeValues(autocommit(store), values, Date.now());
    await publish(
      sealed(`app.${APP_ID}`, appValue('https://one.example')),
      ...[HOST, OTHER].map((name) => sealed(`host.${name}`, hostValue())),
    );
    const open = (folder: string) =>
      openedEdge({ folder, box: BOX, store, clock: systemClock, notices: createLocalNotices() });
    const served = (edge: Awaited<ReturnType<typeof open>>) =>
      [HOST, OTHER].map((name) => edge.find('host', name));

    const folder = newFolder();
    const first = await open(folder);
    expect(served(first)).toEqual([hostValue(), hostValue()]);
    await postgres.stop();
    await expect.poll(() => first.logged.length, SOON).toBe(1);
    expect([served(first), originOf(first)]).toEqual([[hostValue(), hostValue()], 'https://one.example']);
    await first.close();
    const second = await open(folder);
    expect([served(second), originOf(second)]).toEqual([[hostValue(), hostValue()], 'https://one.example']);
    const beats = second.beats();

    await postgres.start();
    // The pool may return a connection of before the stop.
    await expect
      .poll(
        () =>
          publish(sealed(`host.${HOST}`, null, [1, 2])).then(
            () => 'done',
            () => 'failed',
          ),
        SOON,
      )
      .toBe('done');
    await expect.poll(() => served(second), SOON).toEqual([null, hostValue()]);
    await expect.poll(second.beats, SOON).toBeGreaterThan(beats);
    const compared = second.comparisons();
    expect(compared).toHaveLength(1);
    expect(compared[0]?.fields['differences']).toBeLessThanOrEqual(1);
  });
});
