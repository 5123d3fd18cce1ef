import { paymentFailedMail, suspendedMail, trialMail } from '../../core/accounts/billing-mail-texts.ts';
import { DUNNING, DUNNING_MS, nextDunningAt } from '../../core/accounts/billing-state.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { lockBillingAccount, saveBillingAccount } from '../../store/accounts/billing-accounts.ts';
import type { LeasedJob } from '../../store/jobs/jobs.ts';
import { mailFacts, queueOwnerMails } from '../accounts/owner-mails.ts';
import { type Context, transact } from '../context.ts';
import { changeBilledTerms } from './billing-provider.ts';
import { syncCustomer } from './sync-customer.ts';

/** If a mail about the end of a trial is due now, queues the mail. @returns when the next mail is due. */
export async function sendTrialMail(context: Context, job: LeasedJob<'trial_mail'>): Promise<Instant | null> {
  if (context.billing === null) return null;
  return transact(context, async (tx) => {
    const account = await lockAccount(tx.store, job.subject_id);
    const endsAt = account.trial_ends_at;
    if (endsAt === null || account.plan !== 'free') return null;
    const billing = await lockBillingAccount(tx.store, account.id);
    const now = tx.clock.now();
    const sent = billing.trial_mailed_for === endsAt ? billing.trial_mailed_days : null;
    const { due, next } = trialNotices(endsAt, sent, now);
    if (due !== null) {
      await queueOwnerMails(tx, account.id, trialMail(mailFacts(tx, account), { days: due, endsAt }));
      await saveBillingAccount(tx.store, { ...billing, trial_mailed_for: endsAt, trial_mailed_days: due });
    }
    return next === null ? null : Math.min(next, now + LIMITS.trial_ms);
  });
}

/** How many days before the end of a trial the account's owners get a mail. */
const TRIAL_NOTICE_DAYS = [3, 1, 0] as const;

/** A notice that is later than this is not sent. */
const LATE_MS_MAX = 7 * DAY_MS;

export interface TrialNotices {
  /** The days left in the trial, as the notice that is due now states them. Null if no notice is due. */
  due: number | null;
  /** When the next notice is due. Null if there are no more notices. */
  next: Instant | null;
}

/**
 * Returns which notice about a trial's end is due, and when the next notice is due. If several are due because no worker was running, only
 * the latest is sent.
 * @param sent the number of days in the last notice that was sent for this trial, or null.
 */
export function trialNotices(endsAt: Instant, sent: number | null, now: Instant): TrialNotices {
  const left = TRIAL_NOTICE_DAYS.filter((days) => sent === null || days < sent);
  const due = left.findLast((days) => endsAt - days * DAY_MS <= now);
  const next = left.find((days) => endsAt - days * DAY_MS > now);
  return {
    due: due === undefined || now - (endsAt - due * DAY_MS) > LATE_MS_MAX ? null : due,
    next: next === undefined ? null : endsAt - next * DAY_MS,
  };
}

/** Minimum time between two steps, so that an outage of the service does not shorten the customer's time to pay. */
const BETWEEN_STEPS_MS = DAY_MS;

/**
 * Takes the next step after a failed payment: sends a mail, or suspends the account. First reads the state from the billing provider,
 * because the event of a payment may have been lost. If the provider does not respond, takes no step.
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

/** Returns the minimum time until the last step, which suspends the account. */
function daysLeft(steps: number): number {
  return (DUNNING.length - 1 - steps) * BETWEEN_STEPS_MS;
}
