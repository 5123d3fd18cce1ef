import type { Status } from '../../core/domains/status.ts';
import type { AppResource } from '../../schema/app.ts';
import type { AppOverview, ModeOverview } from '../responses.ts';
import { ask, useResource } from './ask.ts';
import type { Resource } from './reading.ts';
import { appPath, type PageScope, useScope } from './scope.ts';

/** Reads the app of the page. */
export function useApp(): Resource<AppResource> {
  return useResource<AppResource>(appPath(useScope(), '/apps/current'));
}

/** Reads the counts of an app. */
export function useOverview(appId: string): Resource<AppOverview> {
  return useResource<AppOverview>(`/apps/${encodeURIComponent(appId)}/overview`);
}

/**
 * Changes one field of the app.
 * @param expected the value that the form showed. If it is no longer the current value, the server refuses the change.
 */
export async function changeApp(
  scope: PageScope,
  field: keyof AppResource,
  value: string | null,
  expected: string | null,
): Promise<void> {
  const body = { [field]: value, expected: { [field]: expected } };
  await ask(`PATCH ${appPath(scope, '/apps/current')}`, body);
}

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
