import type { HTTPResponse } from 'h3';
import type * as z from 'zod';
import { DashboardError } from '../core/accounts/dashboard-error.ts';
import type { Session } from '../core/accounts/session.ts';
import type { ConnectedClient } from '../http/admission.ts';
import type { RouteHandler } from '../http/handle-route.ts';
import { parseJsonObject } from '../http/read-body.ts';
import { readFields, readQuery } from '../http/read-fields.ts';
import type { Context } from '../operations/context.ts';
import type { IdentityProvider, Passkeys } from '../ports/accounts.ts';
import type { RecentReaders } from './recent-readers.ts';

/** The emulator's additions to the dashboard's page. */
export interface PageAddition {
  /** File in `dist` of the script that contains the dashboard and the addition. */
  scriptFile: string;
  /** Follows the dashboard's own style. */
  style: string;
}

/** The choices of a composition root about the dashboard. */
export interface DashboardOptions {
  /** True in the emulator: it has no sign-in, and every act is allowed. */
  isOpen: boolean;
  /** The emulator's additions to the page; null in the service. */
  addition: PageAddition | null;
  /** Null in the emulator, and at an address where browsers offer no passkeys. */
  passkeys: Passkeys | null;
  /** The company's sign-in service; null if the operator has set none. */
  identityProvider: IdentityProvider | null;
  handle: RouteHandler;
  readers: RecentReaders;
}

/** A request to the dashboard's API. */
export interface DashboardCall {
  context: Context;
  options: DashboardOptions;
  request: Request;
  url: URL;
  client: ConnectedClient;
  /** The body, empty without one. It was read before anything was checked, so that a slow sender cannot outlive a permission. */
  body: Uint8Array;
  /** Parts of the path that the route names. */
  params: Readonly<Record<string, string>>;
  /** Null if the browser is not signed in, and always in the emulator. */
  session: Session | null;
}

/**
 * Handles a request within a slot of the pages' share. A handler may return work that runs after the slot is free, in a slot of its app. It
 * throws a ServiceError or a DashboardError for a refusal.
 */
export type DashboardHandler = (call: DashboardCall) => Promise<HTTPResponse | AppWork>;
export type AppWork = () => Promise<HTTPResponse>;

/** Returns the session. @throws DashboardError `sign_in_required`. */
export function requireSession({ session }: DashboardCall): Session {
  if (session === null) throw new DashboardError('sign_in_required');
  return session;
}

/** Parses the JSON body. @throws ServiceError `invalid_request` or `validation_failed`. */
export function readJson<T extends z.ZodObject>({ request, body }: DashboardCall, schema: T): z.output<T> {
  return readFields(schema, parseJsonObject(request, body)) as z.output<T>;
}

/** Parses the query. @throws ServiceError `validation_failed`. */
export function readQueryOf<T extends z.ZodObject>({ url }: DashboardCall, schema: T): z.output<T> {
  const { metadata: _, ...query } = readQuery(url.searchParams, schema);
  return readFields(schema, query) as z.output<T>;
}
