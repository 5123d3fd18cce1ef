/** The results of a probe that finds out what lies between a hostname's visitors and our edge, each with its description. */
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

/** The public path of a hostname, which visitors' requests take. */
export interface PublicPath {
  hop: Hop;
  /** Whether visitors reach our edge. */
  leads_here: boolean;
  /** The addresses that the hostname resolves to. */
  addresses: readonly string[];
  /** Whether any request of the probe reached our edge, which shows that the path is meant to lead to us. */
  reaches_edge: boolean;
  /**
   * Whether HTTPS fails for visitors, by an error of TLS or of the proxy. Before we have a certificate, only a wrong certificate is a
   * failure.
   */
  https_fails: boolean;
}
