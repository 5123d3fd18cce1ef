import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { usageError } from '../runtime/cli-error.ts';

const TIMEOUT_MS = 15_000;
/** The problem if the port does not speak TLS. OpenSSL's own message, “wrong version number”, would be misleading. */
const NOT_TLS = 'no HTTPS on this port (for HTTP, start the address with http://)';
/** At most this many bytes of a body are compared. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** A host to which requests for a hostname are sent, whatever address the hostname's DNS record has. */
export interface Host {
  protocol: 'http:' | 'https:';
  /** Name or IP address to connect to. */
  address: string;
  port: number;
  /** The CA certificates to trust, in PEM. By default, the certificates that the system trusts. */
  ca?: string | undefined;
  /** False to accept an invalid certificate, such as an expired certificate of the old host. */
  verifies: boolean;
}

export interface HostResponse {
  ok: true;
  status: number;
  /** The header values by lowercase name. A repeated header has several values. */
  headers: Map<string, readonly string[]>;
  body: Buffer;
  /** True if the body is longer than `BODY_BYTES_MAX`. */
  isCut: boolean;
}

export type AskedHost = HostResponse | { ok: false; problem: string };

/**
 * Requests a path from `host`, with `hostname` in SNI and in the `Host` header. Does not follow redirects. Returns the response, or the
 * reason why there was none after at most 15 seconds.
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
  // If the connection fails after the response has begun, reading the body reports the error, so this listener does nothing.
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

/** Parses the address of a host: `[https://]<name or IP>[:port]`. @throws CliError `usage` */
export function readComparedHost(text: string, flag: string): Host {
  const url = URL.parse(text.includes('://') ? text : `https://${isIPv6(text) ? `[${text}]` : text}`);
  if (
    url === null ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.pathname !== '/' ||
    `${url.search}${url.hash}${url.username}` !== ''
  ) {
    throw usageError(
      `${flag} is not the address of a host.`,
      'Give a name or an IP address, such as 192.0.2.7, old.example.net:8443 or http://192.0.2.7.',
    );
  }
  const { protocol, hostname, port } = url;
  return {
    protocol,
    address: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'http:' ? 80 : 443),
    verifies: true,
  };
}

/** Returns the edge, at the address to which the domain's expected DNS record points. */
export async function edgeOf({ hostname, dns }: DomainResource): Promise<Host> {
  const name = dns.cname?.value ?? dns.apex?.a[0] ?? dns.apex?.aaaa[0];
  if (name === undefined) throw unknownHost('edge', hostname, '--edge');
  return { protocol: 'https:', address: await addressOf(name, '--edge'), port: 443, verifies: true };
}

/** Returns the host to which the hostname's DNS records point now. @throws CliError `usage` if they point to the edge already. */
export async function oldHostOf(hostname: string, edge: Host): Promise<Host> {
  const address = await addressOf(hostname, '--old');
  if (address === edge.address) {
    throw usageError(`${hostname} leads to the edge already.`, 'Name the old host with --old.');
  }
  return { protocol: 'https:', address, port: 443, verifies: false };
}

async function addressOf(name: string, flag: '--old' | '--edge'): Promise<string> {
  if (isIP(name)) return name;
  try {
    return (await lookup(name)).address;
  } catch {
    throw unknownHost(flag === '--old' ? 'old host' : 'edge', name, flag);
  }
}

function unknownHost(what: string, name: string, flag: string) {
  return usageError(`The address of the ${what} is unknown: ${name} has none here.`, `Give it with ${flag}.`);
}
