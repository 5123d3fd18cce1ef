import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE_MS } from '../../shared/core/instant.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';

/** A request from an edge to an API node, as its signature covers it. */
export interface InnerRequest {
  method: string;
  /** Path and query. */
  target: string;
  body: Uint8Array;
}

/** The difference between the clocks of two nodes for which a signature is accepted. */
const APART_MS_MAX = 5 * MINUTE_MS;

/**
 * Returns the value of the header `Authorization` with which an edge proves that it has the edge keys:
 * `Edge <key id>.<time in ms>.<HMAC-SHA-256 in base64url>`.
 */
export function signInner(ring: EncryptionKeys, request: InnerRequest, now: Instant): string {
  return `Edge ${ring.current}.${now}.${macOf(ring, ring.current, request, now)?.toString('base64url')}`;
}

/** Returns whether a node with the edge keys has signed a request within the last minutes. */
export function isSignedByEdge(
  ring: EncryptionKeys,
  header: string | null,
  request: InnerRequest,
  now: Instant,
): boolean {
  const [, id = '', at = '', given = ''] =
    /^Edge ([\w-]{1,32})\.(\d{1,15})\.([\w-]{43})$/.exec(header ?? '') ?? [];
  if (Math.abs(now - Number(at)) > APART_MS_MAX) return false;
  const mac = macOf(ring, id, request, Number(at));
  return mac !== null && timingSafeEqual(mac, Buffer.from(given, 'base64url'));
}

function macOf({ keys }: EncryptionKeys, id: string, request: InnerRequest, at: Instant): Buffer | null {
  const key = keys.get(id);
  if (key === undefined) return null;
  const secret = new Uint8Array(hkdfSync('sha256', key, '', 'inner-requests', 32));
  const { method, target, body } = request;
  const digest = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', secret).update(`${at}\n${method}\n${target}\n${digest}`).digest();
}
