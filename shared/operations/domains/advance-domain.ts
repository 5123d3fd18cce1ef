import { isValid, testCertificate } from '../../core/certificates/certificate.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { JobKind } from '../../core/domains/job.ts';
import { runsOnTimer, timerOutcome } from '../../core/domains/schedule.ts';
import { nextStep } from '../../core/domains/test-mode.ts';
import type { Trigger } from '../../core/domains/transition.ts';
import type { DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { lockDomainById, saveDomain } from '../../store/domains/domains.ts';
import { holdsJob, type LeasedJob } from '../../store/jobs/jobs.ts';
import { type Context, transact } from '../context.ts';
import { recordTransition } from './record-transition.ts';

/**
 * Runs a job of a domain on the test timer: its next step, its expiry, its renewal (`docs/test-mode.md`).
 * A transition schedules what comes next in the same transaction; without one there is nothing more to do.
 */
export async function advanceDomain(context: Context, job: LeasedJob): Promise<Instant | null> {
  return transact(context, async (tx) => {
    const domain = await lockDomainById(tx.store, job.subject_id as DomainId);
    // Something else changed the domain while this job waited for its row: the job that stands there now is another.
    if (domain === null || !(await holdsJob(tx.store, job))) return null;
    // An expiry that was scheduled by a version before: a check decides it now.
    if (!runsOnTimer(domain, tx.settings)) return null;
    const trigger = dueTrigger(tx, domain, job.kind);
    if (trigger === null) await noteCheck(tx, domain);
    else await recordTransition(tx, domain, trigger);
    return null;
  });
}

/** What is due for a domain on the timer, by the kind of the job; null where a check that was asked for finds nothing new. */
function dueTrigger(tx: Context, domain: Domain, kind: JobKind): Trigger | null {
  const now = tx.clock.now();
  if (kind === 'expire') return { name: 'window_passed' };
  if (kind === 'renew') {
    const renews = isValid(domain.certificate, now);
    return renews
      ? { name: 'certificate_renewed', certificate: certificate(tx) }
      : { name: 'certificate_lapsed' };
  }
  const step = nextStep(timerOutcome(domain), domain)?.step;
  if (step === undefined) return null;
  const trigger: Trigger = { name: step.trigger };
  if (step.reason !== undefined) trigger.reason = step.reason;
  if (step.trigger === 'certificate_issued') trigger.certificate = certificate(tx);
  return trigger;
}

function certificate(tx: Context) {
  return testCertificate(tx.settings.names.test_ca_issuer, tx.clock.now());
}

/** A check that was asked for and found nothing new. */
async function noteCheck(tx: Context, domain: Domain): Promise<void> {
  await saveDomain(tx.store, { ...domain, last_checked_at: tx.clock.now() });
}
