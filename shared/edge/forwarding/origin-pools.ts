import { LRUCache } from 'lru-cache';
import { type buildConnector, Pool } from 'undici';
import type { EdgeLimits } from '../listeners/edge-limits.ts';
import { OriginConnectionLimiter } from './origin-connection-limiter.ts';

/** Connections to origins: one pool each, the least recently used let go. */
export class OriginPools {
  readonly #pools: LRUCache<string, OriginPool>;
  readonly #limits: EdgeLimits;
  readonly #connect: buildConnector.connector;
  readonly #leaving = new Set<Pool>();

  /** @param connect the guard of `guarded-connect.ts`: only checked addresses are connected to. */
  constructor(limits: EdgeLimits, connect: buildConnector.connector) {
    this.#limits = limits;
    this.#connect = connect;
    this.#pools = new LRUCache({
      max: limits.pools_max,
      dispose: (origin) => this.#letGo(origin),
    });
  }

  /** @param origin scheme, host and port. Use the pool at once: a later look-up may let it go. */
  get(origin: string): OriginPool {
    const known = this.#pools.get(origin);
    if (known) return known;
    const { hostname } = new URL(origin);
    const pool = new Pool(origin, {
      connect: this.#connect,
      connections: this.#limits.origin_connections_max,
      // One request at a time on a connection: an origin that mixes up two answers must not mix up two visitors.
      pipelining: 1,
      allowH2: false,
      headersTimeout: this.#limits.origin_headers_timeout_ms,
      bodyTimeout: this.#limits.origin_idle_ms,
      maxHeaderSize: this.#limits.origin_header_bytes_max,
    });
    const made = {
      pool,
      hostname,
      limiter: createRequestLimiter(this.#limits),
      tunnelLimiter: createTunnelLimiter(this.#limits),
    };
    this.#pools.set(origin, made);
    return made;
  }

  async destroy(): Promise<void> {
    const pools = [...this.#pools.values()].map(({ pool }) => pool);
    await Promise.all([...pools, ...this.#leaving].map((pool) => pool.destroy()));
    this.#pools.clear();
  }

  /** What is under way on an evicted pool still ends; no new request finds it. */
  #letGo({ pool, limiter }: OriginPool): void {
    if (pool.destroyed) return;
    this.#leaving.add(pool);
    limiter.onceFree(() => pool.close(() => this.#leaving.delete(pool)));
  }
}

export interface OriginPool {
  pool: Pool;
  /** The origin's own name, for SNI: undici would take the visitor's Host, and connect anew for every other one. */
  hostname: string;
  /** Its connections, shared out among visitors. */
  limiter: OriginConnectionLimiter;
  /** And its WebSockets: a place is taken with the handshake, and given back when the tunnel closes. */
  tunnelLimiter: OriginConnectionLimiter;
}

function createRequestLimiter(limits: EdgeLimits): OriginConnectionLimiter {
  return new OriginConnectionLimiter({
    slots_max: limits.origin_connections_max,
    per_network_max: limits.origin_connections_per_network_max,
    shared_from: limits.origin_connections_max / 2,
    queued_max: limits.origin_queued_max,
    queued_per_network_max: limits.origin_queued_per_network_max,
  });
}

/** A tunnel may last for days: nobody waits for its end, and a network that had more than its share would keep it. */
function createTunnelLimiter(limits: EdgeLimits): OriginConnectionLimiter {
  return new OriginConnectionLimiter({
    slots_max: limits.origin_tunnels_max,
    per_network_max: limits.origin_tunnels_per_network_max,
    shared_from: 0,
    queued_max: 0,
    queued_per_network_max: 0,
  });
}
