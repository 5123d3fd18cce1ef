import type { Passkey } from '../core/accounts/passkey.ts';

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
  /** In base64url. */
  userHandle: string;
  challenge: Uint8Array;
  /** The person's passkeys, so that an authenticator does not get a second one. */
  known: readonly Pick<Passkey, 'credential_id' | 'transports'>[];
}

export type NewCredential = Pick<Passkey, 'credential_id' | 'public_key' | 'counter'>;

/** The reason is for the log. A person could not act on it. */
export type Verified<T> = ({ ok: true } & T) | { ok: false; reason: string };

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
