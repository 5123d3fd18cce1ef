import type { Stripe } from 'stripe';

/** The parameters of a form body or a query: texts, or parameters that are nested with brackets (`items[0][price]`). */
export type Parameters = { [name: string]: string | Parameters };

/**
 * The parameters that the stand-in accepts for a request. The compiler checks each name against the types of Stripe's package, which Stripe
 * generates from its API description. A name that Stripe does not document does not compile. The stand-in refuses a name that is missing
 * here.
 */
export interface Documented {
  accepts: readonly string[];
  /** Parameters that this service must send, although Stripe does not require them. */
  needs: readonly string[];
  values?: Readonly<Record<string, RegExp>>;
  nested?: Readonly<Record<string, readonly string[]>>;
}

type Names<P> = readonly (keyof P & string)[];

function documented<P>(
  accepts: Names<P>,
  needs: Names<P>,
  more: {
    values?: Partial<Record<keyof P & string, RegExp>>;
    nested?: Partial<Record<keyof P & string, readonly string[]>>;
  } = {},
): Documented {
  return {
    accepts,
    needs,
    values: (more.values ?? {}) as Record<string, RegExp>,
    nested: (more.nested ?? {}) as Record<string, readonly string[]>,
  };
}

const NEW_ITEM: Names<Stripe.SubscriptionCreateParams.Item> = ['price', 'quantity', 'metadata'];
const CHANGED_ITEM: Names<Stripe.SubscriptionUpdateParams.Item> = ['id', 'price', 'quantity', 'deleted'];
const INVOICE_SETTINGS: Names<Stripe.CustomerUpdateParams.InvoiceSettings> = [
  'default_payment_method',
  'custom_fields',
  'footer',
];
const BOOLEAN = /^(?:true|false)$/;
const PAYMENT_BEHAVIOR =
  /^(?:allow_incomplete|default_incomplete|error_if_incomplete|pending_if_incomplete)$/;
const PRORATION = /^(?:always_invoice|create_prorations|none)$/;
const LIMIT = /^(?:[1-9]\d?|100)$/;
const HTTP_URL = /^https?:\/\/\S+$/;

/** The requests that the stand-in accepts: the method and the path, with `*` for an id. */
export const REQUESTS = {
  'POST /v1/customers': documented<Stripe.CustomerCreateParams>(
    ['name', 'email', 'metadata', 'description'],
    ['name', 'metadata'],
    { values: { email: /^\S+@\S+$/ } },
  ),
  'GET /v1/customers/*': documented<Stripe.CustomerRetrieveParams>(['expand'], []),
  'POST /v1/customers/*': documented<Stripe.CustomerUpdateParams>(
    ['name', 'email', 'metadata', 'invoice_settings'],
    [],
    { nested: { invoice_settings: INVOICE_SETTINGS } },
  ),
  'GET /v1/customers/*/payment_methods': documented<Stripe.CustomerListPaymentMethodsParams>(
    ['type', 'limit', 'starting_after', 'ending_before', 'expand'],
    [],
    { values: { limit: LIMIT, type: /^card$/ } },
  ),
  'GET /v1/subscriptions': documented<Stripe.SubscriptionListParams>(
    ['customer', 'status', 'price', 'limit', 'starting_after', 'ending_before', 'expand'],
    ['customer'],
    { values: { limit: LIMIT } },
  ),
  'POST /v1/subscriptions': documented<Stripe.SubscriptionCreateParams>(
    ['customer', 'items', 'metadata', 'off_session', 'payment_behavior', 'proration_behavior'],
    ['customer', 'items'],
    {
      values: { off_session: BOOLEAN, payment_behavior: PAYMENT_BEHAVIOR, proration_behavior: PRORATION },
      nested: { items: NEW_ITEM },
    },
  ),
  'POST /v1/subscriptions/*': documented<Stripe.SubscriptionUpdateParams>(
    ['items', 'metadata', 'off_session', 'payment_behavior', 'proration_behavior', 'cancel_at_period_end'],
    [],
    {
      values: {
        off_session: BOOLEAN,
        cancel_at_period_end: BOOLEAN,
        payment_behavior: PAYMENT_BEHAVIOR,
        proration_behavior: PRORATION,
      },
      nested: { items: CHANGED_ITEM },
    },
  ),
  'DELETE /v1/subscriptions/*': documented<Stripe.SubscriptionCancelParams>(['invoice_now', 'prorate'], []),
  'POST /v1/checkout/sessions': documented<Stripe.Checkout.SessionCreateParams>(
    ['mode', 'customer', 'allowed_payment_method_types', 'currency', 'success_url', 'cancel_url', 'metadata'],
    ['mode', 'customer', 'success_url'],
    { values: { mode: /^(?:payment|setup|subscription)$/, success_url: HTTP_URL, cancel_url: HTTP_URL } },
  ),
  'POST /v1/billing_portal/sessions': documented<Stripe.BillingPortal.SessionCreateParams>(
    ['customer', 'configuration', 'return_url'],
    ['customer'],
    { values: { return_url: HTTP_URL } },
  ),
  'POST /v1/setup_intents': documented<Stripe.SetupIntentCreateParams>(
    ['customer', 'payment_method', 'allowed_payment_method_types', 'usage', 'confirm', 'return_url'],
    ['customer', 'payment_method', 'confirm'],
    { values: { usage: /^(?:off_session|on_session)$/, confirm: BOOLEAN } },
  ),
  'GET /v1/events/*': documented<Stripe.EventRetrieveParams>(['expand'], []),
} as const satisfies Record<string, Documented>;

export type RequestName = keyof typeof REQUESTS;

/** Parses `a=1&b[c]=2&d[0][e]=3`. */
export function readForm(text: string): Parameters {
  const form: Parameters = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    const last = path.pop() ?? '';
    let at = form;
    for (const step of path) {
      const next = at[step];
      const into = typeof next === 'object' ? next : {};
      at[step] = into;
      at = into;
    }
    at[last] = value;
  }
  return form;
}

/** Returns the first problem of a request's parameters in Stripe's words, or null. */
export function parameterProblem(
  given: Parameters,
  rules: Documented,
): { code: string; param: string; message: string } | null {
  for (const [param, value] of Object.entries(given)) {
    const unknown = unknownIn(param, value, rules);
    if (unknown !== null) {
      return { code: 'parameter_unknown', param: unknown, message: `Received unknown parameter: ${unknown}` };
    }
    const pattern = rules.values?.[param];
    if (pattern !== undefined && !(typeof value === 'string' && pattern.test(value))) {
      return { code: 'parameter_invalid', param, message: `Invalid ${param}: ${JSON.stringify(value)}` };
    }
  }
  const param = rules.needs.find((name) => given[name] === undefined);
  if (param === undefined) return null;
  return { code: 'parameter_missing', param, message: `Missing required param: ${param}.` };
}

function unknownIn(
  param: string,
  value: string | Parameters,
  { accepts, nested }: Documented,
): string | null {
  if (!accepts.includes(param)) return param;
  const names = nested?.[param];
  if (names === undefined || typeof value === 'string') return null;
  const isList = Object.keys(value).every((key) => /^\d+$/.test(key));
  const parts = isList ? Object.values(value) : [value];
  const unknown = parts
    .flatMap((part) => (typeof part === 'string' ? ['0'] : Object.keys(part)))
    .find((name) => !names.includes(name));
  return unknown === undefined ? null : `${param}[${unknown}]`;
}
