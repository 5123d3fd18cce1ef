import { LIMITS } from '../core/limits.ts';
import { loadOnce } from '../core/load-once.ts';
import type { Outbound } from '../ports/outbound.ts';
import { type AddressLookup, ConnectFailure, createGuard, type Guard } from './guarded-connect.ts';
import type { Outcome, RequestSender } from './request-sender.ts';

/**
 * Options of the outbound client. The client sends requests over guarded connections, with undici's `dispatch`, which follows no redirect,
 * decodes nothing and adds nothing.
 */
export interface OutboundOptions {
  /** True in the emulator: allows loopback, including plain HTTP. */
  allowLoopback: boolean;
  /** True only for the client that looks for redirects of HTTP-01 challenges, which use plain HTTP. */
  allowPlainHttp?: boolean;
  /** The service's own edge addresses. */
  refusedAddresses: readonly string[];
  lookup?: AddressLookup;
  /** Certificate authorities in PEM to trust in addition to the system's. */
  ca?: readonly string[];
}

/** Creates the outbound client. @throws RangeError if `refusedAddresses` contains something that is not an IP address. */
export function createOutbound(options: OutboundOptions): Outbound {
  const guard = createGuard({ ...options, connectTimeoutMs: LIMITS.webhook_timeout_ms });
  const sender = loadOnce(() => loadRequestSender(guard));
  let closed = false;

  return {
    async send(request) {
      if (closed) throw new Error('outbound is closed');
      if (request.maxResponseBytes > ANSWER_BYTES_MAX)
        throw new RangeError('answer_bytes_max must be at most 512 KB');
      if (Object.keys(request.headers).some((name) => name.toLowerCase() === 'host')) {
        throw new TypeError('Do not set Host: the client takes it from the URL');
      }
      const { send } = await sender.get();
      const started = performance.now();
      const url = allowedUrl(request.url);
      const outcome = url ? await send(url, request) : NOT_ALLOWED;
      return { ...outcome, response_ms: Math.round(performance.now() - started) };
    },

    async check(host) {
      const hostname = hostnameOf(host);
      if (hostname === null) return 'not_allowed';
      try {
        await guard.resolve(hostname, 'https:');
        return 'allowed';
      } catch (error) {
        if (!(error instanceof ConnectFailure)) throw error;
        return error.error === 'dns_failed' ? 'dns_failed' : 'not_allowed';
      }
    },

    async close() {
      closed = true;
      const ended = (await sender.loaded())?.destroy();
      guard.close();
      await ended;
    },
  };
}

/** Upper limit of `maxResponseBytes`. It is half of the number of bytes that one request may read from the network in total. */
const ANSWER_BYTES_MAX = 512 * 1024;

const NOT_ALLOWED: Outcome = { ok: false, problem: 'url_not_allowed' };

/** Creates the request sender. Called with the first request. */
async function loadRequestSender({ connect }: Guard): Promise<RequestSender> {
  // Lazy: undici would delay the start of the emulator by 10 ms.
  const { createRequestSender } = await import('./request-sender.ts');
  return createRequestSender(connect);
}

/** Parses a URL. Returns null if such a URL is never allowed. The guard later checks the addresses of its host. */
function allowedUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  // Undici would drop the user and password silently, and the receiver would not learn why requests fail.
  if (url.username || url.password) return null;
  url.hostname = withoutDot(url.hostname);
  return url;
}

/** Returns a host in the spelling that connections use, such as 127.0.0.1 for `0x7f.1`. Returns null if the text is not a host. */
function hostnameOf(host: string): string | null {
  const text = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = URL.parse(`https://${text}`);
  if (!url || !/^(\[[^\]]*\]|[^[\]:/?#@\\\s]+)$/.test(text)) return null;
  return withoutDot(url.hostname).replace(/^\[|\]$/g, '');
}

/** Removes the dot of an absolute name, which TLS does not allow (RFC 6066 section 3). */
function withoutDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}
