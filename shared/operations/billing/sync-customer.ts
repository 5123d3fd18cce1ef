import type { Account } from '../../core/accounts/account.ts';
import { paidMail } from '../../core/accounts/billing-mail-texts.ts';
import {
  applyCustomerState,
  type BillingAccount,
  type BillingOutcome,
  type CustomerState,
  subscriptionsInForce,
} from '../../core/accounts/billing-state.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import type { BillingEvent } from '../../ports/accounts.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import {
  findBillingAccount,
  findBillingAccountOfCustomer,
  listBilledAccounts,
  lockBillingAccount,
  recordBillingEvent,
  saveBillingAccount,
} from '../../store/accounts/billing-accounts.ts';
import { jobsDeletion, type LeasedJob, scheduleJob } from '../../store/jobs/jobs.ts';
import { runTogether } from '../../store/run-together.ts';
import { mailFacts, queueOwnerMails } from '../accounts/owner-mails.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { spend } from '../spend.ts';
import { changeBilledTerms, noteBilling, providerOf, scheduleSync } from './billing-provider.ts';

/** Maximum number of reads of a state. A read is repeated if another process stored a state meanwhile. */
const TRIES_MAX = 5;

/** The interval at which the state is read without an event, in case an event was lost. */
const RECONCILE_EVERY_MS = DAY_MS;

/** The state of a customer who no longer exists at the provider. */
const GONE: CustomerState = { card: null, newest_card_at: null, subscriptions: [] };

/**
 * Reads the current state of the account's customer from the provider and applies it to the account: the plan, the card, failed payments
 * and the end of a suspension. Can be repeated at any time. Returns null if the account has no customer.
 * @throws ServiceError `billing_unavailable`.
 */
export async function syncCustomer(context: Context, accountId: AccountId): Promise<BillingAccount | null> {
  const provider = providerOf(context);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await findBillingAccount(context.store, accountId);
    if (before === null || before.customer_id === null) return null;
    const state = await provider.readCustomer(before.customer_id, before.newest_card_at);
    const saved = await transact(context, (tx) => save(tx, before, state));
    if (saved !== null) {
      reportSeveral(context, accountId, state ?? GONE);
      return saved;
    }
  }
  throw new ServiceError('billing_unavailable', { retry_after_s: 5 });
}

/**
 * Reads the state of the account's customer at the request of a member.
 * @throws ServiceError `rate_limited`, because all accounts share the provider's rate limit, or `billing_unavailable`.
 */
export async function syncCustomerNow(context: Context, accountId: AccountId): Promise<void> {
  await spend(context, 'billing_syncs', accountId);
  await syncCustomer(context, accountId);
}

/** Logs an error if a customer pays for several subscriptions. An operator then has to end and refund all but one. */
function reportSeveral({ settings, log }: Context, accountId: AccountId, state: CustomerState): void {
  const ids = subscriptionsInForce(state, settings.plans).map(({ subscription }) => subscription.id);
  if (ids.length < 2) return;
  log.error(
    { account_id: accountId, subscriptions: ids },
    'an account pays for several subscriptions; end all but one and refund the others',
  );
}

/** @returns null if another process has stored a state since `before` was read, because the given state may be older. */
async function save(
  tx: TxContext,
  before: BillingAccount,
  state: CustomerState | null,
): Promise<BillingAccount | null> {
  const account = await lockAccount(tx.store, before.account_id);
  const current = await lockBillingAccount(tx.store, before.account_id);
  if (current.version !== before.version) return null;
  const { plans } = tx.settings;
  const outcome = applyCustomerState(current, account, state ?? GONE, { plans, now: tx.clock.now() });
  const billing = { ...outcome.billing, customer_id: state === null ? null : current.customer_id };
  await saveBillingAccount(tx.store, billing);
  await changeBilledTerms(tx, account.id, outcome.terms);
  await followPayment(tx, account, current, outcome);
  return { ...billing, version: billing.version + 1 };
}

