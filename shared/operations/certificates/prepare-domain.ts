import { isValid } from '../../core/certificates/certificate.ts';
import { nextProofCheckAt, PROOF_CHECK_MS, windowWhileProven } from '../../core/domains/preparation.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import { isAwaitingDns } from '../../core/domains/status.ts';
import type { DomainId } from '../../core/ids.ts';
import { HOUR_MS, type Instant } from '../../core/instant.ts';
import { deleteCertificateOrder, findCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import { findCertificateById } from '../../store/certificates/certificates.ts';
import { findDomainById, saveDomain } from '../../store/domains/domains.ts';
import type { DomainJob } from '../../store/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { prepareOnTimer } from '../domains/timer-certificate.ts';
import { underLease } from '../under-lease.ts';
import { isDelegated } from './delegated-challenges.ts';
import { runOrder } from './orders/issue-certificate.ts';
import { isRedirected } from './redirected-challenges.ts';

/**
 * Runs the job `prepare`: obtains and renews the certificate of a domain whose record does not lead to us yet (`docs/moving-in.md`). The
 * customer must have delegated the challenges, or the old host must redirect them. The status does not change, and the 72 hours do not end
 * while this proof exists.
 * @returns when the job is due again. Null if a transition or the stored certificate has scheduled it, or the domain no longer waits.
 */
export async function prepareDomain(context: Context, job: DomainJob): Promise<Instant | null> {
  const { issuance, dns, clock } = context;
  const domain = await findDomainById(context.store, job.subject_id);
  if (domain === null || !isAwaitingDns(domain.status)) return null;
  if (runsOnTimer(domain, context.settings)) {
    await underLease(context, job, prepareOnTimer);
    return null;
  }
  // This node cannot order certificates, but another one may.
  if (issuance === null || dns === null) return clock.now() + HOUR_MS;
  const isProven =
    (await isDelegated(context, domain, domain.hostname)) || (await isRedirected(context, issuance, domain));
  const now = clock.now();
  if (!isProven) return nextProofCheckAt(domain, now);
  const { certificate } = domain;
  const isDue = !isValid(certificate, now) || certificate.renews_at <= now;
  const kept = await underLease(context, job, async (tx, current) => {
    await saveDomain(tx.store, { ...current, window_opened_at: windowWhileProven(current, now) });
    if (isDue) await dropKeptOrder(tx, domain.id);
    return true;
  });
  if (kept === null) return null;
  if (!isDue) return now + PROOF_CHECK_MS;
  return runOrder({ context, issuance, dns, job, domain }, certificate === null ? 'issue' : 'renew');
}

/** Drops the order that was kept for the switch, because its certificate is to be renewed. Keeps an order that is still running. */
async function dropKeptOrder({ store, clock }: Context, id: DomainId): Promise<void> {
  const certificateId = (await findCertificateOrder(store, id))?.certificate_id ?? null;
  const kept = certificateId === null ? null : await findCertificateById(store, certificateId);
  if (kept !== null && kept.renews_at <= clock.now()) await deleteCertificateOrder(store, id);
}
