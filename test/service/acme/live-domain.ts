import { createPrivateKey } from 'node:crypto';
import { renewsAt } from '../../../shared/core/certificates/certificate.ts';
import { readIssued } from '../../../shared/core/certificates/certificate-chain.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { sealCertificateKey } from '../../../shared/operations/certificates/certificate-keys.ts';
import { type Caller, type Context, transact } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { recordTransition } from '../../../shared/operations/domains/record-transition.ts';
import type { CreateDomain } from '../../../shared/schema/domain.ts';
import { insertCertificate } from '../../../shared/store/certificates/certificates.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import type { ThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';

/** Adds a domain and brings it to `active`, with a certificate of a test CA. */
export async function addActiveDomain(
  context: Context,
  caller: Caller,
  ca: ThrowawayCa,
  body: CreateDomain & { hostname: string },
): Promise<DomainId> {
  const { hostname, apex_redirect } = body;
  const names = apex_redirect === 'www' ? [hostname, `www.${hostname}`] : [hostname];
  const created = await createDomain(context, caller, { body });
  const id = created.body.id as DomainId;
  const { key, cert } = ca.issue(names.map((name) => `DNS:${name}`).join());
  const issued = readIssued(`${cert}${ca.certificate}`, { private_key: createPrivateKey(key), names });
  const { issuer, not_before, not_after, serial } = issued;
  const renewalAt = renewsAt(not_before, not_after);
  await transact(context, async (tx) => {
    const domain = await findDomainById(tx.store, id);
    if (domain === null) throw new Error(`there is no ${id}`);
    const confirmed = await recordTransition(tx, domain, { name: 'dns_confirmed', routed_through: 'target' });
    await insertCertificate(tx.store, {
      ...issued,
      id: tx.ids('crt'),
      domain_id: id,
      ca: 'throwaway',
      ...sealCertificateKey(tx, { domain_id: id, serial }, key),
      renews_at: renewalAt,
      window: null,
      created_at: tx.clock.now(),
    });
    const certificate = { issuer, not_before, not_after, renews_at: renewalAt };
    await recordTransition(tx, confirmed, { name: 'certificate_issued', certificate });
  });
  return id;
}
