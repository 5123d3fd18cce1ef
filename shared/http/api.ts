import { H3, type H3Event, HTTPResponse } from 'h3';
import { compressed, type EncodedForms } from '../adapters/compress.ts';
import { NoTurnError } from '../adapters/turns.ts';
import { ServiceError } from '../core/errors.ts';
import type { Context } from '../operations/context.ts';
import { type OperationId, ROUTES } from '../schema/routes.ts';
import { type Client, clientOf } from './admission.ts';
import { createRouteHandler, type RouteHooks, respondError } from './handle-route.ts';

/** The HTTP API: the routes of section 4, the OpenAPI document and the documentation. Everything else is 404. */
export function createApi(context: Context, hooks: RouteHooks = {}): H3 {
  const { admission } = hooks;
  const handle = createRouteHandler(context, hooks);
  // There is nothing at a path that cannot be decoded: 404, as anywhere else.
  const app = new H3({ silent: true, allowMalformedURL: true });
  /** Routes that count for an app. Authentication names the app before the request takes a slot. */
  const paths = new Set<string>();
  for (const [id, { method, path: template }] of Object.entries(ROUTES)) {
    const path = template.replace('{id}', ':id');
    paths.add(path);
    app.on(method, path, (event) =>
      handle(id as OperationId, {
        request: event.req,
        url: event.url,
        params: { id: event.context.params?.id ?? '' },
        client: admission === undefined ? NOBODY : clientOf(event),
      }),
    );
  }
  app.on('GET', '/v1/openapi.json', (event) => openApi(context, event));
  app.on('GET', '/docs/**', (event) => docs(context, event));
  app.on('GET', '/docs', (event) => docs(context, event));
  app.use((event, next) => {
    const isOfApp = paths.has(event.context.matchedRoute?.route ?? '');
    if (admission === undefined || isOfApp) return answered(context, next);
    return answered(context, () =>
      admission
        .servePage(clientOf(event), async () => next())
        .catch((thrown: unknown) => {
          if (thrown instanceof NoTurnError) hooks.on_refused?.('busy');
          throw thrown;
        }),
    );
  });
  return app;
}

const NOBODY: Client = { network: '', leaving: () => undefined };

const documents = new WeakMap<Context, { text: string; forms: EncodedForms }>();

/** Section 9: the authority for every field. Made once. */
async function openApi(context: Context, event: H3Event): Promise<Response> {
  // Loaded when somebody reads: a server without readers starts the sooner.
  const { openApiDocument } = await import('../schema/openapi/openapi.ts');
  const document = documents.get(context) ?? {
    text: JSON.stringify(openApiDocument(context.settings)),
    forms: new Map(),
  };
  documents.set(context, document);
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' };
  return compressed(event.req, new Response(document.text, { headers }), document.forms);
}

async function docs(context: Context, event: H3Event): Promise<Response | HTTPResponse> {
  const { docsHandler } = await import('./pages/docs-pages.ts');
  const answer = docsHandler(event.url.pathname, context.settings);
  if (answer === null) return notFound(context);
  const { status, content_type, headers, body } = answer;
  const page = new Response(body, { status, headers: { ...headers, 'content-type': content_type } });
  return compressed(event.req, page);
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
