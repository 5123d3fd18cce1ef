import { isDefinite, labelIn, leadsThrough, rightEverywhere } from '../dns/dns-confirmation.ts';
import type { DnsExpectation } from '../dns/dns-expectation.ts';
import type { DnsSurvey, NameView } from '../dns/dns-survey.ts';
import type { AccountId, DomainId } from '../ids.ts';
import type { Domain } from './domain.ts';
import { isAwaitingDns } from './status.ts';

/** The rules that decide which domain gets a hostname (`shared/decisions/0066`). One survey decides for all domains of the hostname. */

/** A domain that can get a hostname, with the DNS records that the domain needs there. */
export interface Claimant {
  domain: Domain;
  account_id: AccountId;
  /** True if this domain is an apex, and the hostname is the `www.` name that the apex redirects. */
  isWww: boolean;
  expectation: DnsExpectation;
}

/**
 * The evidence in DNS that a hostname belongs to a domain: `chain` is a CNAME chain to the app's target, `txt` the TXT record, `delegation`
 * delegated challenges. `apex` is the TXT record of an apex, as evidence for its `www.` name.
 */
export type Naming = 'chain' | 'txt' | 'apex' | 'delegation';

/** Ranks the evidence, for the case that DNS identifies several domains and none of them has the hostname yet. The lowest rank wins. */
const RANK: Readonly<Record<Naming, number>> = { chain: 0, txt: 0, apex: 1, delegation: 2 };

/**
 * Returns whether a domain's route is provisional: the domain got its certificate before its record pointed to us. The rules of ownership
 * ignore a provisional route.
 */
export function isProvisional({ status, status_before_hold }: Pick<Domain, 'status' | 'status_before_hold'>) {
  return isAwaitingDns(status === 'held' ? (status_before_hold ?? 'pending_dns') : status);
}

/** Returns whether a check can give the domain the hostname: its record is awaited or broken, or this is the `www.` name of a live apex. */
export function isEligible({ domain: { status }, isWww }: Pick<Claimant, 'domain' | 'isWww'>): boolean {
  return isWww ? isLive(status) : isAwaitingDns(status) || status === 'dns_broken';
}

function isLive(status: Domain['status']): boolean {
  return status === 'issuing' || status === 'active' || status === 'cert_failed';
}

/**
 * Returns whether delegated challenges can prove that the hostname belongs to the domain. Delegated challenges prove nothing if another
 * domain has the hostname or has had it before.
 */
export function mayBeDelegated(claimant: Claimant, holder: Claimant | null): boolean {
  const { domain, isWww } = claimant;
  const isFree = holder === null || holder.domain.id === domain.id;
  return !isWww && isEligible(claimant) && domain.retired_at === null && isFree;
}

/** The facts that a survey found besides the records of the hostname. */
export interface Found {
  /** Addresses of a proxy through which requests reach our edge. For apps that allow proxies, checks treat these addresses as ours. */
  proxies: readonly string[];
  /** The domain whose proxy does not respond now, and the addresses of that proxy. */
  silent: { id: DomainId; addresses: readonly string[] } | null;
  /** The domains to which the customer delegates the challenges. */
  delegated: ReadonlySet<DomainId>;
}

/**
 * Returns a claimant with the records that it needs, given the facts that a survey found. Behind a proxy, neither the proxy nor delegated
 * challenges prove ownership.
 */
export function inView<C extends Claimant>(claimant: C, holder: Claimant | null, found: Found): C {
  const { domain, expectation } = claimant;
  const { txtRequired, allowsProxies } = expectation;
  if (allowsProxies && found.proxies.length > 0) {
    const needsTxt = txtRequired || (isEligible(claimant) && !claimant.isWww);
    return { ...claimant, expectation: { ...expectation, proxies: found.proxies, txtRequired: needsTxt } };
  }
  const isDelegated = found.delegated.has(domain.id) && mayBeDelegated(claimant, holder);
  const silentProxies = found.silent?.id === domain.id ? found.silent.addresses : [];
  return {
    ...claimant,
    expectation: { ...expectation, silentProxies, txtRequired: txtRequired && !isDelegated },
  };
}

