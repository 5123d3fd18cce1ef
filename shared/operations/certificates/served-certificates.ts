import { createPrivateKey } from 'node:crypto';
import { type ChallengeMethod, challengeCertificate } from '../../core/certificates/acme-challenge.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { apexOf } from '../../core/domains/hostname.ts';
import { ServiceError } from '../../core/errors.ts';
import type { DomainId } from '../../core/ids.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
import type { CertificateSource, ChallengeSource, ServedCertificate } from '../../ports/certificates.ts';
import type {
  CertificateList,
  CertificateResource,
  ListCertificatesQuery,
} from '../../schema/certificate.ts';
import {
  listPastCertificates,
  type PastCertificate,
  rememberCertificate,
} from '../../store/certificates/certificate-history.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { findKeyAuthorization } from '../../store/certificates/challenges.ts';
import { findDomain } from '../../store/domains/domains.ts';
import { findRoute, findRouteOwner, serveHolder } from '../../store/domains/routes.ts';
import type { Answer, Caller, Context, TxContext } from '../context.ts';
import { makePrivateKey, openCertificateKey } from './certificate-keys.ts';
import { wwwOf } from './wanted-names.ts';

/** Returns the source of the certificates that the edge serves: the newest certificate of the domain to which a name is routed. */
export function certificateSource(context: Context): CertificateSource {
  return {
    async findCertificate(hostname) {
      const apex = apexOf(hostname);
      const own = await routedCertificate(context, hostname, hostname);
      return own ?? (apex === null ? null : routedCertificate(context, apex, hostname));
    },
  };
}

async function routedCertificate(
  context: Context,
  routed: string,
  hostname: string,
): Promise<ServedCertificate | null> {
  const { store, clock } = context;
  const route = await findRoute(store, routed);
  // Until the new holder of the hostname has a certificate, the edge serves the certificate of the former holder.
  for (const domainId of [route?.domain_id, route?.served_id]) {
    const certificate = domainId && (await findNewestCertificate(store, domainId));
    if (!certificate?.names.includes(hostname) || certificate.not_after <= clock.now()) continue;
    const { chain, serial } = certificate;
    return { chain, serial, private_key: openCertificateKey(context, certificate) };
  }
  return null;
}

/**
 * Returns the source of the challenge responses that the edge serves to certificate authorities. Every node can serve the responses of the
 * domain that has the hostname's route.
 */
export function challengeSource(context: Context): ChallengeSource {
  return {
    findKeyAuthorization: (hostname, token) => findAnswer(context, { hostname, token, method: 'http-01' }),
    async findChallengeCertificate(hostname) {
      const found = await findAnswer(context, { hostname, method: 'tls-alpn-01' });
      if (found === null) return null;
      // The authority does not check this key, so each request gets a new key.
      const privateKey = await makePrivateKey();
      const chain = challengeCertificate(hostname, found, createPrivateKey(privateKey), context.clock.now());
      return { chain, private_key: privateKey, serial: `challenge ${found}` };
    },
  };
}

async function findAnswer(
  context: Context,
  asked: { hostname: string; method: ChallengeMethod; token?: string },
): Promise<string | null> {
  const domainId = await findHolder(context, asked.hostname);
  return domainId && findKeyAuthorization(context.store, { ...asked, domain_id: domainId });
}

/** Returns the domain to which a hostname is routed. For the `www.` name of an apex, this may be the domain of the apex. */
export async function findHolder({ store }: Context, hostname: string): Promise<DomainId | null> {
  const apex = apexOf(hostname);
  const own = await findRouteOwner(store, hostname);
  return own ?? (apex === null ? null : findRouteOwner(store, apex));
}

/**
 * Adds a domain's current certificate to the domain's history. From now on, the edge serves this domain at the names of the certificate.
 */
export async function rememberServed(tx: TxContext, domain: Domain): Promise<void> {
  const { certificate, hostname } = domain;
  if (certificate === null) return;
  const { issuer, not_before, not_after } = certificate;
  const stored = await findNewestCertificate(tx.store, domain.id);
  const isStored = stored?.not_before === not_before && stored.not_after === not_after;
  // A domain on the test timer has no certificate of an authority. The emulator's edge creates one for these names.
  const { id, serial, names } = isStored
    ? stored
    : { id: tx.ids('crt'), serial: null, names: [hostname, wwwOf(domain)].filter((name) => name !== null) };
  await serveHolder(tx.store, domain.id, names);
  await rememberCertificate(tx.store, domain.id, {
    id,
    issuer,
    serial,
    names,
    not_before,
    not_after,
    served_from: tx.clock.now(),
  });
}

/** `docs/api.md#domains`: GET /v1/domains/{id}/certificates. */
export async function listCertificates(
  context: Context,
  caller: Caller,
  input: { params: { id: string }; query: ListCertificatesQuery },
): Promise<Answer<CertificateList>> {
  const domain = await findDomain(context.store, caller, input.params.id);
  if (domain === null) throw new ServiceError('not_found');
  const { limit, cursor } = input.query;
  const identity: ListIdentity = [`certificates of ${domain.id}`, caller.app_id, caller.mode];
  const after = cursor === undefined ? null : decodeCursor(identity, cursor);
  // The history is short, so this reads all of it and returns a part. The edge served each certificate until the next one replaced it.
  const all = await listPastCertificates(context.store, domain.id);
  const shown = all.map((past, index) => present(past, all[index - 1]?.served_from ?? null));
  const start = after === null ? 0 : all.findIndex((past) => isAfter(past, after));
  const end = start === -1 ? 0 : start + limit;
  const last = end < all.length ? all[end - 1] : undefined;
  return {
    status: 200,
    body: {
      data: start === -1 ? [] : shown.slice(start, end),
      next_cursor:
        last === undefined ? null : encodeCursor(identity, { created_at: last.served_from, id: last.id }),
    },
  };
}

/** Returns whether a certificate comes after a position in the list, newest first. */
function isAfter({ served_from, id }: PastCertificate, after: { created_at: Instant; id: string }): boolean {
  return served_from < after.created_at || (served_from === after.created_at && id < after.id);
}

function present(
  { serial, not_before, not_after, served_from, ...fields }: PastCertificate,
  servedUntil: Instant | null,
): CertificateResource {
  return {
    id: fields.id,
    issuer: fields.issuer,
    serial_number: serial,
    names: [...fields.names],
    not_before: timestamp(not_before),
    not_after: timestamp(not_after),
    served_from: timestamp(served_from),
    served_until: timestamp(servedUntil),
  };
}
