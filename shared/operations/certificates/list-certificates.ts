import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
import type {
  CertificateList,
  CertificateResource,
  ListCertificatesQuery,
} from '../../schema/certificate.ts';
import { listPastCertificates, type PastCertificate } from '../../store/certificates/certificate-history.ts';
import { findDomain } from '../../store/domains/domains.ts';
import type { Answer, Caller, Context } from '../context.ts';

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
  // The history is short, so that a page can be cut from all of it. The end of each certificate is the start of the next.
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
