import type { H3, H3Event } from 'h3';
import { ServiceError } from '../../shared/core/errors.ts';
import { envelope, toServiceError } from '../../shared/http/envelope.ts';
import { parseJsonObject, readBody } from '../../shared/http/read-body.ts';
import type { EmulatorComposition } from '../compose.ts';
import { serveLab } from '../lab/serve-lab.ts';
import type { ControlCall } from './action.ts';
import { ControlError, toControlError } from './control-error.ts';
import { CONTROL_ROUTES, type ControlRoute } from './routes.ts';

/** The limit is high, because an imported state can be large and comes from the same machine. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;

/** The part of `ControlCall` that does not depend on the request. */
export type ControlSurface = Pick<ControlCall, 'emulator' | 'urls' | 'ca' | 'base_seed' | 'stop'>;

/** Adds the control surface below `/_emulator` to the API's app. */
export function serveControl(app: H3, surface: ControlSurface): void {
  for (const route of CONTROL_ROUTES) {
    app.on(route.method, `/_emulator${route.path}`, (event) => respond(event, route, surface));
  }
  serveLab(app, surface.emulator);
}

async function respond(
  event: H3Event,
  { method, action }: ControlRoute,
  surface: ControlSurface,
): Promise<Response> {
  try {
    const body = method === 'GET' || method === 'DELETE' ? null : await readJson(event.req);
    const query = event.url.searchParams;
    const result = await action({ ...surface, param: paramOf(event), query, body });
    if (result instanceof Response) return result;
    return result === null ? new Response(null, { status: 204 }) : json(200, result);
  } catch (thrown) {
    return controlFailure(thrown, surface.emulator);
  }
}

/** Formats an error of the control surface in the API's error envelope. */
export function controlFailure(thrown: unknown, { context }: EmulatorComposition): Response {
  const shown = toControlError(thrown);
  if (shown instanceof ControlError) {
    const { code, message, fix, status_detail } = shown;
    const docs = `${context.settings.docsUrl}/emulator`;
    return json(shown.status, {
      error: { code, message, fix, docs, ...(status_detail && { status_detail }) },
    });
  }
  const error = toServiceError(thrown);
  if (error.code === 'internal_error') context.log.error({ error: thrown }, 'a control call failed');
  return json(error.status, envelope(error, context.settings, context.ids('req')));
}

/** Returns the decoded value of the path's placeholder. @throws ServiceError `not_found` if it cannot be decoded. */
function paramOf({ context }: H3Event): string {
  try {
    return decodeURIComponent(context.params?.['param'] ?? '');
  } catch {
    throw new ServiceError('not_found'); // A path that cannot be decoded matches nothing.
  }
}

/**
 * Parses the body. A missing body means `{}`, as in `curl -X POST …/reset`. A page of another origin cannot exploit this, because its
 * `Origin` header is refused first.
 */
async function readJson(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (bytes.length === 0 && !request.headers.has('content-type')) return {};
  return parseJsonObject(request, bytes);
}

function json(status: number, value: object): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}
