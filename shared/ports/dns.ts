import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { DnsSurvey, Lookup } from '../core/dns/dns-survey.ts';

/**
 * How far a survey looks. `first`: the zone's own servers, and the resolvers unless those say no, so that no resolver
 * remembers a "no" for the zone's negative TTL (RFC 2308 section 5). `again`: the resolvers, and the zone's own servers only
 * where one of those is not right. `all`: everything, for a diagnosis; but no resolver hears of a name of which the zone's own
 * servers say that it is not right.
 */
export type SurveyDepth = 'first' | 'again' | 'all';

/** What the checks ask of the DNS. It never throws for what a server does: that is an `unknown` look-up. */
export interface Dns {
  survey(expectation: DnsExpectation, depth: SurveyDepth): Promise<DnsSurvey>;
  /** CAA at the name, at each CNAME target and at every name above them, side by side (RFC 8659 section 3). */
  caa(hostname: string): Promise<readonly Lookup[]>;
  /** The host's chain as its zone's own servers tell it, up to the target. */
  ownChain(host: string, target: string): Promise<Lookup>;
  /** The host's chain as each resolver sees it. */
  chain(host: string): Promise<readonly Lookup[]>;
  /** The TXT records at a name, as any of the resolvers sees them. */
  txt(name: string): Promise<Lookup>;
}
