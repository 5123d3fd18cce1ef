import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { BillingEvent } from '../../ports/accounts.ts';
import { findBillingAccountOfCustomer, recordBillingEvent } from '../../store/accounts/billing-accounts.ts';
import { type Context, transact } from '../context.ts';
import { providerOf, scheduleSync } from './billing-provider.ts';

/** `ignored` for an event about no customer of this service. */
export type EventOutcome = 'taken' | 'repeated' | 'ignored';

export interface IncomingWebhook {
  body: Uint8Array;
  signature: string | null;
}

/**
 * Accepts a webhook of the billing provider. Its only effect is to schedule a read of the customer's state, because events come late, twice
 * and in any order.
 * @param admit runs the database work when its turn comes. Called only if the signature is valid.
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
  /** Null if the event concerns no account. */
  account_id: AccountId | null;
}

/** Reads an event from the provider and accepts it again, even if it was accepted before. @throws ServiceError `not_found`. */
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
