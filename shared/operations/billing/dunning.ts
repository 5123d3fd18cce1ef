import { paymentFailedMail, suspendedMail } from '../../core/accounts/billing-mail-texts.ts';
import { DUNNING, DUNNING_MS, nextDunningAt } from '../../core/accounts/dunning.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { lockBillingAccount, saveBillingAccount } from '../../store/accounts/billing-accounts.ts';
import type { LeasedJob } from '../../store/jobs/jobs.ts';
import { mailFacts, queueOwnerMails } from '../accounts/owner-mails.ts';
import { type Context, transact } from '../context.ts';
import { changeBilledTerms } from './billing-provider.ts';
import { syncCustomer } from './sync-customer.ts';

/** Shortest time between two steps, so that an outage of ours does not shorten the customer's time to pay. */
const BETWEEN_STEPS_MS = DAY_MS;

/**
 * Takes the next step after a failed payment: a mail, or the suspension. It first reads the state from the provider, in case the event of a
 * payment was lost. If the provider does not respond, it takes no step.
 */
export async function runDunning(context: Context, job: LeasedJob<'dunning'>): Promise<Instant | null> {
  if (context.billing === null) return null;
  await syncCustomer(context, job.subject_id);
  return transact(context, async (tx) => {
    const account = await lockAccount(tx.store, job.subject_id);
    const billing = await lockBillingAccount(tx.store, account.id);
    const { payment_failed_at, dunning_steps } = billing;
    if (payment_failed_at === null) return null;
    const now = tx.clock.now();
    const dueAt = nextDunningAt({ payment_failed_at, dunning_steps });
    const step = DUNNING[dunning_steps];
    if (dueAt === null || step === undefined) return null;
    if (dueAt > now) return dueAt;
    const facts = mailFacts(tx, account);
    const suspends = step.suspends && !account.suspended;
    if (suspends) {
      await changeBilledTerms(tx, account.id, { suspended: true });
      await queueOwnerMails(tx, account.id, suspendedMail(facts));
    } else if (!step.suspends) {
      const suspendsAt = Math.max(payment_failed_at + DUNNING_MS, now + daysLeft(dunning_steps));
      await queueOwnerMails(tx, account.id, paymentFailedMail(facts, suspendsAt));
    }
    const taken = { ...billing, dunning_steps: dunning_steps + 1 };
    await saveBillingAccount(tx.store, { ...taken, suspended_at: suspends ? now : billing.suspended_at });
    const next = nextDunningAt({ payment_failed_at, dunning_steps: taken.dunning_steps });
    return next === null ? null : Math.max(next, now + BETWEEN_STEPS_MS);
  });
}

/** Returns the shortest time that the remaining steps take. */
function daysLeft(steps: number): number {
  return (DUNNING.length - 1 - steps) * BETWEEN_STEPS_MS;
}
