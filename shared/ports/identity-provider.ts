import type { Instant } from '../core/instant.ts';

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

export type ProviderOutcome<T> = ({ ok: true } & T) | { ok: false; failure: ProviderFailure };
