import type { DomainId } from '../../core/ids.ts';
import { deleteCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import { deleteCertificates } from '../../store/certificates/certificates.ts';
import { deleteChallenges } from '../../store/certificates/challenges.ts';
import type { Store } from '../../store/store.ts';

/** Erases the TLS keys of a deleted domain, and its unfinished order (`docs/domains.md`). */
export async function eraseCertificates(store: Store, domainId: DomainId): Promise<void> {
  await deleteCertificateOrder(store, domainId);
  await deleteChallenges(store, domainId);
  await deleteCertificates(store, domainId);
}
