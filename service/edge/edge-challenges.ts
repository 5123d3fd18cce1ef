import { monotonicClock } from '../../shared/adapters/system.ts';
import { cnameTarget } from '../../shared/core/apps/app.ts';
import { createLookups } from '../../shared/edge/routing/lookups.ts';
import type { RouteTable } from '../../shared/edge/routing/route-table.ts';
import { challengeSource, findHolder } from '../../shared/operations/certificates/served-certificates.ts';
import type { Context } from '../../shared/operations/context.ts';
import type { ChallengeSource } from '../../shared/ports/certificates.ts';
import {
  findHttpChallenges,
  findHttpChallengesOfApp,
  listChallenges,
} from '../../shared/store/certificates/challenges.ts';
import { createSharedReads } from '../database/shared-reads.ts';

/**
 * How long the edge remembers that a challenge is missing. No order fails as a result, because we check a challenge at the edge ourselves
 * before we notify the CA.
 */
const ABSENT_MS = 1_000;
const RUNNING_MAX = 64;
/**
 * The minimum interval between reads of all open challenges, and the maximum number of challenges in a read. If more are open, the edge
 * looks up each name separately.
 */
const EVERY_MS = 250;
const OPEN_MAX = 2_000;

/**
 * Creates the source of challenge responses. Anyone can request any hostname and token, so one shared read of the database serves all
 * requests. A hostname that no domain has causes no query. A request to a hostname finds only challenges of the domain that has it now. A
 * request to an app's CNAME target, to which old hosts redirect, finds only challenges of that app (`docs/moving-in.md`).
 */
export function ownedChallenges(
  context: Context,
  table: RouteTable,
  { everyMs = EVERY_MS, openMax = OPEN_MAX, machine = monotonicClock } = {},
): ChallengeSource {
  const source = challengeSource(context);
  const reads = createSharedReads({ read: () => readOpen(context, openMax), everyMs, machine });
  const { edgeZone } = context.settings;
  const lookups = createLookups({
    async find(hostname) {
      const label = targetLabel(hostname, edgeZone);
      if (label !== null) return findHttpChallengesOfApp(context.store, label);
      const domainId = await findHolder(context, hostname);
      return domainId && findHttpChallenges(context.store, { hostname, domain_id: domainId });
    },
    absentMs: ABSENT_MS,
    runningMax: RUNNING_MAX,
  });
  return {
    async findKeyAuthorization(hostname, token) {
      if (targetLabel(hostname, edgeZone) === null && !table.isOwned(hostname)) return null;
      const open = await reads.next();
      if (open.isWhole) return open.byHttp.get(`${hostname} ${token}`) ?? null;
      return (await lookups.find(hostname))?.get(token) ?? null;
    },
    // Use a recent read, because every TLS 1.2 handshake calls this function and must not wait for the next read. The caller looks up each
    // hostname only once at a time.
    async findChallengeCertificate(hostname) {
      if (!table.isOwned(hostname)) return null;
      const open = await reads.recent();
      return open.isWhole && !open.byTls.has(hostname) ? null : source.findChallengeCertificate(hostname);
    },
  };
}

interface OpenChallenges {
  /**
   * Key authorizations of HTTP challenges. Each key is a host and a token, separated by a space. A challenge is stored under the app's
   * CNAME target, and also under its hostname if its domain has the hostname now.
   */
  byHttp: Map<string, string>;
  /** Hostnames with a TLS challenge. No tokens are needed, because a TLS handshake contains none. */
  byTls: Set<string>;
  /** True if this read contains all open challenges. */
  isWhole: boolean;
}

async function readOpen({ store, settings }: Context, openMax: number): Promise<OpenChallenges> {
  const listed = await listChallenges(store, openMax + 1);
  const open: OpenChallenges = { byHttp: new Map(), byTls: new Set(), isWhole: listed.length <= openMax };
  for (const { hostname, token, method, key_authorization, target_label, is_held } of listed) {
    if (method === 'http-01') {
      if (is_held) open.byHttp.set(`${hostname} ${token}`, key_authorization);
      open.byHttp.set(`${cnameTarget({ target_label }, settings.edgeZone)} ${token}`, key_authorization);
    } else open.byTls.add(hostname);
  }
  return open;
}

/** Returns the label of an app's CNAME target, which is a host directly below the edge zone. Returns null for any other host. */
function targetLabel(host: string, edgeZone: string): string | null {
  const label = host.endsWith(`.${edgeZone}`) ? host.slice(0, -edgeZone.length - 1) : '';
  return label === '' || label.includes('.') ? null : label;
}
