import { H3, type H3Event, HTTPResponse } from 'h3';
import { ServiceError } from '../core/errors.ts';
import type { Context } from '../operations/context.ts';
import { type OperationId, ROUTES } from '../schema/routes.ts';
import { createRouteHandler, type RouteHooks, respondError } from './handle-route.ts';

/** What a composition root adds to the API. */
export interface ApiOptions extends RouteHooks {
  /** Requests under way at once, of whatever path: one more is refused before memory or the pool's queue grows. */
  in_flight_max?: number;
  /** Told of each that is refused so. */
  on_refused?: () => void;
}

/** The HTTP API: the routes of section 4, the OpenAPI document and the documentation. Everything else is 404. */
export function createApi(context: Context, options: ApiOptions = {}): H3 {
  const { in_flight_max = Number.POSITIVE_INFINITY, on_refused } = options;
  const handle = createRouteHandler(context, options);
  let in_flight = 0;
  // There is nothing at a path that cannot be decoded: 404, as anywhere else.
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const [id, { method, path }] of Object.entries(ROUTES)) {
    app.on(method, path.replace('{id}', ':id'), (event) =>
      handle(id as OperationId, {
        request: event.req,
        url: event.url,
        params: { id: event.context.params?.id ?? '' },
      }),
    );
  }
  app.on('GET', '/v1/openapi.json', () => openApi(context));
  app.on('GET', '/docs/**', (event) => docs(context, event));
  app.on('GET', '/docs', (event) => docs(context, event));
  app.use(async (_event, next) => {
    in_flight += 1;
    try {
      if (in_flight <= in_flight_max) return await answered(context, next);
      on_refused?.();
      return failure(context, new ServiceError('service_unavailable', { retry_after_s: 1 }));
    } finally {
      // Whoever has left is still being answered until here.
      in_flight -= 1;
    }
  });
  return app;
}

const documents = new WeakMap<Context, string>();

/** Section 9: the authority for every field. Made once. */
async function openApi(context: Context): Promise<Response> {
  // Loaded when somebody reads: a server without readers starts the sooner.
  const { openApiDocument } = await import('../schema/openapi.ts');
  const text = documents.get(context) ?? JSON.stringify(openApiDocument(context.settings));
  documents.set(context, text);
  return new Response(text, {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' },
  });
}

async function docs(context: Context, event: H3Event): Promise<Response | HTTPResponse> {
  const { docsHandler } = await import('./docs-pages.ts');
  const answer = docsHandler(event.url.pathname, context.settings);
  if (answer === null) return notFound(context);
  const { status, content_type, headers, body } = answer;
  return new Response(body, { status, headers: { ...headers, 'content-type': content_type } });
}

/** Whatever no route takes, and whatever goes wrong outside of one, is an envelope too; every answer carries its request's id. */
async function answered(context: Context, next: () => unknown): Promise<Response | HTTPResponse> {
  const answer = await answerOf(context, next);
  if (!answer.headers.has('x-request-id')) answer.headers.set('x-request-id', context.ids('req'));
  return answer;
}

async function answerOf(context: Context, next: () => unknown): Promise<Response | HTTPResponse> {
  try {
    const answer = await next();
    return answer instanceof HTTPResponse || answer instanceof Response ? answer : notFound(context);
  } catch (thrown) {
    return failure(context, thrown);
  }
}

function notFound(context: Context): HTTPResponse {
  return failure(context, new ServiceError('not_found'));
}

function failure(context: Context, thrown: unknown): HTTPResponse {
  const request_id = context.ids('req');
  return respondError(context, thrown, new Headers({ 'x-request-id': request_id }), request_id);
}
