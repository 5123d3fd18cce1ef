import type { AppId } from '../../core/ids.ts';
import { endCancelledEvents } from '../../store/events/events.ts';
import { lockScheduledLanes, type ScheduledLane, scheduleFreeLanes } from '../../store/events/lanes.ts';
import { type Context, transact } from '../context.ts';

/** The number of lanes in a transaction. It is small, so that deliveries do not wait long for locked rows. */
const BATCH = 100;

/**
 * Runs the job `end_deliveries`: marks the deliveries that `webhook_url: null` cancelled as ended, in short transactions. The request itself
 * has already ended these deliveries for the API and the workers, so this job may run late (`decisions/0091`). Finished lanes leave the
 * schedule, so a second run continues where the first run stopped.
 * @returns null, because the job is then done.
 */
export async function endDeliveries(
  context: Context,
  { subject_id: appId }: { subject_id: AppId },
): Promise<null> {
  let last: ScheduledLane | null = null;
  do {
    last = await transact(context, async (tx) => {
      const lanes = await lockScheduledLanes(tx.store, appId, BATCH, last);
      const domainIds = lanes.map(({ domain_id }) => domain_id);
      await endCancelledEvents(tx.store, domainIds);
      await scheduleFreeLanes(tx.store, domainIds);
      return lanes.at(-1) ?? null;
    });
  } while (last !== null);
  return null;
}
