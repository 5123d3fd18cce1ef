import { Lookups } from '../../shared/edge/routing/lookups.ts';
import type { RouteTable } from '../../shared/edge/routing/route-table.ts';
import { challengeSource, findHolder } from '../../shared/operations/certificates/served-certificates.ts';
import type { Context } from '../../shared/operations/context.ts';
import type { ChallengeSource } from '../../shared/ports/challenge-source.ts';
import { monotonicClock } from '../../shared/ports/clock.ts';
import { findHttpChallenges, listChallenges } from '../../shared/store/certificates/challenges.ts';
import type { Store } from '../../shared/store/store.ts';
import { SharedReads } from '../database/shared-reads.ts';

/** A certificate authority that looks too early comes again: we look ourselves before it is told. */
const ABSENT_MS = 1_000;
const RUNNING_MAX = 64;
/** All that are open are read so often at the most, and so many at a time: of more, names are looked up one by one. */
const EVERY_MS = 250;
const OPEN_MAX = 2_000;

/**
 * What an edge answers to certificate authorities, and to whoever takes after them. None of these asks about a name that no domain has: then there is
 * nothing to look up. Names and tokens are anybody's to ask for, so all that is open is read once for everybody; what is open is then looked
 * up for the domain that has the hostname now.
 */
export function ownedChallenges(
  context: Context,
  table: RouteTable,
  { every_ms = EVERY_MS, open_max = OPEN_MAX, machine = monotonicClock } = {},
): ChallengeSource {
  const source = challengeSource(context);
  const reads = new SharedReads({ read: () => readOpen(context.store, open_max), every_ms, machine });
  const lookups = new Lookups({
    async find(hostname) {
      const domain_id = await findHolder(context, hostname);
      return domain_id && findHttpChallenges(context.store, { hostname, domain_id });
    },
    absent_ms: ABSENT_MS,
    running_max: RUNNING_MAX,
  });
  return {
    async findKeyAuthorization(hostname, token) {
      if (!table.isOwned(hostname)) return null;
      const open = await reads.next();
      if (open.is_whole && !open.by_http.has(`${hostname} ${token}`)) return null;
      return (await lookups.find(hostname))?.get(token) ?? null;
    },
    // Its caller bounds it: there is one for a hostname. And every handshake of TLS 1.2 asks, so none waits for the next read.
    async findChallengeCertificate(hostname) {
      if (!table.isOwned(hostname)) return null;
      const open = await reads.recent();
      return open.is_whole && !open.by_tls.has(hostname) ? null : source.findChallengeCertificate(hostname);
    },
  };
}

interface OpenChallenges {
  /** Hostname and token. */
  by_http: Set<string>;
  /** The hostname alone, since a handshake has no token. */
  by_tls: Set<string>;
  /** Whether these are all. */
  is_whole: boolean;
}

async function readOpen(store: Store, open_max: number): Promise<OpenChallenges> {
  const listed = await listChallenges(store, open_max + 1);
  const open: OpenChallenges = { by_http: new Set(), by_tls: new Set(), is_whole: listed.length <= open_max };
  for (const { hostname, token, method } of listed) {
    if (method === 'http-01') open.by_http.add(`${hostname} ${token}`);
    else open.by_tls.add(hostname);
  }
  return open;
}
