import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { PathResponse } from '../../shared/core/public-path/classify-path.ts';
import {
  type PathKeys,
  type PathReceipt,
  PROBE_COOKIE,
  probeHeader,
  readReceipt,
} from '../../shared/core/public-path/path-receipt.ts';
import type { ServiceNames } from '../../shared/core/service-name.ts';

/** One request of a path probe, which tests whether a hostname leads to our edge. */
export interface PathRequest {
  scheme: 'http' | 'https';
  address: string;
  port: number;
  hostname: string;
  path: string;
  token: string;
  /** True for a request with the headers of a browser, so that no server can recognize probes by their headers. */
  disguised?: boolean;
}

export interface PathRequestOptions {
  names: ServiceNames;
  keys: PathKeys;
  /** Returns the TLS context. The context is created only when needed, because its creation reads every CA that the system trusts. */
  secureContext: () => SecureContext;
  timeoutMs: number;
}

/** The maximum length of a body that is read. Every receipt is shorter. */
const BODY_CHARS_MAX = 4096;

/** Sends one request to one address and classifies the response. Never rejects. Does not follow redirects. */
export function requestPath(asked: PathRequest, options: PathRequestOptions): Promise<PathResponse> {
  const { promise, resolve } = Promise.withResolvers<PathResponse>();
  const sent = openRequest(asked, options);
  let isConnected = false;
  sent.on('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true;
    });
  });
  sent.on('response', (response) => {
    // Without an agent, each connection makes a full handshake. A resumed session would have no certificate.
    const serial = serialOf(response);
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      body += chunk;
      if (body.length > BODY_CHARS_MAX) sent.destroy();
    });
    response.on('error', () => undefined);
    response.on('close', () => resolve(classify(asked, options, { response, body, serial })));
  });
  sent.on('error', (error: NodeJS.ErrnoException) => {
    if (WRONG_CERTIFICATE.test(error.code ?? '')) resolve({ kind: 'bad_certificate' });
    else resolve({ kind: isConnected && error.code !== 'ABORT_ERR' ? 'broken' : 'silent' });
  });
  sent.end();
  return promise;
}

/** Matches Node's error codes for an invalid certificate. */
const WRONG_CERTIFICATE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

function openRequest(
  asked: PathRequest,
  { names, secureContext, timeoutMs }: PathRequestOptions,
): ClientRequest {
  const { scheme, address, port, hostname, path, token, disguised = false } = asked;
  const plain = {
    host: address,
    port,
    path,
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      Host: authority(asked),
      Accept: '*/*',
      ...(disguised
        ? { 'User-Agent': BROWSER }
        : {
            'User-Agent': names.probe_user_agent,
            Cookie: `${PROBE_COOKIE}=${token}`,
            [probeHeader(names)]: token,
          }),
    },
  };
  if (scheme === 'http') return plainRequest(plain);
  const secure = { ...plain, servername: hostname, secureContext: secureContext() };
  return secureRequest(secure);
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Returns the value of `Host`: the hostname, with the port if it is not the default port. */
function authority({ scheme, port, hostname }: PathRequest): string {
  return port === DEFAULT_PORTS[scheme] ? hostname : `${hostname}:${port}`;
}

const DEFAULT_PORTS = { http: 80, https: 443 };

function serialOf({ socket }: IncomingMessage): string | null {
  const certificate = (socket as Partial<TLSSocket>).getPeerX509Certificate?.();
  return certificate?.serialNumber.toLowerCase() ?? null;
}

interface Answered {
  response: IncomingMessage;
  body: string;
  serial: string | null;
}

function classify(
  asked: PathRequest,
  { names, keys }: PathRequestOptions,
  { response, body, serial }: Answered,
): PathResponse {
  const { statusCode: status = 0, headers } = response;
  const receipt = status === 200 && response.complete ? readReceipt(keys, body) : null;
  if (receipt !== null) {
    if (receipt.token !== asked.token) return { kind: 'stale' };
    const whole = isWhole(response, receipt, probeHeader(names));
    return { kind: 'receipt', receipt, path: asked.path, whole, serial };
  }
  const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
  return isRedirect ? redirectKind(asked, headers.location ?? '') : { kind: 'response', status };
}

function isWhole({ headers }: IncomingMessage, { id }: PathReceipt, headerName: string): boolean {
  const cookies = headers['set-cookie'] ?? [];
  return (
    headers[headerName.toLowerCase()] === id &&
    cookies.some((each) => each.startsWith(`${PROBE_COOKIE}=${id}`))
  );
}

function redirectKind(asked: PathRequest, location: string): PathResponse {
  const { scheme, hostname, path } = asked;
  const base = `${scheme}://${authority(asked)}${path}`;
  const target = URL.parse(location, base);
  const isSame = target?.hostname === hostname && `${target.pathname}${target.search}` === path;
  if (!isSame) return { kind: 'redirect' };
  if (target.protocol === `${scheme}:`)
    return target.host === authority(asked) ? { kind: 'loop' } : { kind: 'redirect' };
  return { kind: 'other_scheme' };
}
