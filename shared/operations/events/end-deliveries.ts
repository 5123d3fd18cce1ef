import type { AppId } from '../../core/ids.ts';
import { endCancelledEvents } from '../../store/events/events.ts';
import { lockScheduledLanes, type ScheduledLane, scheduleFreeLanes } from '../../store/events/lanes.ts';
import { type Context, transact } from '../context.ts';

/** Lanes per transaction: few enough that deliveries do not wait long for their rows. */
const BATCH = 100;

/**
 * Runs the job `end_deliveries`: stores the end of the deliveries that `webhook_url: null` cancelled, in short transactions. They ended with
 * that request, and nothing depends on when the rows say so (`decisions/0091`). Lanes that are done are no longer scheduled, so another run
 * continues where this one stopped.
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
