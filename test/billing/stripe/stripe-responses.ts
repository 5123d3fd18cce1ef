import { missing, refusedBy, type StripeAccount, StripeFailure, shownCard } from './stripe-account.ts';
import type { Parameters, RequestName } from './stripe-parameters.ts';

export interface StripeRequest {
  /** The id in the path of the request. */
  id: string;
  parameters: Parameters;
  /** The URL of the stand-in, for links to the pages that it serves. */
  url: string;
}

type Respond = (account: StripeAccount, request: StripeRequest) => object;

const list = (data: object[], url: string) => ({ object: 'list', data, has_more: false, url });

/** The response to each request. */
export const RESPONSES: Readonly<Record<RequestName, Respond>> = {
  'POST /v1/customers': (account, { parameters }) => {
    const customer = {
      ...account.make('cus', 'customer'),
      email: null,
      ...parameters,
      livemode: false,
      invoice_settings: { default_payment_method: null },
    };
    account.customers.set(customer.id, customer);
    account.emit('customer.created', customer);
    return customer;
  },
  'GET /v1/customers/*': (account, { id }) => {
    const customer = account.customer(id);
    return customer['deleted'] === true ? { id, object: 'customer', deleted: true } : customer;
  },
  'POST /v1/customers/*': (account, { id, parameters }) => {
    const customer = account.customer(id);
    const { invoice_settings: settings, ...rest } = parameters;
    const card = typeof settings === 'object' ? settings['default_payment_method'] : undefined;
    if (card !== undefined && account.cards.get(String(card))?.customer !== id)
      throw missing('PaymentMethod', String(card));
    Object.assign(customer, rest, settings === undefined ? {} : { invoice_settings: settings });
    account.emit('customer.updated', customer);
    return customer;
  },
  'GET /v1/customers/*/payment_methods': (account, { id }) => {
    account.customer(id);
    return list(account.cardsOf(id).map(shownCard), `/v1/customers/${id}/payment_methods`);
  },
  'GET /v1/subscriptions': (account, { parameters }) => {
    const customer = String(parameters['customer']);
    account.customer(customer);
    const found = [...account.subscriptions.values()].filter(
      (each) => each.customer === customer && each.status !== 'canceled',
    );
    return list(found.reverse(), '/v1/subscriptions');
  },
  'POST /v1/subscriptions': (account, { parameters }) => {
    const [item] = Object.values(parameters['items'] as Parameters) as Parameters[];
    account.customer(String(parameters['customer']));
    return account.subscribe(String(parameters['customer']), String(item?.['price']));
  },
  'POST /v1/subscriptions/*': (account, { id, parameters }) => {
    const subscription = account.subscriptions.get(id);
    if (subscription === undefined || subscription.status === 'canceled') throw missing('subscription', id);
    if (parameters['proration_behavior'] === 'always_invoice') account.charge(subscription.customer);
    const items = Object.values((parameters['items'] ?? {}) as Parameters) as Parameters[];
    for (const { id: itemId, price } of items) {
      const item = subscription.items.data.find((each) => each.id === itemId);
      if (item === undefined) throw missing('subscription item', String(itemId));
      item.price = { id: String(price) };
    }
    if (parameters['cancel_at_period_end'] !== undefined)
      subscription.cancel_at_period_end = parameters['cancel_at_period_end'] === 'true';
    account.emit('customer.subscription.updated', subscription);
    return subscription;
  },
  'DELETE /v1/subscriptions/*': (account, { id }) => {
    const subscription = account.subscriptions.get(id);
    if (subscription === undefined || subscription.status === 'canceled') throw missing('subscription', id);
    account.cancel(subscription);
    return subscription;
  },
  'POST /v1/checkout/sessions': (account, { parameters, url }) => {
    account.customer(String(parameters['customer']));
    if (
      parameters['mode'] === 'setup' &&
      !parameters['allowed_payment_method_types'] &&
      !parameters['currency']
    )
      throw invalid('currency', 'Missing required param: currency.');
    const base = account.make('cs_test', 'checkout.session');
    const session = { ...base, ...parameters, status: 'open', url: `${url}/c/pay/${base.id}` };
    account.sessions.set(base.id, session);
    return session;
  },
  'POST /v1/billing_portal/sessions': (account, { parameters, url }) => {
    account.customer(String(parameters['customer']));
    const base = account.make('bps', 'billing_portal.session');
    const session = { ...base, ...parameters, url: `${url}/p/session/${base.id}` };
    account.sessions.set(base.id, session);
    return session;
  },
  'POST /v1/setup_intents': (account, { parameters }) => {
    const customer = String(parameters['customer']);
    const card = account.cards.get(String(parameters['payment_method']));
    if (card === undefined || card.customer !== customer)
      throw missing('PaymentMethod', String(parameters['payment_method']));
    if (card.bank === 'declines') throw refusedBy(card.bank, '');
    const status = card.bank === 'pays' ? 'succeeded' : 'requires_action';
    return { ...account.make('seti', 'setup_intent'), customer, payment_method: card.id, status };
  },
  'GET /v1/events/*': (account, { id }) => {
    const found = account.events.find((event) => event.id === id);
    if (found === undefined) throw missing('event', id);
    return found;
  },
};

function invalid(param: string, message: string): StripeFailure {
  return new StripeFailure(400, { type: 'invalid_request_error', code: 'parameter_missing', param, message });
}
