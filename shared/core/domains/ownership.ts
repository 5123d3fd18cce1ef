import { isDefinite, labelIn, leadsThrough, rightEverywhere } from '../dns/dns-confirmation.ts';
import type { DnsExpectation } from '../dns/dns-expectation.ts';
import type { DnsSurvey, NameView } from '../dns/dns-survey.ts';
import type { AccountId, DomainId } from '../ids.ts';
import type { Domain } from './domain.ts';
import { isAwaitingDns } from './status.ts';

/** The rules that give a hostname to a domain (`shared/decisions/0066`). One survey judges all domains of the hostname. */

/** A domain that can hold a hostname, with the records that it expects there. */
export interface Claimant {
  domain: Domain;
  account_id: AccountId;
  /** Whether the hostname is the `www.` name that this domain, an apex, redirects. */
  isWww: boolean;
  expectation: DnsExpectation;
}

/**
 * DNS names a domain by a CNAME chain to the label of its app, by its TXT record, or by delegated challenges. The proof of an apex names the
 * `www.` name that the apex redirects.
 */
export type Naming = 'chain' | 'txt' | 'apex' | 'delegation';

/** The order between domains that are named at once, if none of them holds the hostname. */
const RANK: Readonly<Record<Naming, number>> = { chain: 0, txt: 0, apex: 1, delegation: 2 };

/**
 * Returns whether a domain with the hostname's route only has it on trial: it got its certificate before the switch. In the rules of
 * ownership, such a route is none.
 */
export function isProvisional({ status, status_before_hold }: Pick<Domain, 'status' | 'status_before_hold'>) {
  return isAwaitingDns(status === 'held' ? (status_before_hold ?? 'pending_dns') : status);
}

/** Returns whether a check can make the domain live: it waits for its record, or its record broke. */
export function isEligible({ domain: { status }, isWww }: Pick<Claimant, 'domain' | 'isWww'>): boolean {
  return isWww ? isLive(status) : isAwaitingDns(status) || status === 'dns_broken';
}

function isLive(status: Domain['status']): boolean {
  return status === 'issuing' || status === 'active' || status === 'cert_failed';
}

/**
 * Returns whether delegated challenges may name the domain. They do not while another domain holds the hostname, and never again once
 * another domain held it.
 */
export function mayBeDelegated(claimant: Claimant, holder: Claimant | null): boolean {
  const { domain, isWww } = claimant;
  const isFree = holder === null || holder.domain.id === domain.id;
  return !isWww && isEligible(claimant) && domain.retired_at === null && isFree;
}

/** The facts that a survey found besides the records of the hostname. */
export interface Found {
  /** Addresses of a proxy through which requests reach our edge. They count as ours for the apps that allow proxies. */
  proxies: readonly string[];
  /** The domain whose proxy does not respond now, and the addresses of that proxy. */
  silent: { id: DomainId; addresses: readonly string[] } | null;
  /** The domains to which the customer delegates the challenges. */
  delegated: ReadonlySet<DomainId>;
}

/** Returns a claimant with what it expects in view of a survey. A proxy proves no ownership, and behind it neither does a delegation. */
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

/** Returns how DNS names a domain that a check can make live. Null if not all resolvers confirm that visitors reach us for this domain. */
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
 * Returns the domain to which a survey gives the hostname. Null if the hostname stays as it is.
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
  // The `www.` name of an apex has no status of its own, so there is nothing to confirm.
  return winner === holder && winner?.isWww ? null : winner;
}

/** Returns whether a domain that is named may have the hostname, although another domain may hold it. */
function mayHave(claimant: Claimant, naming: Naming, holder: Claimant | null, survey: DnsSurvey): boolean {
  if (holder === null || claimant === holder) return true;
  // The label of an app names both its domain for `www` and the apex that redirects the name. The domain comes first.
  if (claimant.isWww && claimant.domain.app_id === holder.domain.app_id) return false;
  if (naming === 'chain') return !isKeptFromOthers(holder, claimant, survey);
  return naming === 'txt' && isProofAbsent(survey, holder.expectation);
}

/** Returns whether the holder's white-label host keeps it, and the host now leads to an app of another account. */
function isKeptFromOthers(holder: Claimant, claimant: Claimant, { resolvers }: DnsSurvey): boolean {
  const { host } = holder.expectation;
  return (
    host?.keeps === true &&
    holder.account_id !== claimant.account_id &&
    resolvers.some(({ a }) => leadsThrough(a, host.name))
  );
}

/** Returns whether all resolvers say for certain that a domain's TXT record is absent, and no server of the zone has it. */
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
