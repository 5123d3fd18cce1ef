import { LRUCache } from 'lru-cache';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { skipContinue } from '../../adapters/owned-server.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import { OriginConnectionLimiter } from './origin-connection-limiter.ts';

/**
 * Creates and caches a connection pool for each origin. Closes the least recently used pool when there are too many.
 * @param connect the guard of `guarded-connect.ts`, which connects to checked addresses only.
 */
export function createOriginPools(limits: EdgeLimits, connect: buildConnector.connector) {
  const pools = new LRUCache<string, OriginPool>({ max: limits.pools_max, dispose: letGo });
  const leaving = new Set<Pool>();
  const options = {
    connect,
    connections: limits.origin_connections_max,
    allowH2: false,
    headersTimeout: limits.origin_headers_timeout_ms,
    bodyTimeout: limits.origin_idle_ms,
    maxHeaderSize: limits.origin_header_bytes_max,
    factory: (url: URL, its: object) => new OriginClient(url, { ...its, connect }),
  };

  /** Closes an evicted pool once its requests have finished. New requests use another pool. */
  function letGo({ pool, fresh, limiter }: OriginPool): void {
    if (pool.destroyed) return;
    for (const each of [pool, fresh]) leaving.add(each);
    limiter.onceFree(() => {
      for (const each of [pool, fresh]) each.close(() => leaving.delete(each));
    });
  }

  return {
    /**
     * Returns the pool of an origin. Use the pool immediately, because a later call may close it.
     * @param origin the scheme, host and port of the origin.
     */
    get(origin: string): OriginPool {
      const known = pools.get(origin);
      if (known) return known;
      const made = {
        // Each connection has only one request at a time. Otherwise an origin that confuses two responses would send them to the wrong
        // visitors.
        pool: new Pool(origin, { ...options, pipelining: 1 }),
        // With `pipelining: 0`, undici opens a new connection for each request.
        fresh: new Pool(origin, { ...options, pipelining: 0 }),
        hostname: new URL(origin).hostname,
        limiter: createRequestLimiter(limits),
        tunnelLimiter: createTunnelLimiter(limits),
      };
      pools.set(origin, made);
      return made;
    },

    async destroy(): Promise<void> {
      const held = [...pools.values()].flatMap(({ pool, fresh }) => [pool, fresh]);
      await Promise.all([...held, ...leaving].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

/** A connection to an origin. Sets `reused` of each request to true if the connection was already open. */
class OriginClient extends Client {
  readonly #state: { expect: () => void };

  constructor(origin: URL, options: Client.Options & { connect: buildConnector.connector }) {
    const state: { expect(): void } = { expect: () => undefined };
    super(origin, {
      ...options,
      connect: (target, callback) =>
        options.connect(target, (...result) => {
          if (result[1]) state.expect = skipContinue(result[1]);
          callback(...result);
        }),
    });
    this.#state = state;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: ReuseAware): boolean {
    handler.reused = this.stats.connected;
    this.#state.expect();
    return super.dispatch(options, handler);
  }
}

interface ReuseAware extends Dispatcher.DispatchHandler {
  reused?: boolean;
}

export interface OriginPool {
  pool: Pool;
  /** Sends each request over a new connection. */
  fresh: Pool;
  /** The origin's hostname, for SNI. Without it, undici would use the visitor's Host header, and would open a connection for each Host. */
  hostname: string;
  /** Shares the connections among visitor networks. */
  limiter: OriginConnectionLimiter;
  /** Limits WebSockets. A slot is taken with the handshake and released when the tunnel closes. */
  tunnelLimiter: OriginConnectionLimiter;
}

function createRequestLimiter(limits: EdgeLimits): OriginConnectionLimiter {
  return new OriginConnectionLimiter({
    slotsMax: limits.origin_connections_max,
    perNetworkMax: limits.origin_connections_per_network_max,
    sharedFrom: limits.origin_connections_max / 2,
    queuedMax: limits.origin_queued_max,
    queuedPerNetworkMax: limits.origin_queued_per_network_max,
  });
}

/**
 * Limits tunnels separately from requests, because a tunnel may last for days. The limit per network always applies, because one network
 * could otherwise take all slots for days.
 */
function createTunnelLimiter(limits: EdgeLimits): OriginConnectionLimiter {
  return new OriginConnectionLimiter({
    slotsMax: limits.origin_tunnels_max,
    perNetworkMax: limits.origin_tunnels_per_network_max,
    sharedFrom: 0,
    queuedMax: 0,
    queuedPerNetworkMax: 0,
  });
}
