import { HTTPResponse } from 'h3';
import type { RateState } from '../adapters/rate-limiter.ts';
import { monotonicClock } from '../adapters/system.ts';
import { NoTurnError } from '../adapters/turns.ts';
import { DashboardError } from '../core/accounts/dashboard-error.ts';
import { ServiceError } from '../core/errors.ts';
import { LISTED_MAX } from '../core/text/printable.ts';
import {
  type Credentials,
  createAuthenticator,
  type KeyStores,
} from '../operations/accounts/authenticate.ts';
import type { Answer, Caller, Context, TransactionGuard } from '../operations/context.ts';
import type { StreamEventsQuery } from '../schema/event.ts';
import {
  type ApiRoute,
  type DocumentId,
  isChange,
  type OperationId,
  ROUTES,
  readsBody,
  takesId,
  takesIdempotencyKey,
} from '../schema/routes.ts';
import type { Store } from '../store/store.ts';
import type { Admission, ConnectedClient } from './admission.ts';
import { envelope, toServiceError } from './envelope.ts';
import { createEventStreams } from './event-streams.ts';
import { createGeneralRate } from './general-rate.ts';
import { type FinalResponse, withIdempotencyKey } from './idempotency.ts';
import { type Input, OPERATIONS } from './operations.ts';
import { parseJsonObject, readBody } from './read-body.ts';
import { readFields, readQuery, unknownFields, unknownParameters } from './read-fields.ts';

export interface RouteRequest {
  request: Request;
  url: URL;
  params: { id: string };
  client: ConnectedClient;
  /** Set for a request of a signed-in member, which has no API key. */
  member?: RequestingMember;
}

/** A member of an account, whose session and role the dashboard has already checked. */
export interface RequestingMember {
  credentials: Credentials;
  /** Runs in every transaction of the request, for example to write the audit log. */
  guard?: TransactionGuard;
}

/**
 * Why a request was refused before its work began. `rate`: it exceeded a rate. `share`: the account has used up its share. `busy`: the node
 * has no free slot.
 */
export type Refusal = 'rate' | 'share' | 'busy';

/** Hooks that a composition root adds to the request pipeline. */
export interface RouteHooks {
  /** Shares the node among accounts. Without this hook, every request runs immediately. */
  admission?: Admission;
  /** The stores from which keys are read. Defaults to the context's store. */
  keyStores?: KeyStores;
  onRefused?: (reason: Refusal) => void;
  /** Returns whether the database commits late or not at all. If so, a request that finds no free connection gets 503 and not 429. */
  isDatabaseLate?: () => boolean;
  /** An API key that everyone may know, such as the emulator's. The pages of the documentation send their example requests with it. */
  exampleKey?: string;
  /** Called before a key is authenticated. If the hook throws a ServiceError, that error becomes the response. */
  before?: (id: OperationId, url: URL) => void;
  /** Called once the response is known. */
  after?: (id: OperationId, status: number, durationMs: number, requestId: string) => void;
}

/** Headers of a response by lowercase name. They are a plain object, so that h3 creates `Headers` only once, when it sends them. */
export type ResponseHeaders = Record<string, string>;

const ID = /^[A-Za-z0-9_]{1,64}$/;

/** Handles a request to a route of `docs/api.md#operations`. */
export type RouteHandler = (id: OperationId, incoming: RouteRequest) => Promise<HTTPResponse>;

