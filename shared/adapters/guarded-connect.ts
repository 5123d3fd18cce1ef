import { isIP, connect as netConnect, type Socket } from 'node:net';
import { constants } from 'node:os';
import { createSecureContext, getCACertificates, type SecureContext, connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { addressAllowed, isLocalhostName, isLoopback, LOCALHOST_ADDRESSES } from '../core/net/address.ts';
import type { OutboundError } from '../core/webhooks/delivery.ts';
import { dnsLookup, hostsLookup } from './host-addresses.ts';

/** Guards every outgoing connection: resolves the host, checks its addresses, and connects only to a checked address. */
export interface Guard {
  /**
   * Returns the addresses of a host. Throws unless all of them are allowed.
   * @param hostname spelled as in `URL.hostname`, but an IPv6 address has no brackets.
   * @throws ConnectFailure `url_not_allowed` or `dns_failed`.
   */
  resolve(hostname: string, protocol: string): Promise<string[]>;
  /** The `connect` option of an undici Agent, Pool or Client (HTTP/1.1). Errors are of the class ConnectFailure. */
  connect: buildConnector.connector;
  /** Ends connections that are still being established. Undici itself can end only connections that are ready. */
  close(): void;
}

export interface GuardOptions {
  /** Allows loopback over HTTPS and plain HTTP. */
  allowLoopback: boolean;
  /** Allows plain HTTP to every allowed address. Otherwise plain HTTP is allowed only to loopback. */
  allowPlainHttp?: boolean;
  /** The service's own edge addresses. */
  refusedAddresses: readonly string[];
  /** Defaults to `hostsLookup` if loopback is allowed, else to `dnsLookup`. */
  lookup?: AddressLookup;
  /** Certificate authorities in PEM to trust in addition to the system's. */
  ca?: readonly string[];
  /** The timeout from the lookup to the end of the TLS handshake. */
  connectTimeoutMs: number;
}

/** Returns all addresses of a name. */
export type AddressLookup = (hostname: string) => Promise<readonly string[]>;

/** An error for a failed connection, with the reason as a `last_error` code (`docs/api.md#event`). */
export class ConnectFailure extends Error {
  readonly error: OutboundError;

  constructor(error: OutboundError, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectFailure';
    this.error = error;
  }
}

/** Creates a guard. @throws RangeError if `refusedAddresses` contains something that is not an IP address. */
export function createGuard(options: GuardOptions): Guard {
  const { allowLoopback, allowPlainHttp = false, refusedAddresses: refused } = options;
  const lookup = options.lookup ?? (allowLoopback ? hostsLookup : dnsLookup);
  /** The TLS context. It is created with the first handshake, because creating it reads every authority that the system trusts. */
  let trusted: SecureContext | undefined;
  const secureContext = () =>
    (trusted ??= createSecureContext(
      options.ca ? { ca: [...getCACertificates('default'), ...options.ca] } : {},
    ));
  const pending = new Set<(error: Error) => void>();
  let turn = 0;
  // Checks an arbitrary address, so that a wrong entry in the list throws now, and not at the first delivery.
  addressAllowed('::', { allowLoopback, refused });

  async function resolve(hostname: string, protocol: string): Promise<string[]> {
    const addresses = await addressesOf(hostname, lookup);
    // If one address is refused, the whole host is refused, as `docs/api.md#apps` requires for origins. Otherwise the outcome would depend
    // on which addresses an answer happens to contain. A name with public and private addresses is an attack or a mistake.
    for (const address of addresses) {
      const allowed = addressAllowed(address, { allowLoopback, refused });
      if (!allowed || (protocol !== 'https:' && !allowPlainHttp && !isLoopback(address))) {
        throw new ConnectFailure(
          'url_not_allowed',
          `${protocol}//${hostname} leads to ${address}, which is refused`,
        );
      }
    }
    return addresses;
  }

  function connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    let socket: Socket | undefined;
    const fail = (error: Error) => {
      if (!end()) return;
      socket?.destroy();
      callback(connectFailure(error, target.protocol), null);
    };
    const timer = setTimeout(
      () => fail(new ConnectFailure('timeout', `no connection after ${options.connectTimeoutMs} ms`)),
      options.connectTimeoutMs,
    );
    const end = () => {
      clearTimeout(timer);
      return pending.delete(fail);
    };
    pending.add(fail);
    resolve(target.hostname, target.protocol)
      .then((addresses) => {
        if (!pending.has(fail)) return;
        const opened = open(target, addresses);
        socket = opened;
        // This listener is never removed. If TLS breaks after the handshake, undici waits for the connection to end, but Node.js does not
        // end it. An error before undici listens must not end the process.
        opened.on('error', (error) => {
          fail(error);
          opened.destroy(error);
        });
        opened.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          if (end()) callback(null, opened);
        });
      })
      .catch(fail);
  }

  function open({ hostname, protocol, port }: buildConnector.Options, addresses: readonly string[]): Socket {
    const tcp = {
      host: hostname,
      // Node.js gets the addresses of the name from this function, and connects only to them.
      lookup: checked(triedAddresses(addresses, turn++)),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: TRIED_MS,
      noDelay: true,
      keepAlive: true,
    };
    if (protocol !== 'https:') return netConnect({ ...tcp, port: Number(port || 80) });
    return tlsConnect({
      ...tcp,
      port: Number(port || 443),
      // The server name is always the URL's hostname. Undici would use the `Host` header, which on the edge comes from the visitor.
      servername: isIP(hostname) ? '' : hostname,
      ALPNProtocols: ['http/1.1'],
      secureContext: secureContext(),
      rejectUnauthorized: true,
    });
  }

  return {
    resolve,
    connect,
    close() {
      for (const fail of pending) fail(new ConnectFailure('connection_failed', 'closed while connecting'));
    },
  };
}

