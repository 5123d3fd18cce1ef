import { DAY_MS, HOUR_MS } from '../../../shared/core/instant.ts';
import { startOf } from '../../../shared/core/traffic/traffic-range.ts';
import { type PruneBefore, prune } from '../../../shared/store/prune.ts';
import { dataKeysNotSealedUnder } from '../../../shared/store/sealed/sealed-keys.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { NOTHING } from '../../store/rows.ts';
import { undone } from './claims.ts';
import type { Costs, Part } from './world.ts';

const KEYS = 100;
const BATCH = 1_000;

/** Measures one batch of each job that works through a whole table. */
export const measureBatches: Part = async ({ context, client, meter, fill }) => {
  const pruned = (before: Partial<PruneBefore>) => () =>
    undone(context, ({ store }) => prune(autocommit(store), { ...NOTHING, ...before }));
  // Each domain with traffic has rows for three hours, two of which are before this time.
  const hours = startOf(fill.now, HOUR_MS) - HOUR_MS;
  const { rows } = await client.query(
    `select least(count(*), ${BATCH})::integer as count from traffic where "interval" = 'hour' and start < ${hours}`,
  );
  let after: string | undefined;
  const rotate = async () => {
    after = (await dataKeysNotSealedUnder(context.store, 'k2', KEYS, after)).at(-1)?.id;
  };
  await rotate();
  // If a deleted domain has events that were delivered late, the first runs postpone its removal to the end of the events' retention.
  const days = { events: fill.now - 30 * DAY_MS };
  while (await prune(autocommit(context.store), { ...NOTHING, ...days }));
  await client.query('vacuum analyze domains');
  const costs: Costs = {
    'prune of traffic, for each row': await meter.measure(
      pruned({ trafficHours: hours }),
      Math.max(1, rows[0].count),
    ),
    'prune of domains and events, nothing to delete': await meter.measure(pruned(days)),
    'rotation of the encryption key, a batch halfway': await meter.measure(rotate),
  };
  // Measures the last batch, when the planner's statistics still include the rows that earlier batches deleted. Each batch marks the dead
  // index entries of the previous batch.
  await client.query(`delete from traffic where "interval" = 'hour' and start < ${hours}`);
  await pruned({ trafficHours: hours })();
  costs['prune of traffic, the last batch'] = await meter.measure(pruned({ trafficHours: hours }));
  return costs;
};
