import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { DnsSurvey, Lookup } from '../core/dns/dns-survey.ts';

/**
 * The servers that a survey asks.
 * `first`: the zone's own servers. The resolvers only if none of those gives a wrong answer, so that no resolver caches a negative answer
 * for the zone's negative TTL (RFC 2308 section 5).
 * `again`: the resolvers. The zone's own servers only if a resolver's answer is not right.
 * `zone`: only one of the zone's own servers. If the record of a subdomain is right, that takes one query once the zone's servers are cached.
 * `all`: everything, for a diagnosis. Resolvers are not asked about names for which the zone's own servers give a wrong answer.
 */
export type SurveyDepth = 'first' | 'again' | 'zone' | 'all';

/** The DNS lookups that checks use. If a server fails, the lookup is `unknown`; no exception is thrown. */
export interface Dns {
  /**
   * Looks up a hostname's records.
   * @param rivals what the other domains of the hostname expect. A record that is right for one of them is asked of resolvers too.
   */
  survey(
    expectation: DnsExpectation,
    depth: SurveyDepth,
    rivals?: readonly DnsExpectation[],
  ): Promise<DnsSurvey>;
  /** Looks up CAA in parallel at the name, at each CNAME target and at every name above them (RFC 8659 section 3). */
  caa(hostname: string): Promise<readonly Lookup[]>;
  /** Looks up the host's CNAME chain at its zones' own servers, up to the target. */
  ownChain(host: string, target: string): Promise<Lookup>;
  /** Looks up the host's CNAME chain at each of the public resolvers. */
  chain(host: string): Promise<readonly Lookup[]>;
  /** Looks up the TXT records of a name at any of the resolvers. */
  txt(name: string): Promise<Lookup>;
}
