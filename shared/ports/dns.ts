import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { DnsSurvey, Lookup } from '../core/dns/dns-survey.ts';
import type { ApplyTarget, OneClickOffer } from '../core/providers/domain-connect.ts';

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

/** The DNS lookup of the white-label check: the CNAME chain of a host. */
export interface CnameLookup {
  /**
   * Looks up the CNAME chain of a host.
   * @param lookedFor the name that the chain should reach, and whether it has already reached it. Until then, no resolver is asked before
   * the zone's own servers are right, so that none caches a negative answer (RFC 2308 section 5).
   * @returns the names of the chain, without the host itself. Empty if there is no CNAME.
   * Null if the lookup failed (timeout, SERVFAIL, refused), which proves nothing.
   */
  chain(host: string, lookedFor: ChainTarget): Promise<readonly string[] | null>;
}

export interface ChainTarget {
  target: string;
  known: boolean;
}

/** Setup of the DNS records by the customer's DNS provider, once the customer agrees on the provider's own page (Domain Connect). */
export interface OneClick {
  /** Asks whether the zone's DNS provider offers this setup. */
  ask(target: ApplyTarget): Promise<OneClickOffer>;
  /**
   * Returns a link signed with the current key, or null if no template has the records that the target needs.
   * @param returnUrl the page to which the DNS provider sends the customer back.
   */
  link(syncUxUrl: string, target: ApplyTarget, returnUrl: string): string | null;
}
