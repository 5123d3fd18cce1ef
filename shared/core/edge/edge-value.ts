import { createHash } from 'node:crypto';
import { delegationLabel } from '../certificates/acme-challenge.ts';
import type { DomainMode } from '../domains/status.ts';
import type { AppId, DomainId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import type { KnownRoute, RouteOrigin } from './edge-route.ts';

/**
 * The values that edges serve from (`decisions/0101`). Each value has a key and a version. A value contains each time at which its
 * effect changes, such as the end of the certificate, so an edge needs no new value at that time.
 */

/**
 * The version of a value. The epoch rises when the database loses changes that edges may already have. Within an epoch, each change of a key
 * has a higher number. A number is never used twice for a key, not even after a deletion.
 */
export interface EdgeVersion {
  epoch: number;
  number: number;
}

/** Returns whether a version is newer than another one: by its epoch, and within an epoch by its number. */
export function isNewer(version: EdgeVersion, other: EdgeVersion | null): boolean {
  if (other === null || version.epoch > other.epoch) return true;
  return version.epoch === other.epoch && version.number > other.number;
}

/** A value as edges store it: sealed under the edge's keys, and bound to its key and its version. */
export interface SealedValue extends EdgeVersion {
  key: string;
  /** Null if the value was deleted. */
  value: Uint8Array | null;
}

/** `host.<hostname>`: how the edge serves the hostname of a domain. */
export interface HostValue {
  domain_id: DomainId;
  app_id: AppId;
  mode: DomainMode;
  is_held: boolean;
  /** The validity of the domain's certificate; 0 if the domain has none yet. Without a valid certificate, the hostname has no route. */
  not_before: Instant;
  not_after: Instant;
  origin: string | null;
  origin_headers: Readonly<Record<string, string>> | null;
  /** Whether the `www.` name redirects to this name. */
  redirects_www: boolean;
  /** Null if no authority has issued a certificate, as in the emulator. */
  certificate: HostCertificate | null;
}

/** The certificate of a hostname, with its private key. */
export interface HostCertificate {
  serial: string;
  names: readonly string[];
  not_after: Instant;
  /** The certificate itself in PEM. Its issuers are the value `chain.<issuers>`, which many certificates share. */
  leaf: string;
  issuers: string;
  private_key: string;
}

/** `app.<id>`: what all hostnames of an app share. */
export interface AppValue {
  origin: string | null;
  secret: string;
  /** The secret before the last rotation. It signs requests until `until`, because origins already know it. */
  previous: { secret: string; until: Instant } | null;
  /** Whether the plan includes an origin for each domain: before `changes_at`, and from then on. */
  domain_origins: { before: boolean; changes_at: Instant | null; after: boolean };
}

/** `challenge.<hash>`: the response to an authority's challenge. */
export interface ChallengeValue {
  key_authorization: string;
}

/** `dns.<label>`: the TXT records at a name of the challenge zone, one for each open DNS-01 challenge of a domain. */
export interface DnsValue {
  texts: readonly string[];
}

/** `chain.<hash>`: the certificates of the issuers in PEM, one after the other. */
export interface ChainValue {
  chain: string;
}

/** `hold.<name>`: a hold of a hostname, or of all names below it (`*.name`). */
export type HoldValue = Record<string, never>;

/** `drain.<node>`: an operator has taken the edge machine out of service. */
export type DrainValue = Record<string, never>;

/** The types of values by the first part of their key. */
export interface EdgeValues {
  host: HostValue;
  app: AppValue;
  chain: ChainValue;
  hold: HoldValue;
  challenge: ChallengeValue;
  dns: DnsValue;
  drain: DrainValue;
}

export type EdgeKind = keyof EdgeValues;

/** Returns the key of a value. */
export function edgeKey(kind: EdgeKind, name: string): string {
  return `${kind}.${name}`;
}

/** Returns the two parts of a key. */
export function splitKey(key: string): [kind: string, name: string] {
  const dot = key.indexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)];
}

/** Returns the key of the response to an HTTP-01 challenge at a host. */
export function httpChallengeKey(host: string, token: string): string {
  return edgeKey('challenge', hashOf(`http ${host} ${token}`));
}

/** Returns the key of the response to a TLS-ALPN-01 challenge of a hostname, whose handshake contains no token. */
export function tlsChallengeKey(hostname: string): string {
  return edgeKey('challenge', hashOf(`tls ${hostname}`));
}

/** Returns the key of the texts that answer a domain's DNS-01 challenges, at the label that its customer delegates to. */
export function dnsChallengeKey(domainId: DomainId): string {
  return edgeKey('dns', delegationLabel(domainId));
}

/** Splits a chain into the certificate and its issuers, which have a value of their own. @param chain PEM, leaf first. */
export function splitChain(chain: string): { leaf: string; issuers: string; rest: string } {
  const end = chain.indexOf(LEAF_END) + LEAF_END.length;
  const rest = chain.slice(end);
  return { leaf: chain.slice(0, end), issuers: hashOf(rest), rest };
}

const LEAF_END = '-----END CERTIFICATE-----';

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Returns the route of a hostname at a time. @param app the value of the hostname's app. */
export function routeAt(hostname: string, host: HostValue, app: AppValue, now: Instant): KnownRoute['route'] {
  if (host.is_held) return 'held';
  if (now < host.not_before || now >= host.not_after) return null;
  const { domain_id, app_id, origin_headers, not_after } = host;
  const { previous, domain_origins: own } = app;
  const isOverlapping = previous !== null && now < previous.until;
  const moments = [not_after, previous?.until ?? 0, own.changes_at ?? 0].filter((moment) => moment > now);
  return {
    domain_id,
    app_id,
    hostname,
    origin: originAt(host, app, now),
    origin_headers,
    signing_secret: isOverlapping ? previous.secret : app.secret,
    redirectTo: null,
    until: Math.min(...moments),
  };
}

/**
 * Returns the origin of a route. Ignores the domain's own origin if the plan no longer includes such origins. Only a test domain without an
 * origin gets the sandbox origin.
 */
function originAt({ mode, origin }: HostValue, app: AppValue, now: Instant): RouteOrigin | null {
  if (mode === 'host') return { kind: 'connect' };
  const { before, changes_at: changesAt, after } = app.domain_origins;
  const isIncluded = changesAt === null || now < changesAt ? before : after;
  const url = (isIncluded ? origin : null) ?? app.origin;
  if (url !== null) return { kind: 'app', url };
  return mode === 'test' ? { kind: 'sandbox' } : null;
}
