import type { AppResource } from '../../schema/app.ts';
import type { AppOverview } from '../responses.ts';
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
