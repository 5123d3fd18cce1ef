import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { usageError } from '../runtime/cli-error.ts';

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

/** Reads the address of a host: `[https://]<name or IP>[:port]`. @throws CliError `usage` */
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

/** Returns the edge, at the address that the domain's DNS record leads to. */
export async function edgeOf({ hostname, dns }: DomainResource): Promise<Host> {
  const name = dns.cname?.value ?? dns.apex?.a[0] ?? dns.apex?.aaaa[0];
  if (name === undefined) throw unknownHost('edge', hostname, '--edge');
  return { protocol: 'https:', address: await addressOf(name, '--edge'), port: 443, verifies: true };
}

/** Returns the host that the hostname leads to now. @throws CliError `usage` if that is the edge already. */
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
