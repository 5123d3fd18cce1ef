import type { Mode, Status } from '../../core/domains/status.ts';
import type { AppId } from '../../core/ids.ts';
import { DAY_MS } from '../../core/instant.ts';
import { countByStatus, countDeliveries, wasKeyUsed } from '../../store/accounts/app-overview.ts';
import type { Context } from '../context.ts';

/** The counts of the dashboard's home page for one mode of an app. */
interface ModeCounts {
  by_status: Partial<Record<Status, number>>;
  failed_deliveries_24h: number;
}

/** Returns the counts of an app in both modes, and which setup steps it has completed. */
export async function getAppOverview(context: Context, appId: AppId) {
  const { store, clock } = context;
  const since = clock.now() - DAY_MS;
  let hasDelivered = false;
  const countsOf = async (mode: Mode): Promise<ModeCounts> => {
    const deliveries = await countDeliveries(store, appId, mode, since);
    hasDelivered ||= (deliveries['delivered'] ?? 0) > 0;
    if (!hasDelivered) hasDelivered = ((await countDeliveries(store, appId, mode, 0))['delivered'] ?? 0) > 0;
    return {
      by_status: await countByStatus(store, appId, mode),
      failed_deliveries_24h: deliveries['failed'] ?? 0,
    };
  };
  const [live, test] = [await countsOf('live'), await countsOf('test')];
  const hasKeyUsed = await wasKeyUsed(store, appId);
  return { live, test, has_key_used: hasKeyUsed, has_delivered_event: hasDelivered };
}
