import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** Generates a signing secret: `whsec_` and 32 random bytes in base64 (`docs/api.md#signing-secret`; `docs/webhooks.md`). */
export function makeSigningSecret(random: (bytes: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(random(32)).toString('base64');
}

/**
 * Returns the `Service-Signature` header of `docs/api.md#webhooks`. The header has one `v1` per secret: an HMAC keyed by the whole secret
 * string.
 * @param input.secrets the current secret; during a rotation, the new secret and the previous secret.
 */
export function signWebhook(input: { secrets: readonly string[]; timestampS: number; body: string }): string {
  const { timestampS, body } = input;
  const values = atLeastOne(input.secrets).map(
    (secret) => `v1=${hmac(keyOf(secret), `${timestampS}.`, body)}`,
  );
  return [`t=${timestampS}`, ...values].join(',');
}

/**
 * Returns the `webhook-signature` header of Standard Webhooks, for receivers that use a library of that standard. The HMAC's key is the
 * decoded secret.
 * @param input.id the `webhook-id` header, which is the event's id.
 */
export function standardWebhookSignature(input: {
  secrets: readonly string[];
  id: string;
  timestampS: number;
  body: string;
}): string {
  const { id, timestampS, body } = input;
  return atLeastOne(input.secrets)
    .map((secret) => `v1,${hmac(decodedKeyOf(secret), `${id}.${timestampS}.`, body, 'base64')}`)
    .join(' ');
}

/**
 * Returns the `X-Service-Signature` header of a request to an origin (`docs/origins.md`). The signature does not cover the body.
 * @param input.secret the secret that the origin already accepts.
 * @param input.host the `Host` as forwarded. `pathAndQuery` is the request target as forwarded.
 */
export function signOriginRequest(input: {
  secret: string;
  timestampS: number;
  method: string;
  host: string;
  pathAndQuery: string;
  domain_id: string;
}): string {
  const { secret, timestampS, method, host, pathAndQuery, domain_id } = input;
  const content = `${timestampS}.${method}.${host}.${pathAndQuery}.${domain_id}`;
  return `v1=${hmac(keyOf(secret), content)}`;
}

/** Returns the secrets. Throws RangeError if there are none. */
function atLeastOne(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) throw new RangeError('signing needs at least one secret');
  return secrets;
}

/** @param rest the text after the content. It is a separate parameter, because joining the texts would copy an event's body. */
function hmac(key: KeyObject, content: string, rest = '', encoding: 'hex' | 'base64' = 'hex'): string {
  return createHmac('sha256', key).update(content).update(rest).digest(encoding);
}

/** Maximum number of keys in each cache. */
const KEYS_MAX = 1_000;

/** Creates a cache of the keys that are made from secrets, because making a key takes longer than signing with it. */
function keptKeys(bytesOf: (secret: string) => Buffer): (secret: string) => KeyObject {
  const keys = new Map<string, KeyObject>();
  return (secret) => {
    const known = keys.get(secret);
    if (known !== undefined) return known;
    const bytes = bytesOf(secret);
    // If the key were empty, anyone could forge a signature.
    if (bytes.length === 0) throw new RangeError('signing needs a secret that is not empty');
    const key = createSecretKey(bytes);
    if (keys.size === KEYS_MAX) keys.clear();
    keys.set(secret, key);
    return key;
  };
}

const keyOf = keptKeys((secret) => Buffer.from(secret));
const decodedKeyOf = keptKeys((secret) => Buffer.from(base64Part(secret), 'base64'));

function base64Part(secret: string): string {
  return secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
}