/** Returns the `last_error` code for an error of a connection, whether or not the connection was ready. */
export function outboundError(error: Error): OutboundError {
  if (error instanceof ConnectFailure) return error.error;
  // A TLS alert can arrive after the handshake. In TLS 1.3, a missing client certificate is reported by such an alert.
  const code = codeOf(error);
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') ? 'tls_error' : 'connection_failed';
}

/** Returns the addresses of a host. @throws ConnectFailure `dns_failed` if there are none. */
async function addressesOf(hostname: string, lookup: AddressLookup): Promise<string[]> {
  // Node.js treats an address with a zone id as an address, and the check of addresses refuses it.
  if (isIP(hostname)) return [hostname];
  if (isLocalhostName(hostname)) return [...LOCALHOST_ADDRESSES];
  let addresses: readonly string[];
  try {
    addresses = await lookup(hostname);
  } catch (error) {
    throw new ConnectFailure('dns_failed', `${hostname} does not resolve`, error);
  }
  if (addresses.length === 0) throw new ConnectFailure('dns_failed', `${hostname} has no address`);
  return [...addresses];
}

/**
 * Maximum number of addresses of one family that a connection tries. A name with a thousand addresses must not turn us into a port scanner.
 */
const TRIED_PER_FAMILY_MAX = 8;
/** How long each address is tried if there are more addresses. Node's default of 250 ms is too short for distant servers. */
export const TRIED_MS = 2_000;

/**
 * Returns the addresses that a connection tries, in order. @param turn the number of the connection. Each connection begins at another
 * address.
 */
export function triedAddresses(addresses: readonly string[], turn: number): string[] {
  return [4, 6].flatMap((family) => {
    const its = addresses.filter((address) => isIP(address) === family);
    const first = turn % Math.max(1, its.length);
    return [...its.slice(first), ...its.slice(0, first)].slice(0, TRIED_PER_FAMILY_MAX);
  });
}

/** Returns a lookup function for Node.js that returns these checked addresses for any name. */
function checked(addresses: readonly string[]) {
  const list = addresses.map((address) => ({ address, family: isIP(address) }));
  return (
    _hostname: string,
    _options: object,
    callback: (error: null, list: { address: string; family: number }[]) => void,
  ) => callback(null, list);
}

/**
 * Converts an error that occurred while a connection was established. Over HTTPS, an error that is not from the operating system is a TLS
 * error.
 */
function connectFailure(error: Error, protocol: string): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return new ConnectFailure('timeout', error.message, error);
  const system = code !== 'EPROTO' && code in constants.errno;
  return new ConnectFailure(
    protocol === 'https:' && !system ? 'tls_error' : 'connection_failed',
    error.message,
    error,
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
