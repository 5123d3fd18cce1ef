import { isValid } from '../../core/certificates/certificate.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { apexOf } from '../../core/domains/hostname.ts';
import { isProvisional } from '../../core/domains/ownership.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import { findTransition } from '../../core/domains/transition.ts';
import type { Instant } from '../../core/instant.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { findDomainById, lockDomainById, saveDomain } from '../../store/domains/domains.ts';
import { findDomainsAt } from '../../store/domains/domains-of-hostname.ts';
import { dropWwwRoute, findRouteOwner, takeFreeRoute, takeRoute } from '../../store/domains/routes.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import type { Context, TxContext } from '../context.ts';
import { randomToken } from '../random-token.ts';
import type { recordTransition } from './record-transition.ts';

/**
 * Gives the route of a hostname to a domain. If another domain had the route, that domain becomes `dns_broken` in the same transaction. If
 * the hostname gets a new holder, all other domains of the hostname get new TXT values (`shared/decisions/0066`).
 * @param hostname the domain's own hostname, or the `www.` name that the domain redirects.
 * @param isNew false if the domain already had the hostname, even with a broken record.
 */
export async function claimHostname(
  tx: TxContext,
  domain: Domain,
  hostname: string,
  { isNew, record }: { isNew: boolean; record: typeof recordTransition },
): Promise<void> {
  const { store, clock } = tx;
  const isServed = hostname === domain.hostname && isValid(domain.certificate, clock.now());
  const before = await takeRoute(store, hostname, domain.id, isServed);
  if (before === domain.id && !isNew) return;
  for (const other of await findDomainsAt(store, hostname, tx.settings.timerForLive))
    if (other.id !== domain.id) await saveDomain(store, retired(tx, other));
  tx.notices.publish({ kind: 'route', hostname });
  if (hostname !== domain.hostname) await scheduleCertificate(tx, domain);
  if (before !== null && before !== domain.id) await loseHostname(tx, before, hostname, record);
}

/**
 * Lets the edge serve a domain that has a certificate before its record points to us, unless another domain has the hostname. An apex whose
 * certificate includes the hostname as its `www.` name also has the hostname, and must not lose its visitors.
 */
export async function routeEarly({ store }: TxContext, { id, hostname }: Domain): Promise<void> {
  const apex = apexOf(hostname);
  const ownerId = apex === null ? null : await findRouteOwner(store, apex);
  const owner = ownerId === null ? null : await findDomainById(store, ownerId);
  const redirects = owner !== null && owner.apex_redirect === 'www' && !isProvisional(owner);
  if (redirects && (await findNewestCertificate(store, owner.id))?.names.includes(hostname)) return;
  await takeFreeRoute(store, hostname, id);
}

/**
 * Records that a domain lost its hostname. An apex that lost only its `www.` name stays live. A domain held for review keeps its status
 * until its release.
 */
async function loseHostname(
  tx: TxContext,
  loserId: Domain['id'],
  hostname: string,
  record: typeof recordTransition,
): Promise<void> {
  const loser = await lockDomainById(tx.store, loserId);
  if (loser === null || loser.hostname !== hostname) return;
  await giveUpWww(tx, loser);
  if (findTransition(loser, 'dns_gone', tx.clock.now()) === null) return;
  await record(tx, loser, { name: 'dns_gone', reason: 'hostname_routed_elsewhere' });
}

/**
 * Deletes the route of the `www.` name of an apex that no longer redirects it. The domain that now has the apex then determines the route
 * of the `www.` name.
 */
export async function giveUpWww(tx: TxContext, domain: Domain): Promise<void> {
  for (const hostname of await dropWwwRoute(tx.store, domain))
    tx.notices.publish({ kind: 'route', hostname });
}

/** Schedules a renewal that adds the `www.` name, which the apex has just taken, to the certificate of the apex. */
async function scheduleCertificate(tx: TxContext, { id, app_id, status, ...rest }: Domain): Promise<void> {
  if (status !== 'active' || runsOnTimer(rest, tx.settings)) return;
  await scheduleJob(tx.store, { kind: 'renew', subject_id: id, app_id, due_at: tx.clock.now() });
  tx.notices.publish({ kind: 'work' });
}

/**
 * Returns a domain with a new TXT value. A record with the old value, or an earlier delegation of the challenges, then no longer proves
 * ownership.
 */
export function retired(tx: TxContext, domain: Domain): Domain {
  const now: Instant = tx.clock.now();
  return { ...domain, txt_value: randomToken(tx), retired_at: now, updated_at: now };
}

/** Returns whether another domain has the hostname's route, and the route is not provisional. */
export async function isHeldByAnother({ store }: Context, { id, hostname }: Domain): Promise<boolean> {
  const ownerId = await findRouteOwner(store, hostname);
  const owner = ownerId === null || ownerId === id ? null : await findDomainById(store, ownerId);
  return owner !== null && (owner.hostname !== hostname || !isProvisional(owner));
}
