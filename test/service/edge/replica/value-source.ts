import { onTestFinished } from 'vitest';
import type { EdgeReplica } from '../../../../service/edge/replica/edge-replica.ts';
import type { SealedValue } from '../../../../shared/core/edge/edge-value.ts';
import { claimEpoch, saveEdgeValues } from '../../../../shared/store/edge/edge-values.ts';
import { autocommit } from '../../../../shared/store/store.ts';
import { jobWorld } from '../../../jobs/job-world.ts';
import { type OpenedEdgeOptions, openedEdge } from './opened-edge.ts';
import { APP_ID, appValue, BOX, CERTIFICATE, HOST, hostValue, OTHER, sealed } from './sample-values.ts';

/** A source of values in SQLite, which a test can take away, and edges that follow it. */
export async function valueSource(installation = 'one') {
  const made = await jobWorld();
  onTestFinished(() => made[Symbol.asyncDispose]());
  const { context, clock } = made;
  const { store, notices } = context;
  let isAway = false;
  const follower = {
    ...store,
    get db() {
      if (isAway) throw new Error('the database is away');
      return store.db;
    },
  };
  await claimEpoch(autocommit(store), installation);
  const publish = async (...values: SealedValue[]) => {
    // In SQLite, only a new row gets a new place in the order of commits.
    for (const { key } of values)
      await autocommit(store).db.deleteFrom('edge_values').where('key', '=', key).execute();
    await saveEdgeValues(autocommit(store), values, clock.now());
    notices.publish({ kind: 'gap' });
  };
  await publish(
    sealed(`host.${HOST}`, hostValue({ certificate: CERTIFICATE })),
    sealed(`host.${OTHER}`, hostValue()),
    sealed(`app.${APP_ID}`, appValue('https://one.example')),
    sealed('hold.*.evil.example', {}),
  );
  return {
    clock,
    store,
    publish,
    take: (away: boolean) => {
      isAway = away;
    },
    open: (folder: string, more: Partial<OpenedEdgeOptions> = {}) =>
      openedEdge({ folder, box: BOX, store: follower, clock, notices, ...more }),
  };
}

/** Returns the origin of the app of all values. */
export function originOf(replica: Pick<EdgeReplica, 'find'>): string | null | undefined {
  const found = replica.find('app', APP_ID);
  return found === null || found === 'unreadable' ? null : found.origin;
}
