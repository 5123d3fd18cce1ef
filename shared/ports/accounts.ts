import type { CustomerState, Subscription } from '../core/accounts/billing-state.ts';
import type { Passkey } from '../core/accounts/passkey.ts';
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

/** A company's sign-in service (OpenID Connect Core 1.0). */
export interface IdentityProvider {
  /** Name on the button of the sign-in page. */
  name: string;
  /** Domains of the mail addresses for which the provider is trusted, in lowercase. */
  mailDomains: readonly string[];
  /** Returns the address to send the browser to. */
  authorizationUrl(request: AuthorizationRequest): Promise<ProviderOutcome<{ url: string }>>;
  /** Exchanges the code that the browser brings back, and verifies the identity. @param callback the URL that the browser opened. */
  readIdentity(callback: URL, expected: SignInSecrets): Promise<ProviderOutcome<ProvidedIdentity>>;
}

/** The values that bind the provider's answer to one sign-in. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  codeVerifier: string;
}

export interface AuthorizationRequest extends SignInSecrets {
  redirectUri: string;
  /** Asks for a sign-in at the provider that is at most this old. The provider must then state when it was. */
  maxAgeS: number;
}

export interface ProvidedIdentity {
  /** The mail address, as the provider spells it. */
  mail: string | null;
  isMailVerified: boolean;
  /** When the person signed in at the provider, if it says so. */
  signedInAt: Instant | null;
}

/**
 * Why a sign-in failed. `cancelled`: the person or the provider's rules ended it. `unavailable`: the provider does not respond, or reports
 * an error of its own. `refused`: the answer is not valid, or the client's settings are wrong.
 */
export type ProviderFailure = 'cancelled' | 'unavailable' | 'refused';

export type ProviderOutcome<T> = ({ ok: true } & T) | { ok: false; problem: ProviderFailure };

/** Creates and verifies the messages between this site and a browser's passkeys (WebAuthn Level 3). */
export interface Passkeys {
  /** Returns the `PublicKeyCredentialCreationOptionsJSON` for a new passkey. */
  creationOptions(request: CreationRequest): Promise<object>;
  /** Returns the `PublicKeyCredentialRequestOptionsJSON` for a sign-in. It names no credential, so the browser offers all it has. */
  requestOptions(challenge: Uint8Array): Promise<object>;
  /** Verifies a new passkey. @param challenge the expected one, in base64url. */
  verifyCreation(response: CreationResponse, challenge: string): Promise<Verified<NewCredential>>;
  /** Verifies a signature. @param challenge the expected one, in base64url. */
  verifySignature(
    response: SignatureResponse,
    challenge: string,
    passkey: Pick<Passkey, 'credential_id' | 'public_key' | 'counter'>,
  ): Promise<Verified<{ counter: number }>>;
}

export interface CreationRequest {
  mail: string;
  /** The id of the user at the passkey, in base64url. */
  userHandle: string;
  challenge: Uint8Array;
  /** The person's passkeys, so that an authenticator does not get a second one. */
  known: readonly Pick<Passkey, 'credential_id' | 'transports'>[];
}

export type NewCredential = Pick<Passkey, 'credential_id' | 'public_key' | 'counter'>;

/** The reason is for the log. A person could not act on it. */
export type Verified<T> = ({ ok: true } & T) | { ok: false; problem: string };

/** The response of a browser that made a passkey (`RegistrationResponseJSON`), as far as it is used. */
export interface CreationResponse {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined };
}

/** The response of a browser that signs in (`AuthenticationResponseJSON`), as far as it is used. */
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

/** A plain-text mail. Its headers are ready to send: all input from outside has been validated. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Language tag (BCP 47). If it is not set, the mail is in English. */
  language?: string;
  /** The `Message-ID` without angle brackets. It stays the same if the mail is sent again, so that mailboxes show it only once. */
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