/** Creates the request pipeline of the routes. It checks requests in the order of `docs/errors.md#the-order-of-checks`. */
export function createRouteHandler(context: Context, hooks: RouteHooks = {}): RouteHandler {
  const { admission = null } = hooks;
  const { authenticate } = createAuthenticator(context, monotonicClock, hooks.keyStores);
  const rate = createGeneralRate(context.settings, context.wallClock);
  const streams = createEventStreams(context);

  async function answer(id: OperationId, incoming: RouteRequest, requestId: string): Promise<HTTPResponse> {
    const { client } = incoming;
    const headers: ResponseHeaders = {
      'x-request-id': requestId,
      'ratelimit-policy': rate.policy,
      'cache-control': 'no-store',
    };
    const known = { party: client.network };
    try {
      return await takeSteps(id, incoming, headers, known);
    } catch (error) {
      const isOurs = error instanceof NoTurnError && hooks.isDatabaseLate?.() === true;
      const thrown = isOurs ? new NoTurnError(false) : error;
      // The dashboard itself turns its own errors into responses.
      if (thrown instanceof DashboardError) throw thrown;
      if (thrown instanceof NoTurnError) hooks.onRefused?.(thrown.isOwn ? 'share' : 'busy');
      if (isCausedAtWill(toServiceError(thrown))) await admission?.paceRefusal(known.party, client);
      return respondError(context, thrown, headers, requestId);
    }
  }

  /**
   * Checks and runs a request, step by step. h3 has already checked path and method.
   * @param known its `party` is set to the account once the key is authenticated.
   */
  async function takeSteps(
    id: OperationId,
    incoming: RouteRequest,
    headers: ResponseHeaders,
    known: { party: string },
  ): Promise<HTTPResponse> {
    const credentials = await checkKey(id, incoming);
    const { caller } = credentials;
    known.party = caller.account_id;
    const { state, header } = rate.take(caller);
    headers['ratelimit'] = header;
    checkSuspension(id, credentials);
    const permit = id === 'streamEvents' ? undefined : OPERATIONS[id].permit;
    // Check the rate before the request waits for capacity. If there is a permission check, check the rate after it, because the permission
    // check queries the database and runs in the account's share.
    if (permit === undefined) checkRate(state);
    // The router ignores a slash at the end. Without this check, a client whose id is empty by mistake would get the whole list.
    if (incoming.url.pathname.endsWith('/')) throw new ServiceError('not_found');
    return inShare(id, incoming, caller, async (own) => {
      await permit?.(own, caller);
      checkRate(state);
      if (id === 'streamEvents') return await stream(own, incoming, caller, headers);
      const final = await run(own, id, caller, incoming, { leases: context.store, headers });
      if (final.replayed) headers['idempotency-replayed'] = 'true';
      return respond(final.status, final.text, headers);
    });
  }

  async function checkKey(id: OperationId, incoming: RouteRequest): Promise<Credentials> {
    if (incoming.member !== undefined) return incoming.member.credentials;
    hooks.before?.(id, incoming.url);
    return authenticate(incoming.request.headers.get('authorization'), incoming.client.network);
  }

  function checkRate({ allowed, retry_after_s }: RateState): void {
    if (allowed) return;
    hooks.onRefused?.('rate');
    throw new ServiceError('rate_limited', { retry_after_s });
  }

  /** Does the work within the account's share of the node. `work` gets a context that uses the account's share of the database. */
  function inShare<T>(
    id: OperationId,
    { client, member }: RouteRequest,
    { account_id }: Caller,
    work: (own: Context) => Promise<T>,
  ): Promise<T> {
    const guard = member?.guard;
    const guarded = guard === undefined ? work : (own: Context) => work({ ...own, guard });
    if (admission === null) return guarded(context);
    const isList = id !== 'streamEvents' && OPERATIONS[id].isList === true;
    return admission.serveAccount(account_id, { client, isList }, guarded);
  }

  function stream(own: Context, incoming: RouteRequest, caller: Caller, headers: ResponseHeaders) {
    const { request, url, client } = incoming;
    const schema = ROUTES.streamEvents.query;
    nameIgnored(headers, unknownParameters(url.searchParams, schema));
    const query = readFields(schema, readQuery(url.searchParams, schema)) as StreamEventsQuery;
    const lastEventId = request.headers.get('last-event-id') || null;
    const admit = () => authenticate(request.headers.get('authorization'), client.network);
    return streams.open({ own, caller, query, lastEventId, headers, admit });
  }

  return async (id, incoming) => {
    const startedAt = performance.now();
    const requestId = context.ids('req');
    const response = await answer(id, incoming, requestId);
    hooks.after?.(id, response.status ?? 200, performance.now() - startedAt, requestId);
    return response;
  };
}

