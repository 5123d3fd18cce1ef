import { HTTPResponse } from 'h3';
import { ServiceError } from '../core/errors.ts';
import { type Credentials, createAuthenticator } from '../operations/authenticate.ts';
import type { Answer, Caller, Context } from '../operations/context.ts';
import type { StreamEventsQuery } from '../schema/event.ts';
import { type DocumentId, type OperationId, ROUTES, type Route } from '../schema/routes.ts';
import { envelope, toServiceError } from './envelope.ts';
import { createEventStreams } from './event-streams.ts';
import { type FinalAnswer, withIdempotencyKey } from './idempotency.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { createRateLimiter, type RateState } from './rate-limiter.ts';
import { parseJsonObject, readBody } from './read-body.ts';
import { readFields, readQuery } from './read-fields.ts';

export interface RouteRequest {
  request: Request;
  url: URL;
  params: { id: string };
}

/** What a composition root adds to the way of a request. */
export interface RouteHooks {
  /** Before the key is asked for; a ServiceError that it throws is the answer. */
  before?: (id: OperationId, url: URL) => void;
  /** Once the answer is decided. */
  after?: (id: OperationId, status: number, duration_ms: number, request_id: string) => void;
}

const ID = /^[A-Za-z0-9_]{1,64}$/;

/** Serves a route of section 4. */
export type RouteHandler = (id: OperationId, incoming: RouteRequest) => Promise<HTTPResponse>;

/** The way of a request, in the order of checks that `docs/domains.md` gives. */
export function createRouteHandler(context: Context, hooks: RouteHooks = {}): RouteHandler {
  const { settings } = context;
  const { authenticate } = createAuthenticator(context);
  const take = createRateLimiter(settings.rate, context.wall_clock);
  const streams = createEventStreams(context);

  async function answer(id: OperationId, incoming: RouteRequest): Promise<HTTPResponse> {
    const request_id = context.ids('req');
    const headers = new Headers({
      'x-request-id': request_id,
      'ratelimit-policy': `"api";q=${settings.rate.per_second};w=1`,
      'cache-control': 'no-store',
    });
    try {
      hooks.before?.(id, incoming.url);
      const credentials = await authenticate(incoming.request.headers.get('authorization'));
      const { caller } = credentials;
      const rate = take(caller.key_id);
      headers.set('ratelimit', `"api";r=${rate.remaining};t=${rate.reset_s}`);
      if (id === 'streamEvents') return await stream(incoming, caller, rate, headers);
      await admit(context, id, credentials, rate);
      const final = await run(context, id, caller, incoming);
      if (final.replayed) headers.set('idempotency-replayed', 'true');
      return respond(final.status, final.text, headers);
    } catch (thrown) {
      return respondError(context, thrown, headers, request_id);
    }
  }

  function stream({ request, url }: RouteRequest, caller: Caller, rate: RateState, headers: Headers) {
    if (!rate.allowed) throw tooFast(rate);
    const query = readFields(ROUTES.streamEvents.query, readQuery(url.searchParams)) as StreamEventsQuery;
    const last_event_id = request.headers.get('last-event-id') || null;
    const admit = () => authenticate(request.headers.get('authorization'));
    return streams.open({ caller, query, last_event_id, headers, admit });
  }

  return async (id, incoming) => {
    const started_at = performance.now();
    const response = await answer(id, incoming);
    const request_id = response.headers.get('x-request-id') ?? '';
    hooks.after?.(id, response.status ?? 200, performance.now() - started_at, request_id);
    return response;
  };
}

/** Section 7: the answer for an error, and a line in the log for one of ours. */
export function respondError(
  context: Pick<Context, 'settings' | 'log'>,
  thrown: unknown,
  headers: Headers,
  request_id: string,
): HTTPResponse {
  const error = toServiceError(thrown);
  if (error.code === 'internal_error') context.log.error({ error: thrown, request_id }, 'a request failed');
  if (error.retry_after_s !== undefined) headers.set('retry-after', String(error.retry_after_s));
  if (error.status === 401) headers.set('www-authenticate', 'Bearer');
  return respond(error.status, JSON.stringify(envelope(error, context.settings, request_id)), headers);
}

/** What is asked before the request is read; every request counts for the rate, a forbidden one too. */
async function admit(
  context: Context,
  id: DocumentId,
  { caller, suspended }: Credentials,
  rate: RateState,
): Promise<void> {
  if (suspended && ROUTES[id].method !== 'GET') throw new ServiceError('account_suspended');
  const { permit } = OPERATIONS[id] as Operation<DocumentId>;
  await permit?.(context, caller);
  if (!rate.allowed) throw tooFast(rate);
}

function tooFast({ retry_after_s }: RateState): ServiceError {
  return new ServiceError('rate_limited', { retry_after_s });
}

async function run(
  context: Context,
  id: DocumentId,
  caller: Caller,
  { request, url, params }: RouteRequest,
): Promise<FinalAnswer> {
  const route: Route = ROUTES[id];
  const reads_body = route.method === 'POST' || route.method === 'PATCH';
  const bytes = reads_body ? await readBody(request) : new Uint8Array();
  const json = route.body === undefined ? null : parseJsonObject(request, bytes);
  const perform = (by: Caller): Promise<Answer<unknown>> => {
    const problems = json === null ? [] : OPERATIONS[id].problems?.(context, json);
    const body = route.body === undefined ? null : readFields(route.body, json, problems);
    const query = route.query === undefined ? null : readFields(route.query, readQuery(url.searchParams));
    // What no id looks like is nobody's, and need not come near the database.
    if (route.path.includes('{id}') && !ID.test(params.id)) throw new ServiceError('not_found');
    const operation = OPERATIONS[id] as unknown as Operation<'createDomain'>;
    return operation.run(context, by, { params, query: query as null, body: body as never });
  };
  const key = route.method === 'POST' ? request.headers.get('idempotency-key') : null;
  if (key !== null) {
    const fingerprinted = { method: route.method, path_and_query: url.pathname + url.search, body: bytes };
    return withIdempotencyKey(context, caller, key, fingerprinted, async (by) => perform(by));
  }
  const { status, body } = await perform(caller);
  return { status, text: body === null ? null : JSON.stringify(body), replayed: false };
}

/** h3's own response: the fetch API's makes a stream of the text, which takes longer than most operations. */
function respond(status: number, text: string | null, headers: Headers): HTTPResponse {
  if (text !== null) headers.set('content-type', 'application/json');
  return new HTTPResponse(text, { status, headers });
}
