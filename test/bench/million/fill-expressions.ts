import { DAY_MS, type Instant } from '../../../shared/core/instant.ts';
import type { LargeApp } from '../api/lists-at-scale-fill.ts';

/** The parameters of the generator's statements. */
export interface Fill {
  /** The number of live domains. */
  domains: number;
  /** One deleted domain for each hundred live ones follows them. Its last event was delivered late, so it cannot be pruned yet. */
  deleted: number;
  /** The number of apps besides the large one. */
  apps: number;
  /** The app that has a quarter of all domains. */
  large: LargeApp;
  edgeZone: string;
  now: Instant;
}

/** Makes a statement that fills a table. `d` is the number of a domain. */
export type FillStatement = (fill: Fill) => string;

export function idOf(prefix: string, n: number): string {
  return `${prefix}_${String(n).padStart(26, '0')}`;
}

/** Returns an SQL expression for an id. @param n an SQL expression for its number. */
export function sqlId(prefix: string, n: string): string {
  return `'${prefix}_' || lpad((${n})::text, 26, '0')`;
}

/** Returns an SQL expression for the app of the domain `d`: the large one for every fourth domain. */
export function sqlApp({ apps, large }: Fill): string {
  return `case when d % 4 = 0 then '${large.app_id}' else ${sqlId('app', `1 + (d::bigint * 7919) % ${apps}`)} end`;
}

/** Returns an SQL expression for when the domain `d` was added: within 20 days that ended five days ago. */
export function sqlCreatedAt({ now, domains }: Fill): string {
  return `(${now - 25 * DAY_MS} + (d * ${20 * DAY_MS}::float8 / ${Math.max(1, domains)})::bigint)`;
}

/** Returns an SQL expression for the status of the domain `d`. */
export function sqlStatus({ domains }: Fill): string {
  return `case when d >= ${domains} then 'deleted' when d % 100 < 96 then 'active' when d % 100 < 98 then 'pending_dns'
    when d % 100 = 98 then 'dns_broken' else 'cert_failed' end`;
}
