import type { Stripe } from 'stripe';
import type { PaymentCard, Subscription } from '../../shared/core/accounts/billing-state.ts';

/** Returns the id in a field that has either an id or the expanded object. */
export function idOf(field: string | { id: string } | null): string | null {
  return typeof field === 'object' ? (field?.id ?? null) : field;
}

/** Returns the fields of a card that may be shown to users, or null for another kind of payment method. */
export function cardOf(method: Stripe.PaymentMethod | undefined): PaymentCard | null {
  if (method?.card === undefined) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  return { brand, last4, exp_month, exp_year };
}

/**
 * Returns a list with the subscription. Returns an empty list for a subscription with several items or none, because this service did not
 * create it.
 */
export function subscriptionOf({
  id,
  status,
  items,
  cancel_at_period_end,
  cancel_at,
}: Stripe.Subscription): Subscription[] {
  const [item, ...others] = items.data;
  if (item === undefined || others.length > 0) return [];
  const endsAt = item.current_period_end * 1000;
  return [
    {
      id,
      item_id: item.id,
      price_id: item.price.id,
      status,
      period_ends_at: endsAt,
      ends_with_period: cancel_at_period_end || (cancel_at !== null && cancel_at * 1000 <= endsAt),
    },
  ];
}

/** Returns the customer id of an event's object, which may be the customer itself. Returns null for an object without a customer. */
export function customerIdOf(object: object): string | null {
  if ('object' in object && object.object === 'customer' && 'id' in object) return String(object.id);
  if (!('customer' in object)) return null;
  return idOf(object.customer as string | { id: string } | null);
}
