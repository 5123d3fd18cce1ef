import type { Domain } from '../../core/domains/domain.ts';
import { rememberCertificate } from '../../store/certificates/certificate-history.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { serveHolder } from '../../store/domains/routes.ts';
import type { TxContext } from '../context.ts';
import { wwwOf } from './wanted-names.ts';

/** Adds the certificate that a domain has now to the domain's history. From now on, the edge serves the domain at its names. */
export async function rememberServed(tx: TxContext, domain: Domain): Promise<void> {
  const { certificate, hostname } = domain;
  if (certificate === null) return;
  const { issuer, not_before, not_after } = certificate;
  const stored = await findNewestCertificate(tx.store, domain.id);
  const isStored = stored?.not_before === not_before && stored.not_after === not_after;
  // A domain on the test timer has no certificate of an authority. The emulator's edge makes one for these names.
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
