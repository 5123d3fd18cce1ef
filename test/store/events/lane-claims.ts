import { claimInTurn } from '../../../shared/store/due-apps.ts';
import { claimLanes, LANES, type LaneClaim, type LeasedLane } from '../../../shared/store/events/lanes.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import { newId } from '../rows.ts';

/** Claims due event queues (lanes) as a worker does. By default there is no limit, and the lease is 30 seconds. */
export function claimDue(store: Store, now: number, change: Partial<LaneClaim> = {}): Promise<LeasedLane[]> {
  return claimInTurn(store, LANES, () =>
    inTransaction(store, (tx) =>
      claimLanes(tx, {
        now,
        lease_until: now + 30_000,
        makeLeaseId: () => newId('lea'),
        appsMax: 100,
        afterAppId: '',
        fullAccounts: [],
        roomOf: () => 100,
        lanesMax: 1000,
        ...change,
      }),
    ),
  );
}
