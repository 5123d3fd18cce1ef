import { expect, test } from 'vitest';
import type { CertificateId, DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { LIMITS } from '../../../shared/core/limits.ts';
import {
  deletePastCertificates,
  listPastCertificates,
  type PastCertificate,
  rememberCertificate,
} from '../../../shared/store/certificates/certificate-history.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

const MAX = LIMITS.certificates_per_domain_max;

export function certificateHistoryTests(store: () => Tx): void {
  const past = (at: number, fields: Partial<PastCertificate> = {}): PastCertificate => ({
    id: newId('crt') as CertificateId,
    issuer: 'Test CA',
    serial: null,
    names: ['acme.com', 'www.acme.com'],
    not_before: at,
    not_after: at + 90 * DAY_MS,
    served_from: at,
    ...fields,
  });
  const domain = () => newId('dom') as DomainId;

  test('lists the certificates of a domain newest first, with what each one was', async () => {
    const [id, other] = [domain(), domain()];
    const [first, second] = [past(NOW), past(NOW + 1, { serial: '0a' })];
    await rememberCertificate(store(), id, first);
    await rememberCertificate(store(), id, second);
    await rememberCertificate(store(), other, past(NOW));
    expect(await listPastCertificates(store(), id)).toEqual([second, first]);
  });

  test('does not repeat a certificate that is served again', async () => {
    const id = domain();
    const certificate = past(NOW, { serial: '0a' });
    await rememberCertificate(store(), id, certificate);
    const again = { ...certificate, id: newId('crt') as CertificateId, served_from: NOW + 5 };
    await rememberCertificate(store(), id, again);
    expect(await listPastCertificates(store(), id)).toEqual([certificate]);
  });

  test('keeps the newest certificates of a domain, and no more than its limit', async () => {
    const id = domain();
    for (let n = 0; n < MAX + 2; n++) await rememberCertificate(store(), id, past(NOW + n));
    const kept = (await listPastCertificates(store(), id)).map(({ served_from }) => served_from - NOW);
    expect(kept).toEqual(Array.from({ length: MAX }, (_, n) => MAX + 1 - n));
  });

  test('deletes the history of one domain', async () => {
    const [id, other] = [domain(), domain()];
    for (const each of [id, other]) await rememberCertificate(store(), each, past(NOW));
    await deletePastCertificates(store(), id);
    expect(await listPastCertificates(store(), id)).toEqual([]);
    expect(await listPastCertificates(store(), other)).toHaveLength(1);
  });
}
