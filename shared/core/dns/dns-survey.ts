import type { PublicPath } from '../public-path/public-path.ts';

/** The record types that a check asks for. */
export type LookupType =
  | 'A'
  | 'AAAA'
  | 'CNAME'
  | 'MX'
  | 'TXT'
  | 'NS'
  | 'SOA'
  | 'DS'
  | 'DNSKEY'
  | 'CAA'
  | 'HTTPS';

/** One record in a response. */
export interface SeenRecord {
  /** The name of the record: lowercase, without a trailing dot, with unusual bytes escaped as in RFC 4343. */
  name: string;
  type: string;
  /** The value in presentation form: an address, a name without a trailing dot, the text of a TXT, `<flags> <tag> "<value>"` of a CAA. */
  value: string;
  ttl_s: number;
}

/**
 * The result of a lookup. `answer`: there is at least one record of the requested type, or a CNAME. `nxdomain` and `nodata`: it is certain
 * that there is no record (RFC 2308). `unknown`: no usable response came, which proves nothing. After CNAMEs, `nxdomain` is about the last
 * name of the chain, and the records contain the CNAMEs.
 */
export type LookupOutcome = 'answer' | 'nxdomain' | 'nodata' | 'unknown';

/**
 * Why a lookup has the outcome `unknown`. `blocked`: the resolver blocks the name for its users, so its response says nothing about the zone.
 */
export type LookupFailure =
  | 'blocked'
  | 'timeout'
  | 'servfail'
  | 'refused'
  | 'unreachable'
  | 'malformed'
  | 'not_allowed'
  | 'loop';

/** The result of asking one server one DNS question, with CNAMEs followed to their end. */
export interface Lookup {
  /** The server that was asked: `1.1.1.1`, or `ns1.example.net (192.0.2.1)`. */
  server: string;
  name: string;
  type: LookupType;
  outcome: LookupOutcome;
  /** The reason for the outcome `unknown`; null with any other outcome. */
  failure: LookupFailure | null;
  /** INFO-CODEs of Extended DNS Errors (RFC 8914). */
  ede: readonly number[];
  /** The chain of CNAMEs in order, then the records of the requested type. */
  records: readonly SeenRecord[];
  /** How long resolvers may cache that there is no record, in seconds: the smaller of the SOA's TTL and MINIMUM (RFC 2308 section 5). */
  negative_ttl_s: number | null;
  response_ms: number;
}

/** The lookups of a hostname at one server. A lookup that the check did not need is null. */
export interface NameView {
  server: string;
  a: Lookup;
  aaaa: Lookup | null;
  /** TXT lookup at `DnsExpectation.txtName`. */
  txt: Lookup | null;
}

/** The delegation of the zone that contains the hostname. */
export interface Delegation {
  /** The closest zone at or above the hostname; null if the zone was not found. */
  zone: string | null;
  /** Whether the registrable domain exists according to the parent's servers; null if these servers did not say. */
  registered: boolean | null;
  /**
   * Names of the zone's servers according to the parent, and according to the zone itself; lowercase, sorted. The zone's own list is
   * requested only together with the probes; otherwise it is empty.
   */
  parent_servers: readonly string[];
  own_servers: readonly string[];
  /** Delegated servers that are not authoritative for the zone, or that refused to answer. */
  lame_servers: readonly string[];
}

/** Extra lookups of a check. They are made only if the record is not right, or for a full diagnosis. */
export interface Probes {
  /** Lookup of the hostname with its registrable domain appended again, such as `careers.acme.com.acme.com`. */
  doubledHost: Lookup | null;
  /** Lookup of the name of `doubledHost` with a random first label. If this name exists, the zone has a wildcard. */
  doubledWildcard: Lookup | null;
  /** TXT lookup at `txtName` with the registrable domain appended again, made if the domain needs the TXT record. */
  doubledTxt: Lookup | null;
  /**
   * Lookup of a random name below the hostname, made if the hostname has a record. If this name exists too, the hostname's record comes
   * from a wildcard.
   */
  belowHostname: Lookup | null;
  /** CNAME lookup at `_acme-challenge.<hostname>`. */
  acmeChallenge: Lookup | null;
  /** Lookup of the hostname without DNSSEC validation (CD bit), made if a resolver responded with SERVFAIL. */
  unvalidated: Lookup | null;
  /** Lookups of the record types that must not exist beside a CNAME at the hostname. */
  besideCname: readonly Lookup[];
  /** CAA lookups from the hostname, and from each CNAME target, up to the root; empty if not requested. */
  caa: readonly Lookup[];
  /** The DNSSEC chain of trust, from the registrable domain down to the zone of the hostname; empty if it was not looked up. */
  trust: readonly TrustLink[];
}

/** The `probes` of a survey without extra lookups. */
export const NO_PROBES: Probes = {
  doubledHost: null,
  doubledWildcard: null,
  doubledTxt: null,
  belowHostname: null,
  acmeChallenge: null,
  unvalidated: null,
  besideCname: [],
  caa: [],
  trust: [],
};

/** One link of a DNSSEC chain of trust: what the parent says about the keys of a zone, and the keys that the zone has. */
export interface TrustLink {
  zone: string;
  /** The zone above, which contains the DS records. */
  parent: string;
  /** The DS records of the zone, from the parent's own servers. */
  ds: Lookup;
  /** The DNSKEY records, one lookup for each of the zone's servers; empty if there is no DS record. */
  keys: readonly Lookup[];
}

/** Everything that one check looked up, as plain data. Findings are computed from a survey, and `domains diagnose` prints it. */
export interface DnsSurvey {
  delegation: Delegation | null;
  /** The responses of each of the zone's own servers, without any cache; empty if they were not asked. */
  authorities: readonly NameView[];
  /**
   * The responses of each public resolver; empty if none was asked. For each resolver in `replaced`, this list has a spare resolver
   * instead.
   */
  resolvers: readonly NameView[];
  /** The responses of resolvers that block the name or refuse to respond. A verdict ignores these resolvers. Absent if there are none. */
  replaced?: readonly NameView[];
  probes: Probes;
  /**
   * The path that requests to the hostname take. Absent if no probe was sent, because the records point to us or nowhere, or because the
   * app allows no proxies.
   */
  path?: PublicPath;
}
