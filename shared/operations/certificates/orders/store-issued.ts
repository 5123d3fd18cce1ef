import { createPrivateKey } from 'node:crypto';
import { renewsAt } from '../../../core/certificates/certificate.ts';
import { readIssued } from '../../../core/certificates/certificate-chain.ts';
import type { CertificateOrder } from '../../../core/certificates/certificate-order.ts';
import { RENEWAL_FLOOR_MS, renewalFloor } from '../../../core/certificates/renewal-time.ts';
import { isAwaitingDns } from '../../../core/domains/status.ts';
import type { Instant } from '../../../core/instant.ts';
import { insertCertificate, type StoredCertificate } from '../../../store/certificates/certificates.ts';
import { routeEarly } from '../../domains/claim-hostname.ts';
import { orderBinding, sealCertificateKey } from '../certificate-keys.ts';
import { reportOverdue } from '../renewal-due.ts';
import { countIssued } from './authority-limits.ts';
import type { PlacedWork, StepOutcome } from './step-outcome.ts';

/** Fetches the certificate and stores it with its key. From then on the edges serve it. */
export async function storeIssued(
  work: PlacedWork,
  order: CertificateOrder,
  certificateUrl: string,
): Promise<StepOutcome> {
  const { context, authority, account, domain } = work;
  if (order.private_key === null) {
    const found = 'the order was finalized with a key that is not ours';
    return { kind: 'lost', order, problem: { reason: 'ca_unavailable', found, at: null, until: null } };
  }
  const answer = await authority.chain(account, certificateUrl);
  if (!answer.ok) return { kind: 'retry', order, problem: answer.problem };
  await countIssued(context, authority.ca, order.names);
  const pem = context.secrets.open(order.private_key, orderBinding(domain.id));
  const read = readChain(answer.value, pem, order.names, context.clock.now());
  if ('wrong' in read) {
    context.log.error(
      { domain_id: domain.id, ca: order.ca, error: read.wrong },
      'a certificate is not as it was ordered',
    );
    const problem = { reason: 'ca_unavailable', found: read.wrong.message, at: null, until: null } as const;
    return { kind: 'failed', order, problem, about: [] };
  }
  const { issued } = read;
  const now = context.clock.now();
  const dueAt = renewsAt(issued.not_before, issued.not_after);
  if (dueAt <= now) await reportOverdue(context, { domain_id: domain.id, ca: authority.ca.name });
  const certificate: StoredCertificate = {
    ...issued,
    id: context.ids('crt'),
    domain_id: domain.id,
    ca: authority.ca.name,
    ...sealCertificateKey(context, { domain_id: domain.id, serial: issued.serial }, pem),
    // Computed from the certificate's lifetime. Once the certificate is in use, we ask the authority when to renew it (ARI).
    renews_at: Math.max(dueAt, renewalFloor({ ...issued, created_at: now })),
    window: null,
    created_at: now,
  };
  return {
    kind: 'advance',
    order: { ...order, private_key: null, certificate_id: certificate.id },
    async within(tx) {
      await insertCertificate(tx.store, certificate);
      // The edge can serve the hostname before its record is confirmed, because some visitors may already reach the edge.
      if (isAwaitingDns(domain.status)) await routeEarly(tx, domain);
      for (const hostname of issued.names) tx.notices.publish({ kind: 'route', hostname });
    },
  };
}

function readChain(chain: string, pem: string, names: readonly string[], now: Instant) {
  try {
    const issued = readIssued(chain, { private_key: createPrivateKey(pem), names });
    if (issued.not_after <= now + RENEWAL_FLOOR_MS)
      throw new Error('The certificate has ended, or ends within minutes');
    return { issued };
  } catch (wrong) {
    // The chain is untrusted input from the authority, and failed one of the checks above.
    return { wrong: wrong instanceof Error ? wrong : new Error(String(wrong)) };
  }
}
