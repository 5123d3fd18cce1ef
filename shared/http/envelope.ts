import type { H3 } from 'h3';
import { NoTurnError } from '../adapters/turns.ts';
import { codeOnWire, ServiceError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { ErrorEnvelope } from '../schema/error.ts';
import { CommitUnknown, isStoreUnavailable } from '../store/unavailable.ts';

const OWN_SHARE_TAKEN = 'Earlier requests of this account use all of its share of this node.';

type Presented = Pick<Settings, 'names' | 'docsUrl'>;

/** Builds the envelope of `docs/api.md#errors`. No other code builds an error envelope. */
export function envelope(error: ServiceError, settings: Presented, requestId: string): ErrorEnvelope {
  const code = codeOnWire(error.code, settings);
  return {
    error: {
      code,
      message: error.message,
      fix: error.fix,
      docs: `${settings.docsUrl}/errors/${code}`,
      ...(error.code === 'internal_error' ? { request_id: requestId } : {}),
      ...(error.status_detail === undefined ? {} : { status_detail: error.status_detail }),
    },
  };
}

/** Turns anything thrown into a ServiceError. An unexpected error becomes `internal_error`, which reveals nothing about the cause. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof NoTurnError && thrown.isOwn) {
    return new ServiceError('rate_limited', { message: OWN_SHARE_TAKEN, cause: thrown, retry_after_s: 1 });
  }
  if (thrown instanceof CommitUnknown)
    return new ServiceError('database_unavailable', { cause: thrown, retry_after_s: 1 });
  return isStoreUnavailable(thrown)
    ? new ServiceError('service_unavailable', { cause: thrown, retry_after_s: 1 })
    : new ServiceError('internal_error', { cause: thrown });
}

/**
 * Serves the path `/`: redirects browsers to the dashboard, and returns a list of the server's parts to programs.
 * @param url the URL of the server. @param more names and URLs of further parts of this server.
 */
export function serveRoot(app: H3, url: string, more: Readonly<Record<string, string>> = {}): void {
  const parts = {
    api: `${url}/v1`,
    openapi: `${url}/v1/openapi.json`,
    docs: `${url}/docs`,
    dashboard: `${url}/dashboard`,
    ...more,
  };
  app.on('GET', '/', ({ req }) => {
    const headers = { vary: 'accept', 'cache-control': 'no-store' };
    return req.headers.get('accept')?.includes('text/html')
      ? new Response(null, { status: 302, headers: { ...headers, location: '/dashboard' } })
      : Response.json(parts, { headers });
  });
  // Browsers request this icon with every page.
  app.on(
    'GET',
    '/favicon.ico',
    () => new Response(null, { status: 204, headers: { 'cache-control': 'public, max-age=86400' } }),
  );
}
