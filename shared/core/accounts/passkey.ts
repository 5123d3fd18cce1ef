import { isIP } from 'node:net';
import type { PasskeyId } from '../ids.ts';
import type { Instant } from '../instant.ts';

/** A passkey of a person. The authenticator keeps the private key, and the database has only the public key. */
export interface Passkey {
  id: PasskeyId;
  mail: string;
  /** The name that the person gave to the passkey. */
  name: string;
  /** The credential's id, which the authenticator chose, in base64url. */
  credential_id: string;
  /**
   * The person's id at the authenticator (the user handle), in base64url. It is random, because WebAuthn section 14.6.1 forbids a mail
   * address there.
   */
  user_handle: string;
  /** The COSE key in base64url. */
  public_key: string;
  /** Number of signatures that the authenticator has made; 0 if the authenticator does not count signatures. */
  counter: number;
  /** How browsers reach the authenticator, such as `internal` or `usb`. */
  transports: readonly string[];
  created_at: Instant;
  last_used_at: Instant | null;
}

/** The website that passkeys belong to. */
export interface PasskeySite {
  /** Relying party id: the host of the dashboard. */
  host: string;
  origin: string;
}

/**
 * Returns the website that passkeys belong to, or null if browsers offer no passkeys there. Passkeys need a host name, and HTTPS unless the
 * host is `localhost` (WebAuthn section 5.1.3, Secure Contexts section 3.1).
 */
export function passkeySite(baseUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(baseUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isAddress || !isSecure ? null : { host: hostname, origin };
}
