import { isIP, connect as netConnect, type Socket } from 'node:net';
import { constants } from 'node:os';
import { createSecureContext, getCACertificates, type SecureContext, connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { addressAllowed, isLoopback } from '../core/edge/address.ts';
import type { OutboundError } from '../core/webhooks/delivery.ts';
import { dnsLookup, hostsLookup } from './host-addresses.ts';

/** The guard of every connection that leaves: it resolves, checks, and connects to a checked address only. */
export interface Guard {
  /**
   * The addresses of a host, every one of them allowed.
   * @param hostname as `URL.hostname` spells it, but an IPv6 address without its brackets.
   * @throws ConnectFailure `url_not_allowed` or `dns_failed`.
   */
  resolve(hostname: string, protocol: string): Promise<string[]>;
  /** The `connect` of an undici Agent, Pool or Client (HTTP/1.1). What goes wrong is a ConnectFailure. */
  connect: buildConnector.connector;
  /** Ends the connections that are still being made: undici knows those only that are ready. */
  close(): void;
}

export interface GuardOptions {
  /** Opens loopback, to HTTPS and to plain HTTP. Without it there is no plain HTTP at all. */
  allow_loopback: boolean;
  /** The service's own edge addresses. */
  refused_addresses: readonly string[];
  /** Default: `hostsLookup` where loopback is open, else `dnsLookup`. */
  lookup?: Lookup;
  /** Certificate authorities in PEM that are trusted beside the system's. */
  ca?: readonly string[];
  /** From the look-up to the end of the TLS handshake. */
  connect_timeout_ms: number;
}

/** All addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Why there is no connection, as one of the `last_error` codes (section 2.4). */
export class ConnectFailure extends Error {
  readonly error: OutboundError;

  constructor(error: OutboundError, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectFailure';
    this.error = error;
  }
}

/** @throws RangeError when `refused_addresses` holds something that is no IP address. */
export function createGuard(options: GuardOptions): Guard {
  const { allow_loopback, refused_addresses: refused } = options;
  const lookup = options.lookup ?? (allow_loopback ? hostsLookup : dnsLookup);
  /** Made with the first handshake: it reads every authority that the system trusts. */
  let secure_context: SecureContext | undefined;
  const secureContext = () =>
    (secure_context ??= createSecureContext(
      options.ca ? { ca: [...getCACertificates('default'), ...options.ca] } : {},
    ));
  const pending = new Set<(error: Error) => void>();
  // Any address shows whether the list can be read: at the start, not at the first delivery.
  addressAllowed('::', { allow_loopback, refused });

  async function resolve(hostname: string, protocol: string): Promise<string[]> {
    const addresses = await addressesOf(hostname, lookup);
    // One refused address refuses them all, as section 4.1 has it for origins. To drop it instead would let the
    // outcome depend on which addresses this one answer carried, and a name that is public and private at once is an
    // attack or a mistake.
    for (const address of addresses) {
      const allowed = addressAllowed(address, { allow_loopback, refused });
      if (!allowed || (protocol !== 'https:' && !isLoopback(address))) {
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
      () => fail(new ConnectFailure('timeout', `no connection after ${options.connect_timeout_ms} ms`)),
      options.connect_timeout_ms,
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
        // The listener stays. Node does not end a connection whose TLS breaks after the handshake, and undici waits
        // for the end; and an error before undici listens must not end the process.
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
      // Node asks for the addresses of a name here, and connects to one of those it is given and to no other.
      lookup: checked(addresses),
      autoSelectFamily: true,
      // By default Node gives an address up after 250 ms, and does not come back to it: too early for far away.
      autoSelectFamilyAttemptTimeout: 2_000,
      noDelay: true,
      keepAlive: true,
    };
    if (protocol !== 'https:') return netConnect({ ...tcp, port: Number(port || 80) });
    return tlsConnect({
      ...tcp,
      port: Number(port || 443),
      // Always the URL's own name: undici would take the Host header's, which on the edge is the visitor's.
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

/** The `last_error` code of an error on a connection, whether it was ready or not. */
export function outboundError(error: Error): OutboundError {
  if (error instanceof ConnectFailure) return error.error;
  // An alert may come after the handshake: in TLS 1.3 that is where a missing client certificate shows.
  const code = codeOf(error);
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') ? 'tls_error' : 'connection_failed';
}

/** @throws ConnectFailure `dns_failed` when there is none. */
async function addressesOf(hostname: string, lookup: Lookup): Promise<string[]> {
  // With a zone id it is an address to Node, and refused when it is checked.
  if (isIP(hostname)) return [hostname];
  // RFC 6761, section 6.3: these names are loopback, and no question for a name server.
  if (/(^|\.)localhost$/i.test(hostname)) return ['127.0.0.1', '::1'];
  let addresses: readonly string[];
  try {
    addresses = await lookup(hostname);
  } catch (error) {
    throw new ConnectFailure('dns_failed', `${hostname} does not resolve`, error);
  }
  if (addresses.length === 0) throw new ConnectFailure('dns_failed', `${hostname} has no address`);
  return [...addresses];
}

/** Two of each family are tried at most, so that a name with a thousand addresses scans nobody. */
function checked(addresses: readonly string[]) {
  const list = [4, 6].flatMap((family) =>
    addresses
      .filter((address) => isIP(address) === family)
      .slice(0, 2)
      .map((address) => ({ address, family })),
  );
  return (
    _hostname: string,
    _options: object,
    callback: (error: null, list: { address: string; family: number }[]) => void,
  ) => callback(null, list);
}

/** An error of making a connection: over HTTPS, what is not the operating system's is the handshake's. */
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
