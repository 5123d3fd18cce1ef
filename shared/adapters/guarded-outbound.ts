import { LIMITS } from '../core/limits.ts';
import { loadOnce } from '../core/load-once.ts';
import type { Outbound } from '../ports/outbound.ts';
import { ConnectFailure, createGuard, type Guard, type Lookup } from './guarded-connect.ts';
import type { Exchanges, Outcome } from './outbound-exchanges.ts';

/** The outbound port on undici's `dispatch`, which follows, decodes and adds nothing, over guarded connections. */
export interface OutboundOptions {
  /** True in the emulator: opens loopback, plain HTTP included. */
  allow_loopback: boolean;
  /** The service's own edge addresses. */
  refused_addresses: readonly string[];
  lookup?: Lookup;
  /** Certificate authorities in PEM that are trusted beside the system's. */
  ca?: readonly string[];
}

/** @throws RangeError when `refused_addresses` holds something that is no IP address. */
export function createOutbound(options: OutboundOptions): Outbound {
  const guard = createGuard({ ...options, connect_timeout_ms: LIMITS.webhook_timeout_ms });
  const exchanges = loadOnce(() => openExchanges(guard));
  let closed = false;

  return {
    async send(request) {
      if (closed) throw new Error('outbound is closed');
      if (request.answer_bytes_max > ANSWER_BYTES_MAX)
        throw new RangeError('answer_bytes_max is over 512 KB');
      if (Object.keys(request.headers).some((name) => name.toLowerCase() === 'host')) {
        throw new TypeError('Host comes from the URL');
      }
      const { exchange } = await exchanges.get();
      const started = performance.now();
      const url = allowedUrl(request.url);
      const outcome = url ? await exchange(url, request) : NOT_ALLOWED;
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
      const ended = (await exchanges.loaded())?.destroy();
      guard.close();
      await ended;
    },
  };
}

/** Half of what an exchange reads from the network in all. */
const ANSWER_BYTES_MAX = 512 * 1024;

const NOT_ALLOWED: Outcome = { ok: false, error: 'url_not_allowed' };

/** undici is loaded with the first request: a server that has none to send starts the sooner. */
async function openExchanges({ connect }: Guard): Promise<Exchanges> {
  const { createExchanges } = await import('./outbound-exchanges.ts');
  return createExchanges(connect);
}

/** Null for what is never sent. Whether its addresses may be connected to is the guard's to say. */
function allowedUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  // undici would drop it, and a receiver would be left to wonder why.
  if (url.username || url.password) return null;
  url.hostname = withoutDot(url.hostname);
  return url;
}

/** A host in the spelling that connections use, or null when it is none: `0x7f.1` is 127.0.0.1. */
function hostnameOf(host: string): string | null {
  const text = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = URL.parse(`https://${text}`);
  if (!url || !/^(\[[^\]]*\]|[^[\]:/?#@\\\s]+)$/.test(text)) return null;
  return withoutDot(url.hostname).replace(/^\[|\]$/g, '');
}

/** The dot of an absolute name has no place in TLS (RFC 6066, section 3). */
function withoutDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}
