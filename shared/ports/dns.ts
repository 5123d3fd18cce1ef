import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { DnsSurvey, Lookup } from '../core/dns/dns-survey.ts';
import type { ApplyTarget, OneClickOffer } from '../core/providers/domain-connect.ts';

/**
 * The servers that a survey asks. `first`: the zone's own servers first. Asks resolvers only if no server of the zone gives a wrong answer,
 * so that no resolver caches a negative answer (RFC 2308 section 5). `again`: the resolvers first. Asks the zone's own servers only if a
 * resolver's answer is not right. `zone`: only one of the zone's own servers. If a subdomain's record is right, this takes one query once
 * the zone's servers are known. `all`: all servers, for a diagnosis. Does not ask resolvers about a name for which the zone's own servers
 * give a wrong answer.
 */
export type SurveyDepth = 'first' | 'again' | 'zone' | 'all';

/** The DNS lookups that checks use. If a server fails, the lookup has the outcome `unknown`, and no exception is thrown. */
export interface Dns {
  /**
   * Looks up a hostname's records.
   * @param rivals the records that the other domains of the hostname need. If the zone's record is right for one of them, resolvers are
   * asked too.
   */
  survey(
    expectation: DnsExpectation,
    depth: SurveyDepth,
    rivals?: readonly DnsExpectation[],
  ): Promise<DnsSurvey>;
  /** Looks up CAA records, in parallel, at the name, at each CNAME target and at every name above them (RFC 8659 section 3). */
  caa(hostname: string): Promise<readonly Lookup[]>;
  /** Looks up the host's CNAME chain at its zones' own servers, up to the target. */
  ownChain(host: string, target: string): Promise<Lookup>;
  /** Looks up the host's CNAME chain at each of the public resolvers. */
  chain(host: string): Promise<readonly Lookup[]>;
  /** Looks up the TXT records of a name at one of the resolvers. */
  txt(name: string): Promise<Lookup>;
}

/** The DNS lookup of the white-label check: the CNAME chain of a host. */
export interface CnameLookup {
  /**
   * Looks up the CNAME chain of a host.
   * @param lookedFor the name that the chain should lead to, and whether an earlier lookup reached this name. If not, resolvers are asked
   * only once the zone's own servers are right, so that no resolver caches a negative answer (RFC 2308 section 5).
   * @returns the names of the chain, without the host itself. Empty if there is no CNAME. Null if the lookup failed (timeout, SERVFAIL,
   * refused), which proves nothing.
   */
  chain(host: string, lookedFor: ChainTarget): Promise<readonly string[] | null>;
}

export interface ChainTarget {
  target: string;
  known: boolean;
}

/** Domain Connect: the customer's DNS provider creates the DNS records, once the customer agrees on the provider's own page. */
export interface OneClick {
  /** Asks whether the zone's DNS provider offers this setup. */
  ask(target: ApplyTarget): Promise<OneClickOffer>;
  /**
   * Returns a link to the provider's page, signed with the current key. Returns null if no template has the records that the target needs.
   * @param returnUrl the page to which the DNS provider sends the customer back.
   */
  link(syncUxUrl: string, target: ApplyTarget, returnUrl: string): string | null;
}
