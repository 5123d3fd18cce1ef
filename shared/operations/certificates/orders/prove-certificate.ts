import type { Certificate } from '../../../core/certificates/certificate.ts';
import {
  type CertificateOrder,
  newOrder,
  restartedOrder,
} from '../../../core/certificates/certificate-order.ts';
import { nextPreparedCheckAt } from '../../../core/domains/cadence.ts';
import type { Domain } from '../../../core/domains/domain.ts';
import { isAwaitingDns } from '../../../core/domains/status.ts';
import { HOPS } from '../../../core/public-path/public-path.ts';
import {
  deleteCertificateOrder,
  saveCertificateOrder,
} from '../../../store/certificates/certificate-orders.ts';
import {
  deleteCertificates,
  findCertificateById,
  type StoredCertificate,
} from '../../../store/certificates/certificates.ts';
import { findDnsCheck } from '../../../store/domains/dns-checks.ts';
import { saveDomain } from '../../../store/domains/domains.ts';
import { findRouteOwner } from '../../../store/domains/routes.ts';
import { scheduleJob } from '../../../store/jobs/jobs.ts';
import type { TxContext } from '../../context.ts';
import { recordTransition } from '../../domains/record-transition.ts';
import { underLease } from '../../under-lease.ts';
import { closeChallenges } from '../open-challenges.ts';
import { rememberServed } from '../served-certificates.ts';
import { lacksWww } from '../wanted-names.ts';
import { awaitEdge } from './answer-challenges.ts';
import type { OrderWork, StepOutcome } from './step-outcome.ts';

/**
 * Checks that our edge serves the new certificate. Only then does the domain become `active`, and only then is the old certificate deleted.
 */
export async function proveCertificate(work: OrderWork, order: CertificateOrder): Promise<StepOutcome> {
  const { context, issuance, domain } = work;
  const { certificate_id } = order;
  const certificate = certificate_id && (await findCertificateById(context.store, certificate_id));
  const now = context.clock.now();
  // The certificate expired, for instance while the domain was held for review. Restarts the order without counting a failure of the edge.
  if (!certificate || certificate.not_after <= now)
    return { kind: 'advance', order: { ...restartedOrder(order, now), unshown_since: null } };
  // Browsers refuse a certificate before `not_before`, which may be in the future because the authority's clock is ahead of ours.
  const shown =
    certificate.not_before <= now &&
    ((await waitsForRoute(work)) ||
      (await issuance.edge.showsCertificate(domain.hostname, certificate.serial)));
  if (shown !== true) return awaitEdge(work, order, 'the new certificate', shown);
  const fault = await proxyFault(work, certificate);
  if (fault !== null) return awaitEdge(work, order, fault, false, 'proxy_https_failed');
  const recorded = await record(work, order, certificate);
  if (recorded !== null) issuance.onOutcome?.({ ca: certificate.ca, outcome: 'issued' });
  return { kind: 'done' };
}

/**
 * Checks that visitors can reach us by HTTPS through the customer's proxy before a domain becomes active. Returns the fault, or null if
 * there is none. Also null for an active domain, because a renewal must not wait for a proxy.
 */
async function proxyFault(
  { context: { pathProbe, store }, domain }: OrderWork,
  { serial }: StoredCertificate,
): Promise<string | null> {
  if (pathProbe === null || domain.status === 'active' || isAwaitingDns(domain.status)) return null;
  const path = (await findDnsCheck(store, domain.id))?.path ?? null;
  if (path === null || !path.led_here) return null;
  const { leads_here, hop, addresses } = await pathProbe.follow(domain.hostname, path.addresses, serial);
  return leads_here ? null : `${HOPS[hop]} (${addresses.join(', ')})`;
}

/**
 * Returns whether another domain has the hostname's route, while this domain waits for its record. Our edge then serves the certificate of
 * the other domain.
 */
async function waitsForRoute({ context, domain }: OrderWork): Promise<boolean> {
  if (!isAwaitingDns(domain.status)) return false;
  return (await findRouteOwner(context.store, domain.hostname)) !== domain.id;
}

function record(
  { context, job }: OrderWork,
  order: CertificateOrder,
  certificate: StoredCertificate,
): Promise<'recorded' | null> {
  const { purpose } = order;
  return underLease(context, job, async (tx, domain) => {
    const { id } = domain;
    await deleteCertificateOrder(tx.store, id);
    await closeChallenges(tx, id);
    await deleteCertificates(tx.store, id, certificate.id);
    const { ca, serial, names, not_after } = certificate;
    tx.log.info({ domain_id: id, ca, serial, names, not_after, purpose }, 'a certificate is served');
    const shown = shownCertificate(certificate);
    const now = tx.clock.now();
    if (isAwaitingDns(domain.status)) {
      await recordPrepared(tx, { ...domain, certificate: shown, updated_at: now }, order, names);
      return 'recorded';
    }
    if (purpose !== 'join_www') {
      const name = domain.status === 'active' ? 'certificate_renewed' : 'certificate_issued';
      await recordTransition(tx, domain, { name, certificate: shown });
    } else {
      // `www` is added without an event (`docs/domains.md`).
      const joined = { ...domain, certificate: shown, updated_at: now };
      await saveDomain(tx.store, joined);
      await rememberServed(tx, joined);
      tx.notices.publish({ kind: 'route', hostname: domain.hostname });
    }
    // The certificate is now in use, so ask the authority when to renew it.
    await scheduleJob(tx.store, { kind: 'renew', subject_id: id, app_id: domain.app_id, due_at: now });
    return 'recorded';
  });
}

/**
 * Keeps the order with its certificate, its challenge methods, and whether `www` was left out. Once the record is confirmed, a further
 * check that the edge serves the certificate completes the order.
 */
async function recordPrepared(
  tx: TxContext,
  domain: Domain,
  { certificate_id, methods, without_www }: CertificateOrder,
  names: readonly string[],
): Promise<void> {
  const { id, app_id, hostname } = domain;
  const now = tx.clock.now();
  await saveCertificateOrder(tx.store, {
    ...newOrder(id, 'issue', now),
    certificate_id,
    methods,
    without_www,
  });
  await saveDomain(tx.store, domain);
  await rememberServed(tx, domain);
  tx.notices.publish({ kind: 'route', hostname });
  const dueAt = nextPreparedCheckAt(domain, lacksWww(domain, names), now);
  await scheduleJob(tx.store, { kind: 'prepare', subject_id: id, app_id, due_at: dueAt });
}

/** Returns the `certificate` field of `docs/api.md#domain`. */
function shownCertificate(certificate: StoredCertificate): Certificate {
  const { issuer, not_before, not_after, renews_at } = certificate;
  return { issuer, not_before, not_after, renews_at };
}
