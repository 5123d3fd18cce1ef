import type { CustomerState, Subscription } from '../core/accounts/billing-state.ts';
import type { Passkey } from '../core/accounts/passkey.ts';
import type { AccountId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';

/**
 * An event of the billing provider, reduced to the customer that it concerns. The event's content is not used: the service reads the
 * customer's current state instead.
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
 * The billing provider. Every call has a deadline of 5 seconds. Never call the provider within a transaction.
 * @throws ServiceError `billing_unavailable` if the provider does not respond in time, or `card_declined`.
 */
export interface Billing {
  /** Creates a customer. A repeated call for the same account returns the same customer. @returns the customer's id. */
  createCustomer(customer: NewCustomer): Promise<string>;
  /**
   * Reads the current state of a customer. If a card was added after `cardsKnownUntil`, makes this card the one to charge.
   * @returns null if the provider has no such customer any more.
   */
  readCustomer(customerId: string, cardsKnownUntil: Instant | null): Promise<CustomerState | null>;
  /** Opens a page of the provider on which the customer saves a card. @returns the page's URL. */
  openCardPage(customerId: string, returnUrls: ReturnUrls): Promise<string>;
  /** Opens the provider's page for invoices and cards. @returns the page's URL. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** Asks the bank whether the card can be charged. Charges nothing. @throws ServiceError `card_declined`. */
  checkCard(customerId: string): Promise<void>;
  /**
   * Starts a subscription and charges the card. If the payment fails, no subscription is created.
   * @param choiceId makes repeated calls safe: a call with the same arguments starts no second subscription. The provider recognizes
   * repeated calls for a day.
   */
  subscribe(customerId: string, priceId: string, choiceId: string): Promise<void>;
  /**
   * Changes the price of a subscription. With `chargeNow`, charges the difference at once. If the payment fails, the subscription stays as
   * it was.
   */
  changePrice(subscription: Subscription, priceId: string, options: { chargeNow: boolean }): Promise<void>;
  /** Ends a subscription, at the end of its current period or at once. */
  endSubscription(subscription: Subscription, when: 'period_end' | 'now'): Promise<void>;
  /**
   * Checks the signature of a webhook.
   * @param now the real time, because signatures expire.
   * @returns null if the signature is missing, wrong or too old, or if the body is not an event.
   */
  readWebhook(body: Uint8Array, signature: string | null, now: Instant): BillingEvent | null;
  /** Reads an event by its id. @returns null if the provider no longer has the event. */
  findEvent(eventId: string): Promise<BillingEvent | null>;
}

export interface ReturnUrls {
  done: string;
  canceled: string;
}

/** A company's sign-in service (OpenID Connect Core 1.0). */
export interface IdentityProvider {
  /** The name that the button of the sign-in page shows. */
  name: string;
  /** Lowercase mail domains. The provider is trusted only for addresses in these domains. */
  mailDomains: readonly string[];
  /** Returns the URL of the provider to which the browser is redirected. */
  authorizationUrl(request: AuthorizationRequest): Promise<ProviderOutcome<{ url: string }>>;
  /**
   * Exchanges the code that the browser brings back, and verifies the identity. @param callback the full URL at which the browser returned.
   */
  readIdentity(callback: URL, expected: SignInSecrets): Promise<ProviderOutcome<ProvidedIdentity>>;
}

/** The values that bind the provider's answer to one sign-in. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  codeVerifier: string;
}

export interface AuthorizationRequest extends SignInSecrets {
  redirectUri: string;
  /** Maximum age of the person's sign-in at the provider, in seconds. The provider must then state the time of the sign-in. */
  maxAgeS: number;
}

export interface ProvidedIdentity {
  /** The mail address, as the provider spells it. */
  mail: string | null;
  isMailVerified: boolean;
  /** When the person signed in at the provider; null if the provider does not say. */
  signedInAt: Instant | null;
}

/**
 * Why a sign-in failed. `cancelled`: the person or the provider's rules ended it. `unavailable`: the provider does not respond, or reports
 * an internal error. `refused`: the provider's answer is not valid, or our client settings are wrong.
 */
export type ProviderFailure = 'cancelled' | 'unavailable' | 'refused';

export type ProviderOutcome<T> = ({ ok: true } & T) | { ok: false; problem: ProviderFailure };

/** Creates and verifies the messages between this site and a browser's passkeys (WebAuthn Level 3). */
export interface Passkeys {
  /** Returns the `PublicKeyCredentialCreationOptionsJSON` for a new passkey. */
  creationOptions(request: CreationRequest): Promise<object>;
  /**
   * Returns the `PublicKeyCredentialRequestOptionsJSON` for a sign-in. The options name no credential, so the browser offers all passkeys
   * for this site.
   */
  requestOptions(challenge: Uint8Array): Promise<object>;
  /** Verifies a new passkey. @param challenge the expected challenge, in base64url. */
  verifyCreation(response: CreationResponse, challenge: string): Promise<Verified<NewCredential>>;
  /** Verifies a signature. @param challenge the expected challenge, in base64url. */
  verifySignature(
    response: SignatureResponse,
    challenge: string,
    passkey: Pick<Passkey, 'credential_id' | 'public_key' | 'counter'>,
  ): Promise<Verified<{ counter: number }>>;
}

export interface CreationRequest {
  mail: string;
  /** The person's id at authenticators (the user handle), in base64url. */
  userHandle: string;
  challenge: Uint8Array;
  /** The person's passkeys, so that an authenticator does not create a second passkey. */
  known: readonly Pick<Passkey, 'credential_id' | 'transports'>[];
}

export type NewCredential = Pick<Passkey, 'credential_id' | 'public_key' | 'counter'>;

/** The result of a verification. `problem` is for the log, because a person could not act on it. */
export type Verified<T> = ({ ok: true } & T) | { ok: false; problem: string };

/** The fields that we use of a browser's response after it made a passkey (`RegistrationResponseJSON`). */
export interface CreationResponse {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined };
}

/** The fields that we use of a browser's response for a sign-in (`AuthenticationResponseJSON`). */
export interface SignatureResponse {
  id: string;
  rawId: string;
  type: 'public-key';
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null | undefined;
  };
}

/** A mail as plain text and as HTML. Its headers are ready to send: all input from outside has been validated. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Language tag (BCP 47). Defaults to English. */
  language?: string;
  /** The `Message-ID` without angle brackets. A mail that is sent again has the same id, so that mailboxes show only one copy. */
  message_id: string;
  /** For one-click unsubscription (RFC 8058): a POST to this URL ends the subscription. Null for a mail that the reader asked for. */
  unsubscribe_url: string | null;
}

/** `refused` is final: the address does not exist, or its server does not accept the mail. */
export type MailOutcome = 'sent' | 'refused';

export interface Mailer {
  /** Sends a mail. @throws a temporary error: no connection, or a server that is busy or misconfigured. */
  send(mail: Mail): Promise<MailOutcome>;
}
