/** The things that can stand between visitors and our edge, as a probe of a hostname's public path finds them. */
export const HOPS = {
  direct: 'the records lead to our edge',
  proxied: 'a proxy passes requests on to our edge',
  tls_ended: 'a proxy ends TLS with a certificate of its own and passes requests on to our edge by HTTPS',
  flexible: 'a proxy ends TLS and passes requests on to our edge by plain HTTP',
  looping: 'requests are sent back to where they came from',
  redirected: 'requests are redirected to another address',
  path_rewritten: 'a proxy changes the path of requests',
  host_rewritten: 'a proxy changes the hostname of requests',
  cached: 'a proxy repeats old responses of our edge',
  headers_stripped: 'a proxy removes headers or cookies',
  partial: 'only some requests reach our edge',
  elsewhere: 'another server responds',
  unreachable: 'no server responds, or only with failures',
} as const satisfies Record<string, string>;
export type Hop = keyof typeof HOPS;
export const HOP_NAMES = Object.keys(HOPS) as readonly Hop[];

/** The public path of a hostname. */
export interface PublicPath {
  hop: Hop;
  /** Whether visitors reach our edge by it. */
  leads_here: boolean;
  /** The addresses that the hostname resolves to. */
  addresses: readonly string[];
  /** Whether our edge saw any of the probe's requests, so that the path was meant to lead here. */
  reaches_edge: boolean;
  /** Whether visitors by HTTPS get an error of TLS or of the proxy. Before we have a certificate, only a wrong certificate counts. */
  https_fails: boolean;
}
