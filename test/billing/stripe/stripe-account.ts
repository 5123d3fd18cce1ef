import type { Clock } from '../../../shared/ports/system.ts';
import type { Parameters } from './stripe-parameters.ts';

/** How a bank responds to a card. */
export type Bank = 'pays' | 'declines' | 'wants_confirmation';

export interface StripeObject {
  id: string;
  object: string;
  created: number;
  [field: string]: unknown;
}

export interface StripeSubscription extends StripeObject {
  customer: string;
  status: string;
  items: { object: 'list'; data: { id: string; price: { id: string }; current_period_end: number }[] };
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  latest_invoice: string | null;
}

export interface StripeInvoice extends StripeObject {
  customer: string;
  subscription: string;
  status: 'open' | 'paid';
}

/** An error response of Stripe: the status and the body. */
export class StripeFailure extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;

  constructor(status: number, body: Readonly<Record<string, string>>) {
    super(body['message']);
    this.status = status;
    this.body = body;
  }
}

const PERIOD_S = 30 * 86_400;

/** The state of a Stripe account: its customers, and the events that their actions cause. */
export class StripeAccount {
  readonly customers = new Map<string, StripeObject>();
  readonly cards = new Map<string, StripeObject & { customer: string; bank: Bank }>();
  readonly subscriptions = new Map<string, StripeSubscription>();
  readonly invoices = new Map<string, StripeInvoice>();
  readonly sessions = new Map<string, StripeObject>();
  readonly events: StripeObject[] = [];
  /** Is called with each new event. */
  onEvent: (event: StripeObject) => void = () => undefined;
  readonly #clock: Clock;
  #made = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the fields that every new Stripe object has. */
  make(prefix: string, object: string): Pick<StripeObject, 'id' | 'object' | 'created'> {
    this.#made += 1;
    return { id: `${prefix}_${String(this.#made).padStart(6, '0')}`, object, created: this.seconds() };
  }