/** Starts or ends the reminders about a failed payment, and writes an audit entry. */
async function followPayment(
  tx: TxContext,
  account: Account,
  before: BillingAccount,
  { payment, terms }: BillingOutcome,
): Promise<void> {
  if (payment === 'failed') {
    await noteBilling(tx, account.id, 'billing.payment_failed');
    const dueAt = tx.clock.now();
    await scheduleJob(tx.store, { kind: 'dunning', subject_id: account.id, app_id: null, due_at: dueAt });
    tx.notices.publish({ kind: 'work' });
  }
  if (payment === 'paid' || payment === 'dropped')
    await runTogether(tx.store, jobsDeletion(tx.store, account.id, ['dunning']));
  if (payment === 'paid') {
    await noteBilling(tx, account.id, 'billing.payment_received');
    const resumed = terms.suspended === false;
    if (before.dunning_steps > 0)
      await queueOwnerMails(tx, account.id, paidMail(mailFacts(tx, account), { resumed }));
  }
}

/** The job that reads a customer's state. It runs daily, and soon after each event. */
export async function syncBilling(context: Context, job: LeasedJob<'sync_billing'>): Promise<Instant | null> {
  if (context.billing === null) return null;
  const billing = await syncCustomer(context, job.subject_id);
  return billing === null ? null : context.clock.now() + RECONCILE_EVERY_MS;
}

/** Calls `each` for every account with a customer, in the order of their ids. */
export async function forEachBilledAccount(
  { store }: Context,
  each: (accountId: AccountId) => Promise<void>,
): Promise<void> {
  for (let ids = await listBilledAccounts(store, PAGE); ids.length > 0; ) {
    for (const id of ids) await each(id);
    ids = await listBilledAccounts(store, PAGE, ids.at(-1));
  }
}

const PAGE = 100;

/** `ignored` if the event concerns no customer of this service. */
export type EventOutcome = 'taken' | 'repeated' | 'ignored';

export interface IncomingWebhook {
  body: Uint8Array;
  signature: string | null;
}

/**
 * Accepts a webhook of the billing provider. The only effect is a job that reads the customer's state, because events may arrive late,
 * twice or in any order.
 * @param admit queues and runs the database work. Called only if the signature is valid.
 * @throws ServiceError `invalid_request` if the signature is not valid.
 */
export async function handleStripeWebhook(
  context: Context,
  webhook: IncomingWebhook,
  admit: (work: () => Promise<EventOutcome>) => Promise<EventOutcome> = (work) => work(),
): Promise<EventOutcome> {
  const event = providerOf(context).readWebhook(webhook.body, webhook.signature, context.wallClock.now());
  if (event !== null) return admit(() => takeEvent(context, event, { repeats: false }));
  throw new ServiceError('invalid_request', {
    message: 'The signature of this webhook is missing, wrong or too old.',
    fix: 'Send the request with a valid Stripe-Signature header.',
  });
}

export interface ReplayedEvent {
  event: BillingEvent;
  outcome: EventOutcome;
  /** The account whose customer the event concerns; null if there is none. */
  account_id: AccountId | null;
}

/** Reads an event from the provider and processes it, even if it was processed before. @throws ServiceError `not_found`. */
export async function replayBillingEvent(context: Context, eventId: string): Promise<ReplayedEvent> {
  const event = await providerOf(context).findEvent(eventId);
  if (event === null) {
    throw new ServiceError('not_found', {
      message: `The billing provider has no event ${eventId}.`,
      fix: 'Copy the id of the event from the dashboard of the provider. It keeps events for 30 days.',
    });
  }
  const outcome = await takeEvent(context, event, { repeats: true });
  const known =
    event.customer_id === null ? null : await findBillingAccountOfCustomer(context.store, event.customer_id);
  return { event, outcome, account_id: known?.account_id ?? null };
}

async function takeEvent(
  context: Context,
  { id, type, customer_id }: BillingEvent,
  { repeats }: { repeats: boolean },
): Promise<EventOutcome> {
  if (customer_id === null) return 'ignored';
  return transact(context, async (tx) => {
    const known = await findBillingAccountOfCustomer(tx.store, customer_id);
    if (known === null) return 'ignored';
    const { account_id } = known;
    const isNew = await recordBillingEvent(tx.store, { id, type, account_id, received_at: tx.clock.now() });
    if (!isNew && !repeats) return 'repeated';
    await scheduleSync(tx, account_id);
    return 'taken';
  });
}
