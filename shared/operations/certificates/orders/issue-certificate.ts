import { isValid } from '../../../core/certificates/certificate.ts';
import {
  type CertificateOrder,
  newOrder,
  nextOrderStep,
  ORDER_STALLED_MS,
  type OrderPurpose,
  type OrderStep,
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
import { type Stay, underLease } from '../../under-lease.ts';
import { renewalDue } from '../renewal-due.ts';
import { chooseAuthority, readAccount } from './choose-authority.ts';
import { concludeStep, type NextStep } from './conclude-step.ts';
import { followOrder, placeOrder } from './follow-order.ts';
import { proveCertificate } from './prove-certificate.ts';
import type { OrderWork, PlacedWork, StepOutcome } from './step-outcome.ts';
import { awaitCheck } from './suspend-order.ts';

/** How long a worker processes an order before it extends the job's lease. Much shorter than the lease. */
const TURN_MS = MINUTE_MS / 2;
const UNABLE_MS = 10 * MINUTE_MS;
/** Limit on steps without a wait. No order needs this many, even if it is repeated without `www` and at a second authority. */
const STEPS_MAX = 40;
/**
 * How long a worker waits for progress of an order before it processes other jobs, by the order's next step. In `choose`, the worker waits
 * without a limit until the order may be placed. In `prove`, the certificate is issued and a customer's proxy can cause the delay, so the
 * worker waits only briefly.
 */
const STAY_MS: Readonly<Record<OrderStep, number>> = {
  await_check: 0,
  choose: Number.POSITIVE_INFINITY,
  place: ORDER_STALLED_MS,
  look: ORDER_STALLED_MS,
  prove: TURN_MS,
};

/**
 * Runs the jobs `issue`, `renew` and `retry`: obtains a domain's certificate step by step, and continues an unfinished order. A domain on
 * the test timer gets a test certificate without any authority.
 * @returns when the job is due again. Null if a transition has scheduled the next job, or there is nothing to do.
 */
export async function issueCertificate(
  context: Context,
  job: DomainJob,
  stay: Stay,
): Promise<Instant | null> {
  const domain = await findDomainById(context.store, job.subject_id);
  if (domain === null) return null;
  if (runsOnTimer(domain, context.settings)) return advanceDomain(context, job);
  const { issuance, dns } = context;
  // This node cannot issue certificates, which it logged at its start. The job stays in the queue for a node that can.
  if (issuance === null || dns === null) return context.clock.now() + UNABLE_MS;
  const work: OrderWork = { context, issuance, dns, job, stay, domain, accounts: new Map() };
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
 * Takes the next steps of a domain's order, and waits between them, so that a worker finishes one order before it starts another. If the
 * order makes no progress for too long, returns, and the job runs again later.
 * @returns when the job is due again. Null if a transition has scheduled the next job, or there is nothing to do.
 */
export async function runOrder(work: OrderWork, purpose: OrderPurpose): Promise<Instant | null> {
  const { context, domain } = work;
  const { clock, store } = context;
  const read = async () =>
    (await findCertificateOrder(store, domain.id)) ?? newOrder(domain.id, purpose, clock.now());
  let order = await read();
  let leased = clock.now();
  let steps = 0;
  for (;;) {
    const step = nextOrderStep(order);
    const next = await takeStep(work, step, { ...order, purpose });
    if (next === null || typeof next === 'number') return next;
    const { stepAt } = next;
    // Only this worker changes the order, so it does not have to read the order again. The exception is `await_check`, where a DNS check
    // can resume the order.
    order = step === 'await_check' ? await read() : next.order;
    const now = clock.now();
    if (stepAt > now || now - leased > TURN_MS) {
      const since = step === 'prove' ? (order.unshown_since ?? now) : order.progressed_at;
      if (stepAt - since > STAY_MS[step] || !(await work.stay(stepAt))) return stepAt;
      leased = clock.now();
      steps = 0;
    } else if (++steps >= STEPS_MAX) return now + MINUTE_MS;
  }
}

async function takeStep(work: OrderWork, step: OrderStep, order: CertificateOrder): Promise<NextStep> {
  if (step !== 'place' && step !== 'look')
    return concludeStep(work, order, await OWN_STEPS[step](work, order), null);
  const authority = work.issuance.authorities.find(({ ca }) => ca.name === order.ca);
  if (authority === undefined) {
    // The operator has removed the authority from the settings.
    const restarted = restartedOrder(order, work.context.clock.now());
    return concludeStep(work, order, { kind: 'advance', order: restarted }, null);
  }
  const made = await readAccount(work, authority);
  if (!made.ok) return concludeStep(work, order, { kind: 'refused', order, problem: made.problem }, null);
  const { account } = made;
  const outcome = await AUTHORITY_STEPS[step]({ ...work, authority, account }, order);
  return concludeStep(work, order, outcome, account);
}

type Step<Work> = (work: Work, order: CertificateOrder) => Promise<StepOutcome>;

const OWN_STEPS: Record<'await_check' | 'choose' | 'prove', Step<OrderWork>> = {
  await_check: awaitCheck,
  choose: chooseAuthority,
  prove: proveCertificate,
};

const AUTHORITY_STEPS: Record<'place' | 'look', Step<PlacedWork>> = { place: placeOrder, look: followOrder };

/** Restarts the issuance of a domain whose certificate has expired, for instance while the hostname was held for review. */
function lapse(context: Context, job: DomainJob): Promise<null> {
  return underLease(context, job, async (tx, domain) => {
    await recordTransition(tx, domain, { name: 'certificate_lapsed' });
    return null;
  });
}
