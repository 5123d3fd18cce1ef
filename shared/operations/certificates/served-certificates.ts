import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
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
import { findDomain } from '../../store/domains/domains.ts';
import { serveHolder } from '../../store/domains/routes.ts';
import type { Answer, Caller, Context, TxContext } from '../context.ts';
import { wwwOf } from './wanted-names.ts';

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
  for (const taken of await serveHolder(tx.store, domain.id, names))
    tx.notices.publish({ kind: 'route', hostname: taken });
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
