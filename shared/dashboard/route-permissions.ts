import type { Permission } from '../core/accounts/member.ts';
import { type DocumentId, ROUTES } from '../schema/routes.ts';

/** The permission that an API route requires, and the name of its action in the audit log. The name is null for a route that only reads. */
export interface RoutePermission extends Permission {
  action: string | null;
}

const READ: RoutePermission = { role: 'viewer', action: null };

/** The API routes that the dashboard can run. It cannot create connect tokens, because each of them depends on an API key. */
export type DashboardRouteId = Exclude<DocumentId, 'createConnectToken'>;

/**
 * The permission of each route of the API that the dashboard runs. To create a live key, a person also needs a recent sign-in
 * (`app-handlers.ts`).
 */
export const ROUTE_PERMISSIONS: Readonly<Record<DashboardRouteId, RoutePermission>> = {
  getApp: READ,
  listKeys: READ,
  listDomains: READ,
  getDomain: READ,
  diagnoseDomain: READ,
  listCertificates: READ,
  getDomainTraffic: READ,
  getTraffic: READ,
  listEvents: READ,
  getEvent: READ,
  updateApp: { role: 'developer', action: 'app.update' },
  rotateSigningSecret: { role: 'developer', recent: true, action: 'signing_secret.rotate' },
  createKey: { role: 'developer', action: 'key.create' },
  revokeKey: { role: 'developer', action: 'key.revoke' },
  createDomain: { role: 'developer', action: 'domain.create' },
  updateDomain: { role: 'developer', action: 'domain.update' },
  deleteDomain: { role: 'developer', action: 'domain.delete' },
  verifyDomain: { role: 'developer', action: 'domain.verify' },
  redeliverEvent: { role: 'developer', action: 'event.redeliver' },
};

/** Finds the route of a method and a path below `/v1`. */
export function findDashboardRoute(
  method: string,
  path: string,
): { id: DashboardRouteId; resourceId: string } | null {
  for (const [id, route] of Object.entries(ROUTES)) {
    // Leaves out the stream of events, because it would have to end when the person stops being a member. The dashboard polls instead.
    if (route.method !== method || !Object.hasOwn(ROUTE_PERMISSIONS, id)) continue;
    const pattern = `^${route.path.replaceAll('.', '\\.').replace('{id}', '(?<id>[^/]+)')}$`;
    const match = new RegExp(pattern).exec(path);
    if (match !== null) return { id: id as DashboardRouteId, resourceId: match.groups?.['id'] ?? '' };
  }
  return null;
}
