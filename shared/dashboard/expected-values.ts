import { isDeepStrictEqual } from 'node:util';
import { DashboardError } from '../core/accounts/dashboard-error.ts';
import { ServiceError } from '../core/errors.ts';
import { presentApp } from '../operations/apps/present-app.ts';
import type { Caller, TxContext } from '../operations/context.ts';
import { type ApiRoute, type DocumentId, ROUTES } from '../schema/routes.ts';
import { lockApp } from '../store/accounts/apps.ts';
import { lockDomain } from '../store/domains/domains.ts';

/** Reads the resource that a route changes, and locks its row until the transaction ends. */
type ReadLocked = (tx: TxContext, caller: Caller, id: string) => Promise<object>;

/** The routes whose body can contain `expected`: the values that the form showed before the change. */
const READ_LOCKED: Partial<Record<DocumentId, ReadLocked>> = {
  updateApp: async (tx, { app_id }) => presentApp(tx, await lockApp(tx.store, app_id)),
  updateDomain: async (tx, caller, id) => {
    const domain = await lockDomain(tx.store, caller, id);
    if (domain === null) throw new ServiceError('not_found');
    return domain;
  },
};

/**
 * Removes `expected`, which only the dashboard sends, from a route's body. Returns the expected values of fields that the route can change.
 */
export function splitExpected(
  id: DocumentId,
  body: Record<string, unknown>,
): { expected: Record<string, unknown> | null; json: Record<string, unknown> } {
  const { expected, ...json } = body;
  if (READ_LOCKED[id] === undefined || typeof expected !== 'object' || expected === null) {
    return { expected: null, json: body };
  }
  const names = knownFields(id, expected);
  const given = new Map(Object.entries(expected));
  return { expected: Object.fromEntries(names.map((name) => [name, given.get(name)])), json };
}

/**
 * Throws if the current values differ from those that the form showed, because someone else has changed them.
 * @throws DashboardError `changed_meanwhile`.
 */
export async function compareExpected(
  tx: TxContext,
  route: { id: DocumentId; resourceId: string },
  caller: Caller,
  expected: Record<string, unknown>,
): Promise<void> {
  const current: Record<string, unknown> = {
    ...(await READ_LOCKED[route.id]?.(tx, caller, route.resourceId)),
  };
  const now = Object.fromEntries(Object.keys(expected).map((name) => [name, current[name] ?? null]));
  if (!isDeepStrictEqual(now, expected))
    throw new DashboardError('changed_meanwhile', { status_detail: { now } });
}

/** Returns the names of the fields that the route accepts. Other names are dropped, because a client can send any text as a name. */
export function knownFields(id: DocumentId, json: object): string[] {
  const shape = (ROUTES[id] as ApiRoute).body?.shape ?? {};
  return Object.keys(json).filter((name) => Object.hasOwn(shape, name));
}
