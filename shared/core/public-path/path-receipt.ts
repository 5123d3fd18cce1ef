import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import type { ServiceNames } from '../service-name.ts';

/**
 * The receipt by which a worker learns whether a hostname's public path leads to our edge (`decisions/0042`). The worker requests a path
 * with a token that only we can make. Our edge responds with a receipt that only we can sign, and that says what reached the edge.
 */
export interface PathReceipt {
  /** The token of the request. */
  token: string;
  /** Different for each response, so that a cached response is recognized. */
  id: string;
  /** The hostname and the path in the request that reached the edge. */
  host: string;
  path: string;
  scheme: 'http' | 'https';
  /** Whether the probe's cookie and header reached the edge. */
  cookie: boolean;
  header: boolean;
}

/** The keys of tokens and receipts, the same on all nodes. The first key signs, and keys of earlier settings only verify. */
export type PathKeys = readonly [Uint8Array, ...Uint8Array[]];

const RANDOM_BYTES = 12;
const MAC_BYTES = 12;
export const TOKEN_CHARS = 38;
/** How long a token is valid: longer than a probe takes, and longer than the clocks of two nodes may differ. */
export const TOKEN_MS = 5 * MINUTE_MS;
/** The first part of the signed text. Tokens and receipts have different labels, so that no token can pass for a receipt. */
export const MAC_LABELS = { token: 'path token', receipt: 'path receipt' };

/** Creates a token. @param random 12 random bytes. */
export function makePathToken([key]: PathKeys, now: Instant, random: Uint8Array): string {
  const head = Buffer.alloc(4 + RANDOM_BYTES);
  head.writeUInt32BE(Math.floor(now / SECOND_MS));
  head.set(random.subarray(0, RANDOM_BYTES), 4);
  return Buffer.concat([head, tokenMac(key, head)]).toString('base64url');
}

/** Returns the first valid token in a path or a header. Returns null if there is none, as in all requests except those of a probe. */
export function findPathToken(keys: PathKeys, now: Instant, texts: readonly string[]): string | null {
  for (const text of texts) {
    for (const [candidate] of text.matchAll(CANDIDATES)) if (isFresh(keys, now, candidate)) return candidate;
  }
  return null;
}

/** A pattern that matches every text with the form of a token. */
export const TOKEN_PATTERN = `(?<![\\w-])[\\w-]{${TOKEN_CHARS}}(?![\\w-])`;
const CANDIDATES = new RegExp(TOKEN_PATTERN, 'g');

function isFresh(keys: PathKeys, now: Instant, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  // Decoding ignores four bits of the last character, so only the spelling that encoding produces is accepted.
  if (bytes.toString('base64url') !== token) return false;
  const madeAt = bytes.readUInt32BE(0) * SECOND_MS;
  if (Math.abs(now - madeAt) > TOKEN_MS) return false;
  const head = bytes.subarray(0, -MAC_BYTES);
  return keys.some((key) => timingSafeEqual(tokenMac(key, head), bytes.subarray(-MAC_BYTES)));
}

function tokenMac(key: Uint8Array, head: Uint8Array): Buffer {
  return createHmac('sha256', key).update(MAC_LABELS.token).update(head).digest().subarray(0, MAC_BYTES);
}

/** Returns the text of a receipt, which the edge sends as the body of its response. */
export function signReceipt([key]: PathKeys, receipt: PathReceipt): string {
  const content = Buffer.from(JSON.stringify(receipt)).toString('base64url');
  return `${content}.${receiptMac(key, content).toString('base64url')}`;
}

/** Returns the receipt in the body of a response, if we signed it. The token in the receipt may belong to another probe. */
export function readReceipt(keys: PathKeys, body: string): PathReceipt | null {
  const [, content = '', mac = ''] = /^([\w-]+)\.([\w-]{43})\s*$/.exec(body) ?? [];
  const given = Buffer.from(mac, 'base64url');
  const isOurs = keys.some((key) => {
    const expected = receiptMac(key, content);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs ? (JSON.parse(Buffer.from(content, 'base64url').toString()) as PathReceipt) : null;
}

function receiptMac(key: Uint8Array, content: string): Buffer {
  return createHmac('sha256', key).update(MAC_LABELS.receipt).update(content).digest();
}

/** Returns the probe's path below `/.well-known/` (RFC 8615), which a proxy may treat differently from the rest of the site. */
export function wellKnownPath(names: ServiceNames, token: string): string {
  return `/.well-known/${names.service_name.toLowerCase()}-path/${token}`;
}

/** Returns the name of a header in the probe's requests and in their responses. A proxy that removes it may remove other headers too. */
export function probeHeader(names: ServiceNames): string {
  return `X-${names.service_name}-Path-Probe`;
}

/** Returns the name of a cookie in the probe's requests and in their responses. */
export const PROBE_COOKIE = 'path-probe';
