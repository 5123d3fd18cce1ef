import type { OrderStep } from '../../../shared/core/certificates/certificate-order.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { timestamp } from '../../../shared/core/instant.ts';
import type { CertificateState } from '../../../shared/operations/operator/certificates.ts';

/** Returns the certificate state as JSON, with times in RFC 3339. */
export function certificateDocument({ domain, routed, certificate, order, next_at }: CertificateState) {
  const { id: domainId, app_id, hostname, status, status_reason, status_since } = domain;
  return {
    domain_id: domainId,
    app_id,
    hostname,
    status,
    status_reason,
    status_since: timestamp(status_since),
    routed,
    certificate: certificate && {
      names: certificate.names,
      ca: certificate.ca,
      issuer: certificate.issuer,
      serial: certificate.serial,
      not_before: timestamp(certificate.not_before),
      not_after: timestamp(certificate.not_after),
      renews_at: timestamp(certificate.renews_at),
    },
    order: order && { ...order, problem: order.problem?.reason ?? null, found: order.problem?.found ?? null },
    next_at: next_at === null ? null : timestamp(next_at),
  };
}

/** Returns the fields with a value, formatted for people. @param hasAuthorities whether the node has any certificate authority. */
export function certificateFields(
  state: CertificateState,
  hasAuthorities: boolean,
): [name: string, value: unknown][] {
  const each = certificateDocument(state);
  const { certificate, order } = each;
  const fields: [name: string, value: unknown][] = [
    ['certificate', certificate === null ? notOrdered(state, hasAuthorities) : null],
    ['domain', each.domain_id],
    ['app', each.app_id],
    ['hostname', each.hostname],
    ['status', each.status],
    ['since', each.status_since],
    ['status reason', each.status_reason],
    ['receives traffic', each.routed ? 'yes' : 'no'],
    ['names', certificate?.names.join(', ')],
    ['CA', certificate?.ca],
    ['issuer', certificate?.issuer],
    ['serial', certificate?.serial],
    ['not before', certificate?.not_before],
    ['not after', certificate?.not_after],
    ['renews at', certificate?.renews_at],
    ['order for', order?.names.join(', ')],
    ['order at', order?.ca],
    ['next step', order && NEXT_STEPS[order.next_step]],
    ['consecutive failures', order?.failures],
    ['last problem', order?.problem],
    ['found', order?.found],
    ['next attempt at', each.next_at],
  ];
  return fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
}

const NEXT_STEPS: Readonly<Record<OrderStep, string>> = {
  await_check: 'wait for a successful DNS check',
  choose: 'choose a certificate authority',
  place: 'place the order',
  look: 'check the order at the authority',
  prove: 'confirm the certificate at the edge',
};

/** Returns the reason why there is no order at a CA, or null if there is an order. */
function notOrdered({ domain, order }: CertificateState, hasAuthorities: boolean): string | null {
  if (order !== null && order.order_url !== null) return null;
  const reason = domain.status_reason === null ? '' : ` (${domain.status_reason})`;
  return `Not ordered yet: ${whyNot(domain, order, hasAuthorities)}${reason}`;
}

function whyNot({ mode, status }: Domain, order: CertificateState['order'], hasAuthorities: boolean): string {
  if (mode === 'test') return 'test domains get no certificate';
  if (status === 'held') return 'the hostname is held';
  if (status === 'expired') return 'its DNS was not set up in time';
  if (status !== 'issuing' && status !== 'cert_failed') return 'waiting for its DNS';
  if (!hasAuthorities) return 'NAMEPLATE_CAS is not set';
  if (status === 'cert_failed') return 'the last attempt failed; it will be retried';
  return order?.next_step === 'await_check' ? 'waiting for a successful DNS check' : 'waiting for its turn';
}
