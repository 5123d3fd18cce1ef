import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

const TIMEOUT_MS = 15_000;
/** OpenSSL calls this a wrong version number. */
const NOT_TLS = 'no HTTPS on this port (for HTTP, start the address with http://)';
/** The most bytes of a body that are compared. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** A host to ask for a hostname's pages, whatever address its DNS record has. */
export interface Host {
  protocol: 'http:' | 'https:';
  /** Name or IP address to connect to. */
  address: string;
  port: number;
  /** Certificate authorities to trust, in PEM; the system's by default. */
  ca?: string | undefined;
  /** False if an invalid certificate is accepted. An old host's certificate may have expired, which can be the reason for the move. */
  verifies: boolean;
}

export interface HostResponse {
  ok: true;
  status: number;
  /** Names are in lowercase. A repeated header has several values. */
  headers: Map<string, readonly string[]>;
  body: Buffer;
  /** True if the body is longer than `BODY_BYTES_MAX`. */
  isCut: boolean;
}

export type AskedHost = HostResponse | { ok: false; problem: string };

/**
 * Requests a path of a hostname from a host, with the hostname in SNI and `Host`. Follows no redirect.
 * Returns the response, or why there was none. Waits 15 seconds at most.
 */
export async function askHost(host: Host, hostname: string, path: string): Promise<AskedHost> {
  const { protocol, address, port, ca, verifies } = host;
  const request = (protocol === 'https:' ? httpsRequest : httpRequest)({
    host: address,
    port,
    path,
    servername: hostname,
    headers: { host: hostname, accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'nameplate' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    rejectUnauthorized: verifies,
    agent: false,
    ...(ca !== undefined && { ca }),
  });
  // An error after the response has begun also ends the body, where it is reported.
  request.on('error', () => undefined);
  try {
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return {
      ok: true,
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      ...(await bodyOf(response)),
    };
  } catch (error) {
    return { ok: false, problem: failureOf(error) };
  } finally {
    request.destroy();
  }
}

function headersOf({ headersDistinct }: IncomingMessage): HostResponse['headers'] {
  return new Map(Object.entries(headersDistinct).map(([name, values]) => [name, values ?? []]));
}

async function bodyOf(response: IncomingMessage): Promise<Pick<HostResponse, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX), isCut: bytes > BODY_BYTES_MAX };
}

function failureOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (message.includes('wrong version number')) return NOT_TLS;
  if (name === 'AbortError' || name === 'TimeoutError') return `no response in ${TIMEOUT_MS / 1000} s`;
  return code === undefined || message.includes(code) ? message : `${code}: ${message}`;
}
