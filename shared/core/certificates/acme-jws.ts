import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** A signed request body (RFC 8555 section 6.2). */
export interface Jws {
  protected: string;
  payload: string;
  signature: string;
}

/** Identifies the signer by the account's URL, or by the public key if there is no account yet. */
export interface JwsSigner {
  /** The signer's P-256 key. */
  private_key: KeyObject;
  account_url: string | null;
}

/** Signs a request body (RFC 8555 section 6.2). @param payload null for a POST-as-GET (RFC 8555 section 6.3). */
export function signJws(
  signer: JwsSigner,
  { url, nonce, payload }: { url: string; nonce: string; payload: object | null },
): Jws {
  const who =
    signer.account_url === null ? { jwk: publicJwk(signer.private_key) } : { kid: signer.account_url };
  const head = encode({ alg: 'ES256', ...who, nonce, url });
  const body = payload === null ? '' : encode(payload);
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
    key: signer.private_key,
    dsaEncoding: 'ieee-p1363',
  });
  return { protected: head, payload: body, signature: signature.toString('base64url') };
}

/**
 * Binds a new ACME account to the account that the operator has with the CA (RFC 8555 section 7.3.4). @param mac_key the MAC key from the
 * CA, in base64url.
 */
export function externalAccountBinding(
  accountKey: KeyObject,
  { key_id, mac_key }: { key_id: string; mac_key: string },
  url: string,
): Jws {
  const head = encode({ alg: 'HS256', kid: key_id, url });
  const body = encode(publicJwk(accountKey));
  const hmac = createHmac('sha256', Buffer.from(mac_key, 'base64url'));
  return { protected: head, payload: body, signature: hmac.update(`${head}.${body}`).digest('base64url') };
}

/** Returns the key's thumbprint: the SHA-256 of its public members, ordered and without spaces (RFC 7638). @param key a private key. */
export function keyThumbprint(key: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(publicJwk(key)))
    .digest('base64url');
}

/** Returns the members of the key that RFC 7638 section 3.2 requires, in the order of that section. */
function publicJwk(key: KeyObject): { crv: string; kty: string; x: string; y: string } {
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { crv, kty, x, y };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
