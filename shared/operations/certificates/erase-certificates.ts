import type { DomainId } from '../../core/ids.ts';
import { deleteCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import { deleteCertificates } from '../../store/certificates/certificates.ts';
import { deleteChallenges } from '../../store/certificates/challenges.ts';
import type { Store } from '../../store/store.ts';

/** The TLS keys of a deleted domain are erased (`docs/domains.md`), and with them whatever was under way. */
export async function eraseCertificates(store: Store, domain_id: DomainId): Promise<void> {
  await deleteCertificateOrder(store, domain_id);
  await deleteChallenges(store, domain_id);
  await deleteCertificates(store, domain_id);
}
