import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** Generates a signing secret: `whsec_` and 32 random bytes in base64 (`docs/api.md#signing-secret`; `docs/webhooks.md`). */
export function makeSigningSecret(random: (bytes: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(random(32)).toString('base64');
}

/**
 * Returns the `Service-Signature` header of `docs/api.md#webhooks`. It has one `v1` per secret, an HMAC keyed by the whole secret string.
 * @param secrets the current secret; during a rotation, the new one and the previous one.
 */
export function signWebhook(input: { secrets: readonly string[]; timestampS: number; body: string }): string {
  const { timestampS, body } = input;
  const values = atLeastOne(input.secrets).map((secret) => `v1=${hmac(secret, `${timestampS}.${body}`)}`);
  return [`t=${timestampS}`, ...values].join(',');
}

/**
 * Returns the `webhook-signature` header of Standard Webhooks, for receivers that use one of its libraries. The HMAC's key is the decoded
 * secret.
 * @param id the `webhook-id` header, which is the event's id.
 */
export function standardWebhookSignature(input: {
  secrets: readonly string[];
  id: string;
  timestampS: number;
  body: string;
}): string {
  const content = `${input.id}.${input.timestampS}.${input.body}`;
  return atLeastOne(input.secrets)
    .map((secret) => `v1,${hmac(Buffer.from(base64Part(secret), 'base64'), content, 'base64')}`)
    .join(' ');
}

/**
 * Returns the `X-Service-Signature` header of a request to an origin (`docs/origins.md`). It does not cover the body.
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
  return `v1=${hmac(secret, content)}`;
}

/** Throws if the list of secrets is empty. */
function atLeastOne(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) throw new RangeError('signing needs at least one secret');
  return secrets;
}

function hmac(key: string | Buffer, content: string, encoding: 'hex' | 'base64' = 'hex'): string {
  // If the key were empty, anyone could forge a signature.
  if (key.length === 0) throw new RangeError('signing needs a secret that is not empty');
  return createHmac('sha256', key).update(content).digest(encoding);
}

function base64Part(secret: string): string {
  return secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
}
