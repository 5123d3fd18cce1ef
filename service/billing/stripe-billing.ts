import { createHash, randomUUID } from 'node:crypto';
import { Stripe } from 'stripe';
import type { CustomerState } from '../../shared/core/accounts/billing-state.ts';
import type { Instant } from '../../shared/core/instant.ts';
import type { Billing, BillingEvent, NewCustomer } from '../../shared/ports/accounts.ts';
import type { StripeSettings } from '../settings/billing-settings.ts';
import { createStripeCalls, declined, isMissing, needsConfirmation } from './stripe-calls.ts';
import { cardOf, customerIdOf, idOf, subscriptionOf } from './stripe-objects.ts';

/** The version of Stripe's API that this code is written for. Change it only together with the version of the `stripe` package. */
const API_VERSION = '2026-10-28.endive';

/** The deadline of a billing operation, including all its requests to Stripe. */
const DEADLINE_MS = 5_000;

/** The maximum number of subscriptions or cards of a customer to read. A customer normally has one subscription and a few cards. */
const LISTED_MAX = 100;

/** The maximum age of a webhook signature. Stripe's own library has the same default. */
const SIGNATURE_TOLERANCE_S = 300;

/** Creates the billing provider Stripe. */
export function createStripeBilling(
  { secretKey, webhookSecret, apiUrl }: StripeSettings,
  { deadlineMs = DEADLINE_MS } = {},
): Billing {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: deadlineMs,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Nameplate' },
    ...(apiUrl === null ? {} : addressOf(apiUrl)),
  });
  const call = createStripeCalls(deadlineMs);
  return {
    createCustomer: (customer) =>
      call(async () => {
        const { account_id, name, mail } = customer;
        const params = { name, metadata: { account_id }, ...(mail === null ? {} : { email: mail }) };
        return (await stripe.customers.create(params, { idempotencyKey: keyOf(customer) })).id;
      }),
    readCustomer: (id, cardsKnownUntil) => call(() => readCustomer(stripe, id, cardsKnownUntil)),
    openCardPage: (customer, { done, canceled }) =>
      call(async () => {
        const { url } = await stripe.checkout.sessions.create(
          {
            mode: 'setup',
            customer,
            allowed_payment_method_types: ['card'],
            success_url: done,
            cancel_url: canceled,
          },
          once(),
        );
        if (url === null) throw new Error('Stripe returned a Checkout session without a URL');
        return url;
      }),
    openPortal: (customer, returnUrl) =>
      call(async () => {
        const session = await stripe.billingPortal.sessions.create(
          { customer, return_url: returnUrl },
          once(),
        );
        return session.url;
      }),
    checkCard: (customer) => call(() => checkCard(stripe, customer)),
    subscribe: (customer, price, choiceId) =>
      call(async () => {
        await stripe.subscriptions.create(
          { customer, items: [{ price }], off_session: true, payment_behavior: 'error_if_incomplete' },
          { idempotencyKey: keyOf([customer, price, choiceId]) },
        );
      }),
    changePrice: ({ id, item_id }, price, { chargeNow }) =>
      call(async () => {
        await stripe.subscriptions.update(
          id,
          {
            items: [{ id: item_id, price }],
            cancel_at_period_end: false,
            off_session: true,
            payment_behavior: 'error_if_incomplete',
            proration_behavior: chargeNow ? 'always_invoice' : 'create_prorations',
          },
          once(),
        );
      }),
    endSubscription: ({ id }, when) =>
      call(async () => {
        if (when === 'now') await stripe.subscriptions.cancel(id, {}, once());
        else await stripe.subscriptions.update(id, { cancel_at_period_end: true }, once());
      }),
    readWebhook(body, signature, now) {
      if (signature === null) return null;
      try {
        const verify = stripe.webhooks.constructEvent;
        const payload = Buffer.from(body);
        return eventOf(
          verify.call(
            stripe.webhooks,
            payload,
            signature,
            webhookSecret,
            SIGNATURE_TOLERANCE_S,
            undefined,
            now,
          ),
        );
      } catch {
        return null; // A wrong signature, or a body that is not JSON.
      }
    },
    findEvent: (id) =>
      call(async () => {
        try {
          return eventOf(await stripe.events.retrieve(id));
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      }),
  };
}

/**
 * Reads a customer with its cards and subscriptions. A card that was added after `cardsKnownUntil` becomes the default card, which pays.
 */
async function readCustomer(
  stripe: Stripe,
  id: string,
  cardsKnownUntil: Instant | null,
): Promise<CustomerState | null> {
  const customer = await findCustomer(stripe, id);
  if (customer === null) return null;
  const [cards, subscriptions] = await Promise.all([
    stripe.customers.listPaymentMethods(id, { type: 'card', limit: LISTED_MAX }),
    // Stripe leaves out subscriptions that have ended, because this request names no status.
    stripe.subscriptions.list({ customer: id, limit: LISTED_MAX }),
  ]);
  const defaultId = idOf(customer.invoice_settings.default_payment_method);
  const [newest] = cards.data.toSorted((a, b) => b.created - a.created);
  const newestAt = newest === undefined ? null : newest.created * 1000;
  const isNew = newestAt !== null && (cardsKnownUntil === null || newestAt > cardsKnownUntil);
  const current = cards.data.find((card) => card.id === defaultId);
  // Stripe Checkout in setup mode saves a card without making it the default card, so make it the default here.
  const paying = current === undefined || isNew ? newest : current;
  if (paying !== undefined && paying.id !== defaultId) {
    await stripe.customers.update(id, { invoice_settings: { default_payment_method: paying.id } }, once());
  }
  return {
    card: cardOf(paying),
    newest_card_at: newestAt,
    subscriptions: subscriptions.data.flatMap(subscriptionOf),
  };
}

/** Asks the bank to check the saved card again, without charging anything. */
async function checkCard(stripe: Stripe, id: string): Promise<void> {
  const customer = await findCustomer(stripe, id);
  const card = idOf(customer?.invoice_settings.default_payment_method ?? null);
  if (card === null) throw declined('The account has no card that can be charged.');
  const { status } = await stripe.setupIntents.create(
    {
      customer: id,
      payment_method: card,
      allowed_payment_method_types: ['card'],
      usage: 'off_session',
      confirm: true,
    },
    once(),
  );
  if (status !== 'succeeded') throw needsConfirmation();
}

async function findCustomer(stripe: Stripe, id: string): Promise<Stripe.Customer | null> {
  try {
    const customer = await stripe.customers.retrieve(id);
    return customer.deleted ? null : customer;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function eventOf({ id, type, data }: Stripe.Event): BillingEvent {
  return { id, type, customer_id: customerIdOf(data.object) };
}

/**
 * Returns the options of a request that changes something. If the request is sent again because its response was lost, Stripe runs it only
 * once.
 */
function once(): Stripe.RequestOptions {
  return { idempotencyKey: randomUUID() };
}

/**
 * Returns an idempotency key that is the same for the same facts, so that a request that is repeated after a crash creates no second
 * object.
 */
function keyOf(facts: NewCustomer | readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function addressOf(apiUrl: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return { protocol: isPlain ? 'http' : 'https', host: hostname, port: port || (isPlain ? '80' : '443') };
}
