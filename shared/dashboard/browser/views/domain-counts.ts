import type { Status } from '../../../core/domains/status.ts';
import type { ModeOverview } from '../../responses.ts';

/** The statuses of listed domains, in the order in which they are shown: what works, is under way, is broken, and has stopped. */
export const LISTED_STATUSES = [
  'active',
  'issuing',
  'verifying',
  'pending_dns',
  'dns_broken',
  'cert_failed',
  'held',
  'expired',
] as const satisfies readonly Status[];

/** Returns the number of domains of a mode that are not deleted. */
export function domainCount({ by_status: counts }: Pick<ModeOverview, 'by_status'>): number {
  return LISTED_STATUSES.reduce((total, status) => total + (counts[status] ?? 0), 0);
}