  seconds(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  emit(type: string, object: object): void {
    const event = {
      ...this.make('evt', 'event'),
      type,
      api_version: '2026-10-28.endive',
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    this.onEvent(event);
  }

  customer(id: string): StripeObject {
    const found = this.customers.get(id);
    if (found !== undefined) return found;
    throw missing('customer', id);
  }

  cardsOf(customerId: string) {
    return [...this.cards.values()].filter(({ customer }) => customer === customerId).reverse();
  }

  defaultCard(customerId: string) {
    const { invoice_settings: settings } = this.customer(customerId) as { invoice_settings?: Parameters };
    return this.cards.get(String(settings?.['default_payment_method'])) ?? null;
  }

  /** Saves a card, as Stripe Checkout does in setup mode. Does not change the default card. */
  addCard(customerId: string, bank: Bank, { last4 = '4242', brand = 'visa' } = {}): string {
    const card = {
      ...this.make('pm', 'payment_method'),
      type: 'card',
      customer: customerId,
      card: { brand, last4, exp_month: 12, exp_year: 2030 },
      bank,
    };
    this.cards.set(card.id, card);
    this.emit('payment_method.attached', shownCard(card));
    this.emit('setup_intent.succeeded', { ...this.make('seti', 'setup_intent'), customer: customerId });
    return card.id;
  }

  removeCard(cardId: string): void {
    const card = this.cards.get(cardId);
    if (card === undefined) return;
    this.cards.delete(cardId);
    const customer = this.customer(card.customer);
    const { default_payment_method } = customer['invoice_settings'] as Parameters;
    if (default_payment_method === cardId) customer['invoice_settings'] = { default_payment_method: null };
    this.emit('payment_method.detached', { ...shownCard(card), customer: null });
    this.emit('customer.updated', customer);
  }

  /** Charges the customer's default card. @throws StripeFailure if the bank does not pay, as with `error_if_incomplete`. */
  charge(customerId: string): void {
    const bank = this.defaultCard(customerId)?.bank;
    if (bank === 'pays') return;
    if (bank === undefined) {
      throw new StripeFailure(400, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'This customer has no attached payment source or default payment method.',
      });
    }
    throw refusedBy(bank, 'subscription_payment_intent_requires_action');
  }

  subscribe(customerId: string, priceId: string): StripeSubscription {
    this.charge(customerId);
    const base = this.make('sub', 'subscription');
    const subscription: StripeSubscription = {
      ...base,
      customer: customerId,
      status: 'active',
      items: {
        object: 'list',
        data: [
          {
            id: this.make('si', '').id,
            price: { id: priceId },
            current_period_end: base.created + PERIOD_S,
          },
        ],
      },
      cancel_at_period_end: false,
      cancel_at: null,
      latest_invoice: null,
    };
    this.subscriptions.set(subscription.id, subscription);
    this.#invoice(subscription, 'paid');
    this.emit('customer.subscription.created', subscription);
    return subscription;
  }

  subscriptionOf(customerId: string): StripeSubscription {
    const found = [...this.subscriptions.values()].find(
      ({ customer, status }) => customer === customerId && status !== 'canceled',
    );
    if (found === undefined) throw missing('subscription', customerId);
    return found;
  }

  /** Ends the billing period of a subscription, which is then renewed, unpaid or ended. */
  endPeriod(customerId: string): void {
    const subscription = this.subscriptionOf(customerId);
    if (subscription.cancel_at_period_end) {
      this.cancel(subscription);
      return;
    }
    for (const item of subscription.items.data) item.current_period_end += PERIOD_S;
    const paid = this.defaultCard(customerId)?.bank === 'pays';
    subscription.status = paid ? 'active' : 'past_due';
    this.#invoice(subscription, paid ? 'paid' : 'open');
    this.emit('customer.subscription.updated', subscription);
  }

  /** Pays the customer's open invoices, as a customer does on Stripe's page. */
  payInvoices(customerId: string): void {
    for (const invoice of this.invoices.values()) {
      if (invoice.customer !== customerId || invoice.status === 'paid') continue;
      invoice.status = 'paid';
      this.emit('invoice.paid', invoice);
    }
    const subscription = this.subscriptionOf(customerId);
    subscription.status = 'active';
    this.emit('customer.subscription.updated', subscription);
  }

  cancel(subscription: StripeSubscription): void {
    subscription.status = 'canceled';
    this.emit('customer.subscription.deleted', subscription);
  }

  deleteCustomer(id: string): void {
    const customer = this.customer(id);
    this.customers.set(id, { ...customer, deleted: true });
    for (const subscription of this.subscriptions.values()) {
      if (subscription.customer === id && subscription.status !== 'canceled') this.cancel(subscription);
    }
    this.emit('customer.deleted', customer);
  }

  #invoice(subscription: StripeSubscription, status: StripeInvoice['status']): void {
    const { customer, id } = subscription;
    const invoice = { ...this.make('in', 'invoice'), customer, subscription: id, status };
    this.invoices.set(invoice.id, invoice);
    subscription.latest_invoice = invoice.id;
    this.emit(status === 'paid' ? 'invoice.paid' : 'invoice.payment_failed', invoice);
  }
}

export function missing(object: string, id: string): StripeFailure {
  return new StripeFailure(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: 'id',
    message: `No such ${object}: '${id}'`,
  });
}

/** Returns Stripe's error for a bank that does not pay. */
export function refusedBy(bank: Exclude<Bank, 'pays'>, confirmationCode: string): StripeFailure {
  return bank === 'declines'
    ? new StripeFailure(402, {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
      })
    : new StripeFailure(402, {
        type: 'card_error',
        code: confirmationCode,
        message: 'This payment requires additional user action before it can be completed.',
      });
}

export function shownCard({ bank, ...card }: StripeObject & { bank: Bank }): StripeObject {
  return card;
}
