import { isValid } from '../../../core/certificates/certificate.ts';
import {
  type CertificateOrder,
  newOrder,
  nextOrderStep,
  type OrderPurpose,
  restartedOrder,
} from '../../../core/certificates/certificate-order.ts';
import { runsOnTimer } from '../../../core/domains/schedule.ts';
import { type Instant, MINUTE_MS } from '../../../core/instant.ts';
import { findCertificateOrder } from '../../../store/certificates/certificate-orders.ts';
import { findDomainById } from '../../../store/domains/domains.ts';
import type { DomainJob } from '../../../store/jobs/jobs.ts';
import type { Context } from '../../context.ts';
import { advanceDomain } from '../../domains/advance-domain.ts';
import { recordTransition } from '../../domains/record-transition.ts';
import { underLease } from '../../under-lease.ts';
import { acmeAccount } from '../acme-account.ts';
import { renewalDue } from '../renewal-due.ts';
import { chooseAuthority } from './choose-authority.ts';
import { concludeStep } from './conclude-step.ts';
import { followOrder } from './follow-order.ts';
import { placeOrder } from './place-order.ts';
import { proveCertificate } from './prove-certificate.ts';
import type { OrderWork, PlacedWork, StepOutcome } from './step-outcome.ts';
import { awaitCheck } from './suspend-order.ts';

/** How long a worker continues an order. It is well within a job's lease; remaining work continues under a new lease. */
const TURN_MS = MINUTE_MS / 2;
const UNABLE_MS = 10 * MINUTE_MS;
/** More steps than an order needs, even with a second authority and without `www`. */
const STEPS_MAX = 40;

/**
 * Runs the jobs `issue`, `renew` and `retry`: obtains a domain's certificate step by step, and continues an unfinished order. A domain on
 * the test timer gets a test certificate without any authority.
 * @returns when the job is due again. Null if a transition has scheduled the next job, or there is nothing to do.
 */
export async function issueCertificate(context: Context, job: DomainJob): Promise<Instant | null> {
  const domain = await findDomainById(context.store, job.subject_id);
  if (domain === null) return null;
  if (runsOnTimer(domain, context.settings)) return advanceDomain(context, job);
  const { issuance, dns } = context;
  // The node logged at its start that it cannot issue certificates. The domain waits for a node that can.
  if (issuance === null || dns === null) return context.clock.now() + UNABLE_MS;
  const work: OrderWork = { context, issuance, dns, job, domain };
  switch (domain.status) {
    case 'issuing':
    case 'cert_failed':
      return runOrder(work, 'issue');
    case 'active': {
      if (!isValid(domain.certificate, context.clock.now())) return lapse(context, job);
      const due = await renewalDue(context, { issuance, dns, job, domain });
      return 'purpose' in due ? runOrder(work, due.purpose) : due.due_at;
    }
    default:
      return null;
  }
}

/**
 * Takes the next steps of a domain's order, for as long as one turn allows.
 * @returns as `issueCertificate` does.
 */
export async function runOrder(work: OrderWork, purpose: OrderPurpose): Promise<Instant | null> {
  const { context, domain } = work;
  const started = context.clock.now();
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const now = context.clock.now();
    if (now - started > TURN_MS) return now;
    const order = (await findCertificateOrder(context.store, domain.id)) ?? newOrder(domain.id, purpose, now);
    const next = await takeStep(work, { ...order, purpose });
    if (next !== 'again') return next;
  }
  return context.clock.now() + MINUTE_MS;
}

async function takeStep(work: OrderWork, order: CertificateOrder): Promise<'again' | Instant | null> {
  const step = nextOrderStep(order);
  if (step !== 'place' && step !== 'look')
    return concludeStep(work, await OWN_STEPS[step](work, order), null);
  const authority = work.issuance.authorities.find(({ ca }) => ca.name === order.ca);
  if (authority === undefined) {
    // The operator removed the authority from the list.
    const restarted = restartedOrder(order, work.context.clock.now());
    return concludeStep(work, { kind: 'advance', order: restarted }, null);
  }
  const made = await acmeAccount(work.context, authority);
  if ('problem' in made) return concludeStep(work, { kind: 'refused', order, problem: made.problem }, null);
  const { account } = made;
  const outcome = await AUTHORITY_STEPS[step]({ ...work, authority, account }, order);
  return concludeStep(work, outcome, account);
}

type Step<Work> = (work: Work, order: CertificateOrder) => Promise<StepOutcome>;

const OWN_STEPS: Record<'await_check' | 'choose' | 'prove', Step<OrderWork>> = {
  await_check: awaitCheck,
  choose: chooseAuthority,
  prove: proveCertificate,
};

const AUTHORITY_STEPS: Record<'place' | 'look', Step<PlacedWork>> = { place: placeOrder, look: followOrder };

/** Restarts the issuance of a domain whose certificate has expired, for instance during a long hold. */
function lapse(context: Context, job: DomainJob): Promise<null> {
  return underLease(context, job, async (tx, domain) => {
    await recordTransition(tx, domain, { name: 'certificate_lapsed' });
    return null;
  });
}
