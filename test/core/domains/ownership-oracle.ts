import type { State } from './ownership-states.ts';

/**
 * This file restates the rules of `shared/decisions/0066` in terms of a `State` instead of DNS records. It shares no code with the product.
 */

type Name = 'A' | 'B';

const other = (name: Name): Name => (name === 'A' ? 'B' : 'A');
const statusOf = ({ course }: State, name: Name) => course.split(' ')[name === 'A' ? 0 : 1] ?? '';
const isWwwOf = ({ kind }: State, name: Name) => kind === 'www' && name === 'B';
const isLive = (status: string) => ['issuing', 'active', 'cert_failed'].includes(status);

/** Returns the domain that owns the hostname; null if none does. A waiting domain with a route is only prepared and owns nothing. */
export function holderOf(state: State): Name | null {
  const owner = state.course.split(' ')[2] ?? 'none';
  if (owner !== 'A' && owner !== 'B') return null;
  const status = statusOf(state, owner);
  return status === 'pending_dns' || status === 'verifying' ? null : owner;
}

/** Returns the app whose label the CNAME chain contains; `nobody` if the label belongs to no app; null if the chain has no label. */
function chainNames({ chain }: State): Name | 'nobody' | null {
  if (chain === 'A' || chain === 'host to A') return 'A';
  if (chain === 'B' || chain === 'host to B') return 'B';
  return chain === 'nobody' ? 'nobody' : null;
}

const isThroughHost = ({ chain }: State) => chain.startsWith('host');

/** Returns whether A's white-label host protects the live domain A, whose CNAME chain contains that host. */
export function isKept(state: State): boolean {
  const isHost = state.host === 'verified' || state.host === 'in grace';
  return isThroughHost(state) && isHost && holderOf(state) === 'A' && isLive(statusOf(state, 'A'));
}

/** Returns whether the CNAME chain contains A's white-label host but confirms no domain of A, because the host is broken or ended. */
function isBarred(state: State, name: Name): boolean {
  if (name !== 'A' || !isThroughHost(state)) return false;
  if (state.host === 'ended') return true;
  const isBroken = state.host === 'in grace' || state.host === 'lost';
  return isBroken && !(isLive(statusOf(state, 'A')) && holderOf(state) === 'A');
}

function reachesByAddresses({ addresses, receipt, failure }: State): boolean {
  if (failure === 'addresses') return false;
  const isWhole = receipt === 'whole';
  return addresses === 'ours' || (isWhole && (addresses === 'foreign' || addresses === 'mixed'));
}

const isThroughReceipt = ({ addresses, receipt }: State) =>
  receipt === 'whole' && (addresses === 'foreign' || addresses === 'mixed');

function isEligible(state: State, name: Name): boolean {
  const status = statusOf(state, name);
  if (isWwwOf(state, name)) return isLive(status);
  return ['pending_dns', 'verifying', 'dns_broken'].includes(status);
}

const hasTxt = ({ txt, failure }: State, name: Name) => failure !== 'txt' && txt.includes(name);

type Naming = 'chain' | 'txt' | 'apex' | 'delegation';

/** Returns the kind of DNS record that names a domain; null if visitors do not reach the domain or a check cannot make it live. */
function namingOf(state: State, name: Name): Naming | null {
  if (!isEligible(state, name) || isBarred(state, name) || state.failure === 'addresses') return null;
  const chain = chainNames(state);
  if (chain !== null && chain !== name) return null;
  if (chain === name) return state.kind !== 'apex' || hasTxt(state, name) ? 'chain' : proofless(state, name);
  if (!reachesByAddresses(state)) return null;
  if (isWwwOf(state, name)) return 'apex';
  return hasTxt(state, name) ? 'txt' : proofless(state, name);
}

/**
 * Returns the proof that replaces a missing TXT record: the delegation of ACME challenges to a domain that was never retired. With a proxy
 * in front of us, nothing replaces the TXT record.
 */
function proofless(state: State, name: Name): 'delegation' | 'chain' | null {
  const holder = holderOf(state);
  const isFree = holder === null || holder === name;
  if (state.delegation !== name || isWwwOf(state, name) || !isFree || state.retired === name) return null;
  if (isThroughReceipt(state)) return null;
  return chainNames(state) === name ? 'chain' : 'delegation';
}

/** Returns the domain that takes over the hostname; null if nothing changes. */
export function winnerOf(state: State): Name | null {
  const holder = holderOf(state);
  const rank = { chain: 0, txt: 0, apex: 1, delegation: 2 };
  const named = (['A', 'B'] as const).flatMap((name) => {
    const naming = namingOf(state, name);
    if (naming === null) return [];
    const isTaken = holder !== null && holder !== name;
    if (isTaken && naming === 'chain' && isKept(state) && state.accounts === 'two') return [];
    if (isTaken && naming === 'txt' && (state.failure === 'txt' || state.txt.includes(other(name))))
      return [];
    if (isTaken && (naming === 'apex' || naming === 'delegation')) return [];
    return [{ name, rank: rank[naming] * 4 + (holder === name ? 0 : 1) * 2 + (name === 'A' ? 0 : 1) }];
  });
  const [first] = named.toSorted((one, two) => one.rank - two.rank);
  if (first === undefined) return null;
  return holder === first.name && isWwwOf(state, first.name) ? null : first.name;
}

/** Returns whether the record of the live owner is right, wrong or unknown; null without a live owner. */
export function liveOutcome(state: State): 'right' | 'wrong' | 'unknown' | null {
  const holder = holderOf(state);
  if (holder === null || !isLive(statusOf(state, holder))) return null;
  if (state.failure === 'addresses') return 'unknown';
  if (isKept(state) && holder === 'A') return 'right';
  if (isBarred(state, holder)) return 'wrong';
  const chain = chainNames(state);
  if (chain !== null) return chain === holder ? 'right' : 'wrong';
  if (reachesByAddresses(state)) return 'right';
  const { addresses, receipt } = state;
  const isSilent =
    receipt === 'silent' && holder === 'A' && (addresses === 'foreign' || addresses === 'mixed');
  return isSilent ? 'unknown' : 'wrong';
}
