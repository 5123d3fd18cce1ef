import { DAY_MS, HOUR_MS } from '../../../shared/core/instant.ts';
import { startOf } from '../../../shared/core/traffic/traffic-range.ts';
import { type FillStatement, sqlApp, sqlId } from './fill-expressions.ts';

/** An SQL condition: one domain in eight has traffic, and half of these domains belong to the large app. */
const DOMAINS = 'd % 16 < 2';
const DAYS = 4;
const HOURS = 3;
/** The large app has traffic of this number of days, which is the longest period on the dashboard. */
const LARGE_DAYS = 30;
const LARGE_HOURS = 24;

const COUNTS = [
  'requests',
  'bytes_in',
  'bytes_out',
  'status_2xx',
  'within_25_ms',
  ...['status_1xx', 'status_3xx', 'status_4xx', 'status_5xx', 'aborted', 'origin_errors'],
  ...['within_5_ms', 'within_10_ms', 'within_50_ms', 'within_100_ms', 'within_250_ms', 'within_500_ms'],
  ...['within_1000_ms', 'within_2500_ms', 'within_5000_ms', 'within_10000_ms', 'slower'],
];
const BUSY = 5;
const COLUMNS = `subject_id, mode, "interval", start, app_id, ${COUNTS.join(', ')}`;
const VALUES = COUNTS.map((_, i) => (i < BUSY ? '100' : '0')).join(', ');

const starts = (now: number, days: number, hours: number) => `
  (select 'day' as "interval", ${startOf(now, DAY_MS)} - n * ${DAY_MS}::bigint as start from generate_series(0, ${days - 1}) n
   union all
   select 'hour', ${startOf(now, HOUR_MS)} - n * ${HOUR_MS}::bigint from generate_series(0, ${hours - 1}) n) starts`;

/** The statements that fill the tables with the traffic of domains and apps. */
export const TRAFFIC_FILLS: Readonly<Record<string, readonly FillStatement[]>> = {
  traffic: [
    (fill) => `
      insert into traffic (${COLUMNS})
      select ${sqlId('dom', 'd')}, 'live', "interval", start, ${sqlApp(fill)}, ${VALUES}
      from generate_series(0, ${fill.domains - 1}) d, ${starts(fill.now, DAYS, HOURS)} where ${DOMAINS}`,
    ({ apps, now }) => `
      insert into traffic (${COLUMNS})
      select id, 'live', "interval", start, id, ${VALUES}
      from (select ${sqlId('app', 'a')} as id from generate_series(1, ${apps}) a) made, ${starts(now, DAYS, HOURS)}`,
    ({ large, now }) => `
      insert into traffic (${COLUMNS})
      select '${large.app_id}', 'live', "interval", start, '${large.app_id}', ${VALUES} from ${starts(now, LARGE_DAYS, LARGE_HOURS)}`,
    // In each hour and day, the same hundred domains are the busiest of the large app.
    ({ large, domains }) => `
      update traffic set top = (
        select json_agg(json_build_array(${sqlId('dom', 'd * 16')}, 100)) from generate_series(0, ${Math.min(100, Math.ceil(domains / 16)) - 1}) d)
      where subject_id = '${large.app_id}'`,
  ],
};
