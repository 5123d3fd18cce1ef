import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE_MS } from '../../shared/core/instant.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';

/** The parts of a request from an edge to an API node that its signature covers, besides the time. */
export interface InnerRequest {
  method: string;
  /** Path and query. */
  target: string;
  body: Uint8Array;
}

/** The difference between the clocks of two nodes for which a signature is accepted. */
export const APART_MS_MAX = 5 * MINUTE_MS;

/**
 * Returns the value of the header `Authorization` with which an edge proves that it has the edge keys:
 * `Edge <key id>.<time in ms>.<nonce>.<SHA-256 of the body>.<HMAC-SHA-256>`, the last three in base64url.
 */
export function signInner(ring: EncryptionKeys, request: InnerRequest, now: Instant): string {
  const [digest, nonce] = [bodyDigest(request.body), randomBytes(12).toString('base64url')];
  const mac = macOf(ring, ring.current, { ...request, nonce, digest }, now);
  return `Edge ${ring.current}.${now}.${nonce}.${digest}.${mac?.toString('base64url')}`;
}

/**
 * Returns the signed nonce and body digest of a request that a node with the edge keys has signed, at most `APART_MS_MAX` before or after
 * `now`. Returns null for a request without a valid signature. The API calls this before it reads a body, so a caller without a key cannot
 * fill its memory. After reading the body, compare the digest with `bodyDigest` of the body.
 */
export function readSignature(
  ring: EncryptionKeys,
  header: string | null,
  { method, target }: Pick<InnerRequest, 'method' | 'target'>,
  now: Instant,
): Pick<SignedParts, 'nonce' | 'digest'> | null {
  const [, id = '', at = '', nonce = '', digest = '', given = ''] =
    /^Edge ([\w-]{1,32})\.(\d{1,15})\.([\w-]{16})\.([\w-]{43})\.([\w-]{43})$/.exec(header ?? '') ?? [];
  if (Math.abs(now - Number(at)) > APART_MS_MAX) return null;
  const mac = macOf(ring, id, { method, target, nonce, digest }, Number(at));
  return mac !== null && timingSafeEqual(mac, Buffer.from(given, 'base64url')) ? { nonce, digest } : null;
}

/** Returns the SHA-256 of a body in base64url. */
export function bodyDigest(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url');
}

interface SignedParts {
  method: string;
  target: string;
  /** A random value that no other request has. */
  nonce: string;
  digest: string;
}

function macOf(
  { keys }: EncryptionKeys,
  id: string,
  { method, target, nonce, digest }: SignedParts,
  at: Instant,
): Buffer | null {
  const key = keys.get(id);
  if (key === undefined) return null;
  const secret = new Uint8Array(hkdfSync('sha256', key, '', 'inner-requests', 32));
  return createHmac('sha256', secret).update(`${at}\n${method}\n${target}\n${nonce}\n${digest}`).digest();
}