/**
 * Returns how the records of a hostname identify this domain, among all domains that claim the hostname. Returns null if no check can make
 * the domain live, or if a resolver lacks the domain's right records.
 */
export function namingOf(claimant: Claimant, { resolvers }: Pick<DnsSurvey, 'resolvers'>): Naming | null {
  const { expectation, isWww } = claimant;
  if (!isEligible(claimant) || !rightEverywhere(resolvers, expectation)) return null;
  if (resolvers.every(({ a }) => labelIn(a, expectation) !== null)) return 'chain';
  if (isWww) return 'apex';
  return resolvers.every((view) => isNamedIn(view, expectation)) ? 'txt' : 'delegation';
}

function isNamedIn({ a, txt }: NameView, expectation: DnsExpectation): boolean {
  return labelIn(a, expectation) !== null || hasValue(txt, expectation.txt_value);
}

/**
 * Returns the domain that gets the hostname according to a survey. Returns null if nothing changes.
 * @param claimants all domains of the hostname.
 * @param holder the domain that has the hostname's route, unless the route is provisional.
 */
export function winnerOf<C extends Claimant>(
  claimants: readonly C[],
  holder: Claimant | null,
  survey: DnsSurvey,
): C | null {
  const named = claimants.flatMap((claimant) => {
    const naming = namingOf(claimant, survey);
    return naming !== null && mayHave(claimant, naming, holder, survey) ? [{ claimant, naming }] : [];
  });
  const [first] = named.toSorted(
    (one, other) =>
      RANK[one.naming] - RANK[other.naming] ||
      Number(one.claimant.isWww) - Number(other.claimant.isWww) ||
      one.claimant.domain.created_at - other.claimant.domain.created_at ||
      (one.claimant.domain.id < other.claimant.domain.id ? -1 : 1),
  );
  const winner = first?.claimant ?? null;
  // The `www.` name of an apex has no status of its own that a check could confirm.
  return winner === holder && winner?.isWww ? null : winner;
}

/** Returns whether a domain that DNS identifies may get the hostname, even if another domain has the hostname now. */
function mayHave(claimant: Claimant, naming: Naming, holder: Claimant | null, survey: DnsSurvey): boolean {
  if (holder === null || claimant === holder) return true;
  // An app's CNAME target fits both the app's domain for `www` and the apex that redirects `www`. The domain for `www` takes precedence.
  if (claimant.isWww && claimant.domain.app_id === holder.domain.app_id) return false;
  if (naming === 'chain') return !isKeptFromOthers(holder, claimant, survey);
  return naming === 'txt' && isProofAbsent(survey, holder.expectation);
}

/**
 * Returns true if an app of another account may not take the hostname, because the records still lead through the holder's white-label
 * host.
 */
function isKeptFromOthers(holder: Claimant, claimant: Claimant, { resolvers }: DnsSurvey): boolean {
  const { host } = holder.expectation;
  return (
    host?.keeps === true &&
    holder.account_id !== claimant.account_id &&
    resolvers.some(({ a }) => leadsThrough(a, host.name))
  );
}

/** Returns whether a domain's TXT record is certainly absent at all resolvers, and no server of the zone has it. */
export function isProofAbsent(
  { resolvers, authorities }: Pick<DnsSurvey, 'resolvers' | 'authorities'>,
  { txt_value }: Pick<DnsExpectation, 'txt_value'>,
): boolean {
  return (
    resolvers.every(({ txt }) => txt !== null && isDefinite(txt) && !hasValue(txt, txt_value)) &&
    authorities.every(({ txt }) => !hasValue(txt, txt_value))
  );
}

function hasValue(txt: NameView['txt'], value: string): boolean {
  return txt?.records.some((record) => record.type === 'TXT' && record.value === value) ?? false;
}
