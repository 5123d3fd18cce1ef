import { hkdfSync } from 'node:crypto';
import { createSecureContext, getCACertificates } from 'node:tls';
import { addressAllowed } from '../../shared/core/net/address.ts';
import {
  type AddressProbe,
  classifyPath,
  type PathResponse,
} from '../../shared/core/public-path/classify-path.ts';
import { makePathToken, type PathKeys, wellKnownPath } from '../../shared/core/public-path/path-receipt.ts';
import type { ServiceNames } from '../../shared/core/service-name.ts';
import type { PathProbe } from '../../shared/ports/outbound.ts';
import type { Clock, Random } from '../../shared/ports/system.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import { type PathRequestOptions, requestPath } from './path-request.ts';

export interface PathProbeOptions {
  names: ServiceNames;
  keys: PathKeys;
  clock: Clock;
  random: Random;
  /** The ports of the edge that visitors use. */
  ports: readonly [httpPort: number, httpsPort: number];
  /** True to allow probes of 127.0.0.0/8 and ::1, for tests. */
  allowLoopback: boolean;
  /** The addresses of the service's own edge. They are never probed, because probes look for other servers in front of the edge. */
  refusedAddresses: readonly string[];
  /** PEM certificates of authorities to trust in addition to the system's. */
  roots: readonly string[];
  timeoutMs?: number;
}

/** The maximum number of addresses of a name that are probed. A name with more addresses is reported as not leading to our edge. */
const ADDRESSES_MAX = 8;
const TIMEOUT_MS = 5_000;

/** Returns the scheme with which a probe continues: a scheme that leads to our edge, else a scheme to which any server responds. */
function bestScheme(http: PathResponse, https: PathResponse): 'http' | 'https' | null {
  if (https.kind === 'receipt') return 'https';
  if (http.kind === 'receipt' || http.kind === 'response') return 'http';
  return https.kind === 'response' ? 'https' : null;
}

/** Derives the keys for tokens and receipts. All nodes with the same key ring derive the same keys. */
export function pathKeysOf({ keys, current }: EncryptionKeys): PathKeys {
  const derive = (key: Uint8Array) => new Uint8Array(hkdfSync('sha256', key, '', 'public-path', 32));
  const newest = keys.get(current);
  if (newest === undefined) throw new Error(`There is no edge key "${current}"`);
  const others = [...keys].flatMap(([id, key]) => (id === current ? [] : derive(key)));
  return [derive(newest), ...others];
}

export function createPathProbe(options: PathProbeOptions): PathProbe {
  const { names, keys, clock, random, ports, roots, allowLoopback, refusedAddresses: refused } = options;
  let context: ReturnType<typeof createSecureContext> | undefined;
  const requesting: PathRequestOptions = {
    names,
    keys,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    secureContext: () =>
      (context ??= createSecureContext({ ca: [...getCACertificates('default'), ...roots] })),
  };

  function request(
    { hostname, address }: { hostname: string; address: string },
    scheme: 'http' | 'https',
    token: string,
    path: string,
    disguised = false,
  ): Promise<PathResponse> {
    const port = ports[scheme === 'http' ? 0 : 1];
    return requestPath({ scheme, address, port, hostname, path, token, disguised }, requesting);
  }

  async function probeAddress(hostname: string, address: string): Promise<AddressProbe> {
    const to = { hostname, address };
    const token = () => makePathToken(keys, clock.now(), random(12));
    const [first, second, third] = [token(), token(), token()];
    const [http, https] = await Promise.all([
      request(to, 'http', first, wellKnownPath(names, first)),
      request(to, 'https', second, wellKnownPath(names, second)),
    ]);
    const scheme = bestScheme(http, https);
    if (scheme === null) return { address, http, https, ordinary: null, again: null };
    const repeated = scheme === 'https' ? second : first;
    const [ordinary, again] = await Promise.all([
      request(to, scheme, third, `/${third}`, true),
      request(to, scheme, repeated, wellKnownPath(names, repeated)),
    ]);
    return { address, http, https, ordinary, again };
  }

  return {
    async follow(hostname, addresses, serial) {
      const allowed = addresses.filter((address) => addressAllowed(address, { allowLoopback, refused }));
      const probed =
        allowed.length === addresses.length && addresses.length <= ADDRESSES_MAX ? addresses : [];
      const probes = await Promise.all(probed.map((address) => probeAddress(hostname, address)));
      return { ...classifyPath(probes, { hostname, serial }), addresses };
    },
  };
}
