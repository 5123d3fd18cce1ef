import { Resolver } from 'node:dns/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { seededRandom } from '../../fixtures/seeded-random.ts';

/** Counts of the visitors' requests and connections, and a text for each failure. */
export interface VisitCounts {
  handshakes: number;
  requests: number;
  /** Number of served requests by the address of the server. */
  servedBy: Map<string, number>;
  /** Number of connections that were refused because the process behind the address was down. The visitor then tried the next address. */
  refused: number;
  /** Number of connections that broke because the process behind them was killed. The visitor then tried the next address. */
  killed: number;
  /**
   * Number of kept connections that nginx closed while a further request was on its way, because it had started new workers. The visitor then
   * repeated the request on a new connection, as clients do (RFC 9112, section 9.3.1).
   */
  closed: number;
  failures: string[];
}

export interface Visitors {
  counts: VisitCounts;
  /** Kills the process behind an address. Connections that break until the process has ended are no failures. */
  whileKilled(address: string, kill: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface VisitorOptions {
  hostnames: readonly string[];
  port: number;
  /** The root certificates that the visitors trust, in PEM. */
  roots: readonly string[];
  /** Resolvers as `ip:port`, used in turn. */
  resolvers: readonly string[];
  requestsPerSecond: number;
  seed: number;
  /** Whether the servers may close a connection between two requests. */
  mayCloseKept: boolean;
}

/** Number of requests on one connection. Two cores would be too slow for a full handshake for each request. */
const REQUESTS_PER_CONNECTION = 5;
const TICK_MS = 10;
/** Maximum number of visits at a time. At this limit, no visit begins, so a slow machine gets a lower rate and not an endless queue. */
const IN_FLIGHT_MAX = 100;

/**
 * Starts visitors. Each looks up a random hostname at a resolver, verifies the certificate, and sends requests over one connection.
 */
export function startVisitors(options: VisitorOptions): Visitors {
  const { hostnames, resolvers, requestsPerSecond, seed } = options;
  const random = seededRandom(seed);
  const context = createSecureContext({ ca: [...options.roots] });
  const dns = resolvers.map((address) => {
    const resolver = new Resolver({ timeout: 5_000, tries: 2 });
    resolver.setServers([address]);
    return resolver;
  });
  /** For each address, the time at which the last killed process ended. */
  const killedUntil = new Map<string, number>();
  const counts: VisitCounts = {
    handshakes: 0,
    requests: 0,
    servedBy: new Map(),
    refused: 0,
    killed: 0,
    closed: 0,
    failures: [],
  };
  const running = new Set<Promise<void>>();
  let visits = 0;
  let owed = 0;
  const timer = setInterval(() => {
    owed += (requestsPerSecond * TICK_MS) / 1000 / REQUESTS_PER_CONNECTION;
    for (; owed >= 1 && running.size < IN_FLIGHT_MAX; owed--) {
      const hostname = hostnames[Math.floor(random() * hostnames.length)] ?? '';
      const visiting = visit(hostname, visits++).finally(() => running.delete(visiting));
      running.add(visiting);
    }
    owed = Math.min(owed, 1);
  }, TICK_MS);

  async function visit(hostname: string, turn: number): Promise<void> {
    const addresses = await dns[turn % dns.length]?.resolve4(hostname).catch((error: Error) => {
      counts.failures.push(`${hostname}: no address: ${error.message}`);
    });
    let left = REQUESTS_PER_CONNECTION;
    const all = addresses ?? [];
    // The resolver rotates the addresses from one answer to the next.
    for (let index = 0; index < all.length * 2 && left > 0; index++) {
      left -= await visitOver(hostname, all[index % all.length] ?? '', left);
    }
    if (left > 0 && all.length > 0)
      counts.failures.push(`${hostname}: no address of ${all.join()} served it`);
  }

  /** Sends requests over one connection. Returns the number of served requests. */
  async function visitOver(hostname: string, address: string, wanted: number): Promise<number> {
    const startedAt = performance.now();
    let served = 0;
    let socket: TLSSocket | null = null;
    try {
      socket = await shakeHands({ hostname, address, port: options.port, context });
      counts.handshakes++;
      for (; served < wanted; served++) {
        await ask(socket, hostname);
        counts.requests++;
        counts.servedBy.set(address, (counts.servedBy.get(address) ?? 0) + 1);
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if ((killedUntil.get(address) ?? 0) >= startedAt) counts.killed++;
      else if (code === 'ECONNREFUSED') counts.refused++;
      else if (options.mayCloseKept && served > 0 && message === 'socket hang up') counts.closed++;
      else {
        counts.failures.push(`${hostname} at ${address}, request ${served + 1}: ${message}`);
        return wanted;
      }
    } finally {
      socket?.destroy();
    }
    return served;
  }

  return {
    counts,
    async whileKilled(address, kill) {
      killedUntil.set(address, Number.POSITIVE_INFINITY);
      await kill();
      killedUntil.set(address, performance.now());
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}

function shakeHands(to: {
  hostname: string;
  address: string;
  port: number;
  context: SecureContext;
}): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const { hostname: servername, address: host, port, context: secureContext } = to;
  const socket = connect({ host, port, servername, secureContext });
  socket.once('secureConnect', () => {
    socket.off('error', reject);
    // Ignores an error between two requests, because the next request fails too.
    socket.on('error', () => undefined);
    resolve(socket);
  });
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed in the handshake')));
  return promise;
}

/** @throws Error if the response is not the response of the app for this hostname. */
async function ask(socket: TLSSocket, hostname: string): Promise<void> {
  if (socket.destroyed) throw new Error('the connection was closed between two requests');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { Host: hostname, Connection: 'keep-alive' };
  const asked = request({ createConnection: () => socket, headers, path: '/jobs' });
  asked.on('response', async (answer) => {
    const body = await text(answer).catch((error: Error) => error.message);
    if (answer.statusCode === 200 && body === `for ${hostname}`) resolve();
    else reject(new Error(`the response was ${answer.statusCode} ${body.slice(0, 200)}`));
  });
  asked.on('error', reject);
  asked.end();
  await promise;
}
