import { type AcmeProblem, refusesReplacement } from '../../../core/certificates/acme-problem.ts';
import type { CertificateOrder } from '../../../core/certificates/certificate-order.ts';
import { makeOrderKey } from '../certificate-keys.ts';
import { exactSetUntil } from './authority-limits.ts';
import type { PlacedWork, StepOutcome } from './step-outcome.ts';

/** Places the order. Saves its URL and the certificate's key, so that a worker that takes over does not place a second order. */
export async function placeOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const { authority, account, domain } = work;
  const { names, replaces } = order;
  const answer = await authority.newOrder(account, { names, replaces });
  if (answer.ok) {
    const privateKey = await makeOrderKey(work.context.secrets, domain.id);
    return { kind: 'advance', order: { ...order, order_url: answer.value, private_key: privateKey } };
  }
  if (replaces !== null && refusesReplacement(answer.problem)) {
    return placeOrdinary(work, order, answer.problem);
  }
  return { kind: 'refused', order, problem: answer.problem };
}

/** Places the order again without `replaces`. The authority then counts the certificate, and may have no capacity for it. */
async function placeOrdinary(
  work: PlacedWork,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const { context, authority, domain } = work;
  const until = await exactSetUntil(context, authority.ca, order.names);
  context.log.warn({ domain_id: domain.id, problem, until }, 'ordering the renewal without replaces');
  if (until === null) return { kind: 'advance', order: { ...order, replaces: null } };
  return { kind: 'lost', order, problem: { reason: 'ca_rate_limited', found: null, at: null, until } };
}
