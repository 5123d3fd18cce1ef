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

/** The script and the style that the emulator adds to the dashboard's page. */
export interface PageAddition {
  /** The name in `dist` of the script that contains the dashboard and the addition. */
  scriptFile: string;
  /** CSS that is appended to the dashboard's own. */
  style: string;
}

/** The settings of the dashboard that differ between the service and the emulator. */
export interface DashboardOptions {
  /** True in the emulator, which has no sign-in and allows every action. */
  isOpen: boolean;
  /** The emulator's additions to the page; null in the service. */
  addition: PageAddition | null;
  /** Null in the emulator, and if browsers allow no passkeys at the base URL. */
  passkeys: Passkeys | null;
  /** The operator's own identity provider; null if none is configured. */
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
  /**
   * The body; empty if there is none. It is read before the permissions are checked, so that they cannot change while a slow body arrives.
   */
  body: Uint8Array;
  /** The named parts of the path. */
  params: Readonly<Record<string, string>>;
  /** The session of the browser. Null if the browser is not signed in, and always null in the emulator. */
  session: Session | null;
}

/**
 * Handles a request in one of the node's slots for pages. For work that needs a slot of the app instead, returns a function, which runs
 * after the first slot is released. Throws a ServiceError or a DashboardError to refuse the request.
 */
export type DashboardHandler = (call: DashboardCall) => Promise<HTTPResponse | AppWork>;
export type AppWork = () => Promise<HTTPResponse>;

/** Returns the session of the browser. @throws DashboardError `sign_in_required`. */
export function requireSession({ session }: DashboardCall): Session {
  if (session === null) throw new DashboardError('sign_in_required');
  return session;
}

/** Parses the JSON body of a request. @throws ServiceError `invalid_request` or `validation_failed`. */
export function readJson<T extends z.ZodObject>({ request, body }: DashboardCall, schema: T): z.output<T> {
  return readFields(schema, parseJsonObject(request, body)) as z.output<T>;
}

/** Parses the query of a URL. @throws ServiceError `validation_failed`. */
export function readQueryOf<T extends z.ZodObject>({ url }: DashboardCall, schema: T): z.output<T> {
  const { metadata: _, ...query } = readQuery(url.searchParams, schema);
  return readFields(schema, query) as z.output<T>;
}
