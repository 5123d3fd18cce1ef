/** The tables of passkeys and unfinished sign-ins (`shared/store/tables.ts`). */
export interface PasskeyRow {
  id: string;
  mail: string;
  name: string;
  credential_id: string;
  user_handle: string;
  public_key: string;
  counter: number;
  /** How browsers reach the authenticator, as a JSON array. */
  transports: string;
  created_at: number;
  last_used_at: number | null;
}

export interface SignInChallengeRow {
  /** SHA-256, in hex, of a passkey's challenge or of the `state` of a sign-in with an identity provider. */
  hash: string;
  kind: 'passkey_creation' | 'passkey_sign_in' | 'provider_sign_in';
  /** SHA-256 of the cookie of the browser that began the sign-in. */
  browser_hash: string;
  /** The person who adds a passkey; null for a sign-in. */
  mail: string | null;
  /** More data about the sign-in, as JSON. */
  detail: string | null;
  expires_at: number;
}
