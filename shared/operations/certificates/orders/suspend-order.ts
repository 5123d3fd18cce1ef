import { isValid } from '../../../core/certificates/certificate.ts';
import { newOrder } from '../../../core/certificates/certificate-order.ts';
import type { Domain } from '../../../core/domains/domain.ts';
import type { DueJob, JobKind } from '../../../core/domains/job.ts';
import { runsOnTimer, scheduleOf } from '../../../core/domains/schedule.ts';
import type { CertificateId } from '../../../core/ids.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../core/instant.ts';
import {
  deleteCertificateOrder,
  findCertificateOrder,
  saveCertificateOrder,
} from '../../../store/certificates/certificate-orders.ts';
import { findNewestCertificate } from '../../../store/certificates/certificates.ts';
import { saveDomain } from '../../../store/domains/domains.ts';
import { hastenJob, scheduleJob } from '../../../store/jobs/jobs.ts';
import type { Store } from '../../../store/store.ts';
import type { Context, TxContext } from '../../context.ts';
import { underLease } from '../../under-lease.ts';
import { closeChallenges } from '../open-challenges.ts';
import { LEASE_LOST, type OrderWork, type StepOutcome } from './step-outcome.ts';

/**
 * Suspends, resumes and abandons certificate orders of domains whose DNS record is wrong or has to be checked again. A domain on the test
 * timer has no order.
 */

/**
 * Abandons the order of a domain whose record is wrong or no longer checked. From then on, no authority is contacted and no challenge of
 * the order is answered. If a certificate is already stored, the domain keeps it, because the edge serves it. Once the record is right, a
 * check shows whether the edge still serves it. The number of failures returns to zero.
 */
export async function abandonOrder(tx: TxContext, domain: Domain): Promise<void> {
  const { store, clock, settings } = tx;
  if (runsOnTimer(domain, settings)) return;
  const { id } = domain;
  await closeChallenges(tx, id);
  const order = await findCertificateOrder(store, id);
  const certificateId = order?.certificate_id ?? (await preparedCertificateId(store, domain, clock.now()));
  if (certificateId !== null) {
    const purpose = order?.purpose ?? 'issue';
    await saveCertificateOrder(store, {
      ...newOrder(id, purpose, clock.now()),
      certificate_id: certificateId,
    });
  } else if (order !== null) await deleteCertificateOrder(store, id);
}

/**
 * Returns the certificate that a domain got before its record pointed to us. The domain starts with this certificate, even while an order
 * for its replacement runs. So an authority that refuses the order does not delay the domain.
 */
async function preparedCertificateId(
  store: Store,
  { id, status, certificate }: Domain,
  now: Instant,
): Promise<CertificateId | null> {
  if (status !== 'issuing' || !isValid(certificate, now)) return null;
  return (await findNewestCertificate(store, id))?.id ?? null;
}

/** Suspends the order of a domain held for review. After the release, a DNS check comes first, because the record may be gone. */
export async function suspendOrder(tx: TxContext, domain: Domain): Promise<void> {
  if (runsOnTimer(domain, tx.settings) || certificateJobs(tx, domain).length === 0) return;
  const { store, clock } = tx;
  const now = clock.now();
  const order = (await findCertificateOrder(store, domain.id)) ?? newOrder(domain.id, 'issue', now);
  await saveCertificateOrder(store, { ...order, unchecked_since: now });
}

/** Requests the DNS check that a suspended order waits for, and requests another if the check was inconclusive. */
export async function awaitCheck({ context, job }: Pick<OrderWork, 'context' | 'job'>): Promise<StepOutcome> {
  const dueAt = await underLease(context, job, async (tx, domain) => {
    const now = tx.clock.now();
    const since = (await findCertificateOrder(tx.store, domain.id))?.unchecked_since ?? null;
    // A DNS check has already resumed the order.
    if (since === null) return now;
    const check = { kind: 'check_dns', subject_id: domain.id, app_id: domain.app_id, due_at: now } as const;
    if (await hastenJob(tx.store, check)) await saveDomain(tx.store, { ...domain, next_check_at: now });
    return now + Math.min(Math.max(now - since, MINUTE_MS), HOUR_MS);
  });
  return dueAt === null ? LEASE_LOST : { kind: 'wait', dueAt };
}

/**
 * Resumes the suspended order after a DNS check found the record right. A worker that is about to request a check loses its lease of the
 * job.
 * @param domain its row must be locked by the caller.
 */
export async function resumeOrder(tx: TxContext, domain: Domain): Promise<void> {
  const order = await findCertificateOrder(tx.store, domain.id);
  if (order === null || order.unchecked_since === null) return;
  await abandonOrder(tx, domain);
  const subject = { subject_id: domain.id, app_id: domain.app_id };
  for (const job of certificateJobs(tx, domain)) await scheduleJob(tx.store, { ...job, ...subject });
  tx.notices.publish({ kind: 'work' });
}

function certificateJobs({ settings, clock }: Context, domain: Domain): DueJob[] {
  const kinds: readonly JobKind[] = ['issue', 'renew', 'retry'];
  return scheduleOf(domain, settings, clock.now()).filter(({ kind }) => kinds.includes(kind));
}
