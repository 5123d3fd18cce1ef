import { type CertificateOrder, restartedOrder } from '../../../core/certificates/certificate-order.ts';
import type { Domain } from '../../../core/domains/domain.ts';
import type { Instant } from '../../../core/instant.ts';
import type { CaAccount, CertificateAuthority } from '../../../ports/certificate-authority.ts';
import type { Dns } from '../../../ports/dns.ts';
import { saveCertificateOrder } from '../../../store/certificates/certificate-orders.ts';
import type { DomainJob } from '../../../store/jobs/jobs.ts';
import type { Context, Issuance } from '../../context.ts';
import { underLease } from '../../under-lease.ts';

/** A domain's order while one worker holds its job's lease. */
export interface OrderWork {
  context: Context;
  issuance: Issuance;
  dns: Dns;
  job: DomainJob;
  /** The domain as it was when the work began. */
  domain: Domain;
}

/** An order's work once an authority is chosen. */
export interface PlacedWork extends OrderWork {
  authority: CertificateAuthority;
  account: CaAccount;
}

/** The outcome of a step: `again` if the next step can follow, a time if the job is due again then, null if it is done. */
export type StepOutcome = 'again' | Instant | null;

/**
 * Saves the progress of an order. The lease is the fence: a worker that lost it saves nothing and stops.
 * @param within runs in the same transaction.
 * @param progressedAt now, unless the order made no progress.
 */
export async function saveOrder(
  { context, job }: OrderWork,
  order: CertificateOrder,
  within: (tx: Context) => Promise<void> = async () => undefined,
  progressedAt: Instant = context.clock.now(),
): Promise<StepOutcome> {
  return underLease(context, job, async (tx): Promise<'again'> => {
    const failingSince = progressedAt > order.progressed_at ? null : order.failing_since;
    await saveCertificateOrder(tx.store, {
      ...order,
      progressed_at: progressedAt,
      failing_since: failingSince,
    });
    await within(tx);
    return 'again';
  });
}

/** Returns to the choice of an authority. */
export function startOver(work: OrderWork, order: CertificateOrder): Promise<StepOutcome> {
  return saveOrder(work, restartedOrder(order, work.context.clock.now()));
}