/** Builds the response for an error (`docs/api.md#errors`), and logs internal errors. */
export function respondError(
  context: Pick<Context, 'settings' | 'log'>,
  thrown: unknown,
  headers: ResponseHeaders,
  requestId: string,
): HTTPResponse {
  const error = toServiceError(thrown);
  if (error.code === 'internal_error')
    context.log.error({ error: thrown, request_id: requestId }, 'a request failed');
  if (error.retry_after_s !== undefined) headers['retry-after'] = String(error.retry_after_s);
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  return respond(error.status, JSON.stringify(envelope(error, context.settings, requestId)), headers);
}

function checkSuspension(id: OperationId, { suspended }: Credentials): void {
  if (suspended && isChange(ROUTES[id])) throw new ServiceError('account_suspended');
}

/** Returns whether clients can cause this error as often as they like, so that its responses must be delayed. */
function isCausedAtWill({ status }: ServiceError): boolean {
  return status === 401 || status === 429;
}

async function run<Id extends DocumentId>(
  context: Context,
  id: Id,
  caller: Caller,
  { request, url, params }: RouteRequest,
  { leases, headers }: { leases: Store; headers: ResponseHeaders },
): Promise<FinalResponse> {
  const route: ApiRoute = ROUTES[id];
  const bytes = readsBody(route) ? await readBody(request) : new Uint8Array();
  const json = readJson(route, request, bytes);
  const ignored = json === null ? [] : unknownFields(json, route.body);
  // An empty query is not parsed, because parsing it costs as much as finding the operation.
  const parameters = url.search === '' ? [] : unknownParameters(url.searchParams, route.query);
  nameIgnored(headers, [...parameters, ...ignored]);
  const perform = (by: Caller): Promise<Answer<unknown>> => {
    const problems = json === null ? [] : OPERATIONS[id].problems?.(context, json);
    const body = route.body === undefined ? null : readFields(route.body, json, problems);
    const query =
      route.query === undefined ? null : readFields(route.query, readQuery(url.searchParams, route.query));
    // No resource has a malformed id, so the response is a 404 without a database query.
    if (takesId(route) && !ID.test(params.id)) throw new ServiceError('not_found');
    const input = { params, query, body, unknownFields: ignored } as Input<Id>;
    return OPERATIONS[id].run(context, by, input);
  };
  const key = takesIdempotencyKey(route) ? request.headers.get('idempotency-key') : null;
  if (key !== null) {
    const fingerprinted = { method: route.method, pathAndQuery: url.pathname + url.search, body: bytes };
    return withIdempotencyKey(context, caller, key, fingerprinted, async (by) => perform(by), leases);
  }
  const { status, body } = await perform(caller);
  return { status, text: body === null ? null : JSON.stringify(body), replayed: false };
}

function readJson(route: ApiRoute, request: Request, bytes: Uint8Array): Record<string, unknown> | null {
  if (route.body === undefined) return null;
  return route.bodyIsOptional && bytes.length === 0 ? {} : parseJsonObject(request, bytes);
}

/**
 * Lists ignored parameters, percent-encoded, in the header `X-Ignored-Parameters`. Otherwise a parameter with a typo in its name would seem
 * to work.
 */
function nameIgnored(headers: ResponseHeaders, names: readonly string[]): void {
  if (names.length === 0) return;
  const listed = names
    .slice(0, LISTED_MAX)
    .map((name) => encodeURIComponent(name.slice(0, 60).toWellFormed()));
  headers['x-ignored-parameters'] = listed.join(', ');
}

/**
 * Builds a response as h3's `HTTPResponse`. A `Response` of the fetch API would turn the text into a stream, which takes longer than most
 * operations.
 */
function respond(status: number, text: string | null, headers: ResponseHeaders): HTTPResponse {
  if (text !== null) headers['content-type'] = 'application/json';
  return new HTTPResponse(text, { status, headers });
}
