import { DAY_MS, type Instant } from '../../../shared/core/instant.ts';
import type { LargeApp } from '../api/lists-at-scale-fill.ts';

/** The parameters of the statements that fill the database. */
export interface Fill {
  /** The number of live domains. */
  domains: number;
  /** The number of deleted domains, one for each hundred live ones. Their last events were delivered late, so they cannot be pruned yet. */
  deleted: number;
  /** The number of apps, not counting the large one. */
  apps: number;
  /** The app that has a quarter of all domains. */
  large: LargeApp;
  edgeZone: string;
  now: Instant;
}

/** Returns a statement that fills a table. In its SQL, `d` is the number of a domain. */
export type FillStatement = (fill: Fill) => string;

export function idOf(prefix: string, n: number): string {
  return `${prefix}_${String(n).padStart(26, '0')}`;
}

/** Returns an SQL expression for an id. @param n an SQL expression for the number from which the id is made. */
export function sqlId(prefix: string, n: string): string {
  return `'${prefix}_' || lpad((${n})::text, 26, '0')`;
}

/** Returns an SQL expression for the app of the domain `d`. Every fourth domain belongs to the large app. */
export function sqlApp({ apps, large }: Fill): string {
  return `case when d % 4 = 0 then '${large.app_id}' else ${sqlId('app', `1 + (d::bigint * 7919) % ${apps}`)} end`;
}

/** Returns an SQL expression for the time at which the domain `d` was added: 5 to 25 days ago. */
export function sqlCreatedAt({ now, domains }: Fill): string {
  return `(${now - 25 * DAY_MS} + (d * ${20 * DAY_MS}::float8 / ${Math.max(1, domains)})::bigint)`;
}

/** Returns an SQL expression for the status of the domain `d`. */
export function sqlStatus({ domains }: Fill): string {
  return `case when d >= ${domains} then 'deleted' when d % 100 < 96 then 'active' when d % 100 < 98 then 'pending_dns'
    when d % 100 = 98 then 'dns_broken' else 'cert_failed' end`;
}
