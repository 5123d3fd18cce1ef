import { H3, type H3Event, HTTPResponse } from 'h3';
import { etagOf, type KeptResponse, respondKept } from '../adapters/compress.ts';
import { NoTurnError } from '../adapters/turns.ts';
import { ServiceError } from '../core/errors.ts';
import { createDocs } from '../docs-site/docs-pages.ts';
import type { Context } from '../operations/context.ts';
import { openApiDocument } from '../schema/openapi/openapi.ts';
import { type OperationId, ROUTES } from '../schema/routes.ts';
import { type ConnectedClient, clientOf } from './admission.ts';
import { createRouteHandler, type RouteHandler, type RouteHooks, respondError } from './handle-route.ts';

/**
 * Creates the HTTP API: the routes of `docs/api.md#operations`, the OpenAPI document and the documentation. Responds with 404 to everything
 * else.
 * @param parts functions that add more pages to the same server.
 */
export function createApi(context: Context, hooks: RouteHooks = {}, ...parts: ApiPart[]): H3 {
  const { admission } = hooks;
  const handle = createRouteHandler(context, hooks);
  // With this option, a path that cannot be decoded gets a 404, because no such path exists.
  const app = new H3({ silent: true, allowMalformedURL: true });
  /**
   * Paths whose requests wait for capacity later, after authentication, in the share of their account. Requests to other paths wait in the
   * share of the visitor's network.
   */
  const paths = new Set<string>();
  /** Paths of the API's own routes, whose responses always have a request id. */
  const ownPaths = new Set<string>();
  for (const [id, { method, path: template }] of Object.entries(ROUTES)) {
    const path = template.replace('{id}', ':id');
    paths.add(path);
    ownPaths.add(path);
    app.on(method, path, (event) =>
      handle(id as OperationId, {
        request: event.req,
        url: event.url,
        params: { id: event.context.params?.id ?? '' },
        client: admission === undefined ? NO_CLIENT : clientOf(event),
      }),
    );
  }
  for (const part of parts) for (const path of part(app, handle)) paths.add(path);
  app.on('GET', '/v1/openapi.json', (event) => openApi(context, event));
  const docs = createDocsRoute(context, hooks.exampleKey ?? null);
  for (const path of DOCS_PATHS) app.on('GET', path, docs);
  app.use((event, next) => {
    const path = event.context.matchedRoute?.route ?? '';
    if (ownPaths.has(path)) return runHandler(context, next);
    const isOfApp = paths.has(path);
    if (admission === undefined || isOfApp) return withRequestId(context, next);
    return withRequestId(context, () =>
      admission
        .servePage(clientOf(event), async () => next())
        .catch((thrown: unknown) => {
          if (thrown instanceof NoTurnError) hooks.onRefused?.('busy');
          throw thrown;
        }),
    );
  });
  return app;
}

/**
 * Adds pages to the API's server. The pages run operations through the API's route handler.
 * @returns the paths for which the part reserves capacity itself. For other paths, `createApi` reserves it, as for a page without a key.
 */
export type ApiPart = (app: H3, handle: RouteHandler) => readonly string[];

export const NO_CLIENT: ConnectedClient = { network: '', leaving: () => undefined };

const documents = new WeakMap<Context, KeptResponse>();

/** Serves the OpenAPI document, the authority for every field (`docs/api.md#versioning`). The document is built once. */
async function openApi(context: Context, event: H3Event): Promise<Response> {
  const document = documents.get(context) ?? keptJson(JSON.stringify(openApiDocument(context.settings)));
  documents.set(context, document);
  return respondKept(event.req, document);
}

function keptJson(body: string): KeptResponse {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=60',
    etag: etagOf(body),
  };
  return { status: 200, headers, body, forms: new Map() };
}

const DOCS_PATHS = ['/docs', '/docs/**', '/docs.md', '/llms.txt'];

/** Serves the documentation, which is read from its files at the first request. */
function createDocsRoute(
  context: Context,
  exampleKey: string | null,
): (event: H3Event) => Promise<Response | HTTPResponse> {
  let docs: ReturnType<typeof createDocs> | null = null;
  return async ({ req, url }) => {
    docs ??= createDocs(context.settings, exampleKey);
    const found = docs(url.pathname);
    return found === null ? notFound(context) : respondKept(req, found);
  };
}

/**
 * Runs the next handler. For paths without a route and for errors outside of routes, responds with an error envelope. Adds a request id to
 * every response. Adds `no-store` to a response without `Cache-Control`, because caches may keep even a 404 without this header (RFC 9111
 * section 4.2.2).
 */
async function withRequestId(context: Context, next: () => unknown): Promise<Response | HTTPResponse> {
  const response = await runHandler(context, next);
  if (!response.headers.has('x-request-id')) response.headers.set('x-request-id', context.ids('req'));
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}

async function runHandler(context: Context, next: () => unknown): Promise<Response | HTTPResponse> {
  try {
    const response = await next();
    return response instanceof HTTPResponse || response instanceof Response ? response : notFound(context);
  } catch (thrown) {
    return failure(context, thrown);
  }
}

function notFound(context: Context): HTTPResponse {
  return failure(context, new ServiceError('not_found'));
}

function failure(context: Context, thrown: unknown): HTTPResponse {
  const requestId = context.ids('req');
  return respondError(context, thrown, { 'x-request-id': requestId }, requestId);
}
