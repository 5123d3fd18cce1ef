import { type Certificate, isValid, testCertificate } from '../../core/certificates/certificate.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { JobKind } from '../../core/domains/job.ts';
import { timerOutcome } from '../../core/domains/schedule.ts';
import { nextTimerStep } from '../../core/domains/test-mode.ts';
import type { Trigger } from '../../core/domains/transition.ts';
import type { Instant } from '../../core/instant.ts';
import { lockDomainById, saveDomain } from '../../store/domains/domains.ts';
import { lockDomainAndRivals } from '../../store/domains/domains-of-hostname.ts';
import type { DomainJob } from '../../store/jobs/jobs.ts';
import { rememberServed } from '../certificates/served-certificates.ts';
import type { Context, TxContext } from '../context.ts';
import { underLease } from '../under-lease.ts';
import { routeEarly } from './claim-hostname.ts';
import { recordTransition } from './record-transition.ts';

/**
 * Runs a job of a domain on the test timer: its next step, its expiry or its renewal (`docs/test-mode.md`). If the job causes a transition,
 * the next job is scheduled in the same transaction. Otherwise no job follows.
 */
export async function advanceDomain(context: Context, job: DomainJob): Promise<Instant | null> {
  async function advance(tx: TxContext, domain: Domain): Promise<null> {
    const trigger = dueTrigger(tx, domain, job.kind);
    if (trigger === null) await recordCheck(tx, domain);
    else await recordTransition(tx, domain, trigger);
    return null;
  }
  // A test domain of the hosted service has no route, so it cannot take the hostname from another domain, and only its own row is locked.
  return underLease(
    context,
    job,
    advance,
    context.settings.timerForLive ? lockDomainAndRivals : lockDomainById,
  );
}

/**
 * Returns the trigger of the transition that a job of this kind causes for a domain on the timer. Null if a requested check finds nothing
 * new.
 */
function dueTrigger(tx: TxContext, domain: Domain, kind: JobKind): Trigger | null {
  const now = tx.clock.now();
  if (kind === 'expire') return { name: 'window_passed' };
  if (kind === 'renew') {
    const renews = isValid(domain.certificate, now);
    return renews
      ? { name: 'certificate_renewed', certificate: timerCertificate(tx, domain) }
      : { name: 'certificate_lapsed' };
  }
  const step = nextTimerStep(timerOutcome(domain), domain)?.step;
  if (step === undefined) return null;
  const trigger: Trigger = { name: step.trigger };
  if (step.reason !== undefined) trigger.reason = step.reason;
  if (step.trigger === 'certificate_issued') trigger.certificate = timerCertificate(tx, domain);
  return trigger;
}

/** Records a requested check that found nothing new. */
async function recordCheck(tx: TxContext, domain: Domain): Promise<void> {
  await saveDomain(tx.store, { ...domain, last_checked_at: tx.clock.now() });
}

/** Returns a new certificate for a domain on the test timer. Its hostname may force a lifetime (`docs/test-mode.md`). */
export function timerCertificate({ settings, clock }: Context, domain: Domain): Certificate {
  return testCertificate(settings.names.test_ca_issuer, clock.now(), timerOutcome(domain).certificateMs);
}

/**
 * Gives a domain on the test timer a certificate before its record is confirmed, as if the customer had delegated the challenges
 * (`docs/moving-in.md`). The domain's status and next step stay the same.
 */
export async function prepareOnTimer(tx: TxContext, domain: Domain): Promise<Domain> {
  const prepared = { ...domain, certificate: timerCertificate(tx, domain), updated_at: tx.clock.now() };
  await saveDomain(tx.store, prepared);
  await rememberServed(tx, prepared);
  await routeEarly(tx, domain);
  tx.notices.publish({ kind: 'route', hostname: domain.hostname });
  return prepared;
}
