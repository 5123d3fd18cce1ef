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
 * Time for which a missing challenge is remembered. An authority that checks too early tries again, and we check the challenge ourselves
 * before we notify the authority.
 */
const ABSENT_MS = 1_000;
const RUNNING_MAX = 64;
/** Interval and size of the reads of all open challenges. If more challenges are open, each name is looked up separately. */
const EVERY_MS = 250;
const OPEN_MAX = 2_000;

/**
 * Finds challenge responses for certificate authorities, and for anyone else who requests them. A hostname that no domain has costs no
 * query. Anyone can request any hostname and token, so one shared read answers all callers. It lists the challenges of the domain that has
 * the hostname now. At an app's CNAME target, to which old hosts redirect, the challenges of that app alone are found (`docs/moving-in.md`).
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
    // The caller limits these lookups to one for each hostname. Every TLS 1.2 handshake asks here, so none may wait for the next read.
    async findChallengeCertificate(hostname) {
      if (!table.isOwned(hostname)) return null;
      const open = await reads.recent();
      return open.isWhole && !open.byTls.has(hostname) ? null : source.findChallengeCertificate(hostname);
    },
  };
}

interface OpenChallenges {
  /**
   * Key authorizations of HTTP challenges, by hostname and token separated by a space: at the hostname if the domain has it now, and at the
   * CNAME target of the app.
   */
  byHttp: Map<string, string>;
  /** Hostnames of TLS challenges; a handshake has no token. */
  byTls: Set<string>;
  /** True if the list holds all open challenges. */
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

/** Returns the label of a host directly below the edge zone, where the CNAME targets of apps are. Null for any other host. */
function targetLabel(host: string, edgeZone: string): string | null {
  const label = host.endsWith(`.${edgeZone}`) ? host.slice(0, -edgeZone.length - 1) : '';
  return label === '' || label.includes('.') ? null : label;
}
