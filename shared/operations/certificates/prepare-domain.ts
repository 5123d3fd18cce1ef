import { isValid } from '../../core/certificates/certificate.ts';
import type { CertificateOrder, OrderPurpose } from '../../core/certificates/certificate-order.ts';
import { nextPreparedCheckAt, nextProofCheckAt, windowWhileProven } from '../../core/domains/cadence.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import { isAwaitingDns } from '../../core/domains/status.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../core/instant.ts';
import { deleteCertificateOrder, findCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import { findNewestCertificate, type StoredCertificate } from '../../store/certificates/certificates.ts';
import { findDomainById, saveDomain } from '../../store/domains/domains.ts';
import type { DomainJob } from '../../store/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { prepareOnTimer } from '../domains/advance-domain.ts';
import { type Stay, underLease } from '../under-lease.ts';
import { isDelegated } from './delegated-challenges.ts';
import { runOrder } from './orders/issue-certificate.ts';
import { isRedirected } from './redirected-challenges.ts';
import { canPrepareWww, lacksWww, wwwOf } from './wanted-names.ts';

/**
 * Runs the job `prepare`: obtains and renews the certificate of a domain whose record does not point to us yet (`docs/moving-in.md`). The
 * customer must have delegated the challenges, or the old host must redirect them to us. The status does not change. While the challenges
 * are delegated or redirected, the 72-hour setup window does not end.
 * @returns when the job is due again. Null if a transition or a new certificate has scheduled the job, or if the domain no longer waits for
 * its record.
 */
export async function prepareDomain(context: Context, job: DomainJob, stay: Stay): Promise<Instant | null> {
  const { issuance, dns, clock } = context;
  const domain = await findDomainById(context.store, job.subject_id);
  if (domain === null || !isAwaitingDns(domain.status)) return null;
  if (runsOnTimer(domain, context.settings)) {
    await underLease(context, job, prepareOnTimer);
    return null;
  }
  // This node cannot order certificates, but another node may.
  if (issuance === null || dns === null) return clock.now() + HOUR_MS;
  const isProven =
    (await isDelegated(context, domain, domain.hostname)) || (await isRedirected(context, issuance, domain));
  const now = clock.now();
  if (!isProven) return nextProofCheckAt(domain, now);
  const { certificate } = domain;
  const newest = await findNewestCertificate(context.store, domain.id);
  const order = await findCertificateOrder(context.store, domain.id);
  const purpose = await purposeOf(context, domain, newest, order);
  const isUnderWay = order !== null && order.purpose !== 'issue';
  const kept = await underLease(context, job, async (tx, current) => {
    await saveDomain(tx.store, { ...current, window_opened_at: windowWhileProven(current, now) });
    // The stored order contains the certificate that is to be replaced, so a new order starts.
    if (purpose !== null && certificate !== null && !isUnderWay) {
      await deleteCertificateOrder(tx.store, domain.id);
    }
    return true;
  });
  if (kept === null) return null;
  if (purpose === null) return nextPreparedCheckAt(domain, lacksWww(domain, newest?.names ?? []), now);
  return runOrder({ context, issuance, dns, job, stay, domain, accounts: new Map() }, purpose);
}

/** Returns the purpose of the order that the domain needs now, or null if it needs none. */
async function purposeOf(
  context: Context,
  domain: Domain,
  newest: StoredCertificate | null,
  order: CertificateOrder | null,
): Promise<OrderPurpose | null> {
  const now = context.clock.now();
  const { certificate } = domain;
  if (certificate === null) return 'issue';
  if (!isValid(certificate, now) || certificate.renews_at <= now) return 'renew';
  if (order !== null && order.purpose !== 'issue') return order.purpose;
  return newest !== null && (await canAddWww(context, domain, newest, order)) ? 'join_www' : null;
}

/**
 * Returns whether the certificate lacks `www` although both names' challenges are delegated. If an order with `www` failed, another is
 * tried in a day.
 */
async function canAddWww(
  context: Context,
  domain: Domain,
  { names, created_at }: StoredCertificate,
  kept: CertificateOrder | null,
): Promise<boolean> {
  const www = wwwOf(domain);
  if (www === null || names.includes(www)) return false;
  const hasFailed = kept?.without_www === true && context.clock.now() - created_at < DAY_MS;
  return !hasFailed && (await canPrepareWww(context, domain, www));
}
