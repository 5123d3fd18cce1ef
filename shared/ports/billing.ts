import type { CustomerState, Subscription } from '../core/accounts/billing-state.ts';
import type { AccountId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';

/**
 * A change at the provider, reduced to the customer that it concerns. Its content is not used, because the current state is read instead.
 */
export interface BillingEvent {
  id: string;
  type: string;
  /** Null if the event concerns no customer. */
  customer_id: string | null;
}

export interface NewCustomer {
  account_id: AccountId;
  name: string;
  /** Address for the provider's receipts. Null if the account has no owner with an address. */
  mail: string | null;
}

/**
 * The billing provider. Every call has a deadline of 5 seconds. Never call it within a transaction.
 * @throws ServiceError `billing_unavailable` if the provider does not respond in time, or `card_declined`.
 */
export interface Billing {
  /** Creates a customer. A repeated call for the same account returns the same customer. @returns its id. */
  createCustomer(customer: NewCustomer): Promise<string>;
  /**
   * Reads the current state of a customer. A card that was added after `cardsKnownUntil` becomes the one that pays.
   * @returns null if the provider has no such customer any more.
   */
  readCustomer(customerId: string, cardsKnownUntil: Instant | null): Promise<CustomerState | null>;
  /** Opens a page of the provider that saves a card. @returns its URL. */
  openCardPage(customerId: string, returnUrls: ReturnUrls): Promise<string>;
  /** Opens the provider's page for invoices and cards. @returns its URL. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** Asks the bank whether the card can be charged. Charges nothing. @throws ServiceError `card_declined`. */
  checkCard(customerId: string): Promise<void>;
  /**
   * Starts a subscription and charges the card. If the payment fails, there is no subscription.
   * @param choiceId makes repeated calls safe: a call with the same arguments starts no second subscription. The provider remembers them
   * for a day.
   */
  subscribe(customerId: string, priceId: string, choiceId: string): Promise<void>;
  /** Changes the price. With `chargeNow`, the difference is charged at once. If that fails, the subscription stays as it was. */
  changePrice(subscription: Subscription, priceId: string, options: { chargeNow: boolean }): Promise<void>;
  /** Ends a subscription with its current period, or at once. */
  endSubscription(subscription: Subscription, when: 'period_end' | 'now'): Promise<void>;
  /**
   * Checks the signature of a webhook.
   * @param now the real time, because signatures expire.
   * @returns null if the signature is missing, wrong or too old, or the body is not an event.
   */
  readWebhook(body: Uint8Array, signature: string | null, now: Instant): BillingEvent | null;
  /** Reads an event again. @returns null if the provider does not have it any more. */
  findEvent(eventId: string): Promise<BillingEvent | null>;
}

export interface ReturnUrls {
  done: string;
  canceled: string;
}
