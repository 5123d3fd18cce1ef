import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { LIMITS } from '../../shared/core/limits.ts';
import { isLocalhostName, isLoopbackHost, LOCALHOST_ADDRESSES } from '../../shared/core/net/address.ts';
import { usageError } from '../runtime/cli-error.ts';

/** The receiver's response: its HTTP status, or the reason why there is none. */
export interface LocalResponse {
  status_code: number | null;
  error: 'timeout' | 'tls_error' | 'connection_failed' | null;
  response_ms: number;
}

/** Sends a POST as the service does: with a total timeout of 10 seconds, following no redirects, ignoring the response body. Never throws. */
export async function sendLocally(
  target: URL,
  headers: Record<string, string>,
  body: string,
  ended: AbortSignal,
): Promise<LocalResponse> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const { status, drained } = await post(target, headers, body, ended);
    await drained;
    return { status_code: status, error: null, response_ms: took() };
  } catch (error) {
    return { status_code: null, error: errorCode(error), response_ms: took() };
  }
}

async function post(target: URL, headers: Record<string, string>, body: string, ended: AbortSignal) {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(LIMITS.webhook_timeout_ms)]);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  // Accept any certificate from a receiver on this machine, because it is usually self-signed.
  const tls = isLocal(target) ? { rejectUnauthorized: false } : {};
  const lookup = isLocalhostName(target.hostname) ? { lookup: lookUpLocalhost } : {};
  const options = { method: 'POST', headers: { ...headers, ...length }, signal, ...tls, ...lookup };
  const call = request(target, options, resolve);
  call.on('error', reject);
  call.end(body);
  const response = await promise;
  const drained = new Promise<void>((done, fail) => {
    response.on('error', fail).on('end', done).resume();
  });
  return { status: response.statusCode ?? 0, drained };
}

/** Resolves a name under `localhost` to 127.0.0.1 and ::1. Many receivers listen on only one of the two addresses. */
const lookUpLocalhost: LookupFunction = (_hostname, _options, found) => {
  found(
    null,
    LOCALHOST_ADDRESSES.map((address) => ({ address, family: isIP(address) })),
  );
};

function errorCode(error: unknown): NonNullable<LocalResponse['error']> {
  const { name = '', code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  return /^(ERR_TLS|ERR_SSL|EPROTO|CERT|DEPTH|SELF|UNABLE)/.test(code) ? 'tls_error' : 'connection_failed';
}

/**
 * Parses the address to forward events to: `3000`, `3000/webhooks`, `localhost:3000/webhooks` or a whole URL. Refuses an address on another
 * machine unless `allowRemote` is true, because event bodies contain customers' hostnames.
 *
 * @throws CliError `usage`
 */
export function forwardTarget(text: string, allowRemote: boolean): URL {
  const address = /^\d{1,5}([/?]|$)/.test(text)
    ? `http://localhost:${text}`
    : text.includes('://')
      ? text
      : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw usageError(
      '--forward-to is not an http or https address.',
      'Give an address such as http://127.0.0.1:3000/webhooks.',
    );
  }
  if (allowRemote || isLocal(url)) return url;
  throw usageError(
    `${url.hostname} is not an address of this machine.`,
    'Forward to 127.0.0.1, localhost or [::1], or add --allow-remote if events may leave this machine.',
  );
}

/** Returns true for an address of this machine. Checks only the hostname of the URL, because its DNS records may change later. */
export function isLocal({ hostname }: URL): boolean {
  return isLoopbackHost(hostname) || isLocalhostName(hostname);
}
