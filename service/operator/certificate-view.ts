import type { OrderStep } from '../../shared/core/certificates/certificate-order.ts';
import type { Domain } from '../../shared/core/domains/domain.ts';
import { timestamp } from '../../shared/core/instant.ts';
import type { CertificateState } from '../../shared/operations/operator/certificates.ts';

/** As on the wire: times in RFC 3339. */
export function certificateDocument({ domain, routed, certificate, order, next_at }: CertificateState) {
  const { id: domain_id, app_id, hostname, status, status_reason, status_since } = domain;
  return {
    domain_id,
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
    order: order && { ...order, problem: order.problem?.reason ?? null },
    next_at: next_at === null ? null : timestamp(next_at),
  };
}

/** What there is, for a person: most of it comes with an order. @param has_authorities whether the node can ask any. */
export function certificateFields(
  state: CertificateState,
  has_authorities: boolean,
): [name: string, value: unknown][] {
  const each = certificateDocument(state);
  const { certificate, order } = each;
  const fields: [name: string, value: unknown][] = [
    ['certificate', certificate === null ? notOrdered(state, has_authorities) : null],
    ['domain', each.domain_id],
    ['app', each.app_id],
    ['hostname', each.hostname],
    ['status', each.status],
    ['since', each.status_since],
    ['status reason', each.status_reason],
    ['has the route', each.routed ? 'yes' : 'no'],
    ['names', certificate?.names.join(', ')],
    ['CA', certificate?.ca],
    ['issuer', certificate?.issuer],
    ['serial', certificate?.serial],
    ['not before', certificate?.not_before],
    ['not after', certificate?.not_after],
    ['renews at', certificate?.renews_at],
    ['order of', order?.names.join(', ')],
    ['order at', order?.ca],
    ['next step of it', order && NEXT_STEPS[order.next_step]],
    ['failures in a row', order?.failures],
    ['last problem', order?.problem],
    ['goes on at', each.next_at],
  ];
  return fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
}

const NEXT_STEPS: Readonly<Record<OrderStep, string>> = {
  await_check: 'a DNS check that finds the record right',
  choose: 'choose an authority',
  place: 'place the order',
  look: 'look how it goes at the authority',
  prove: 'see the certificate at the edge',
};

/** @returns why there is no order at an authority; null where there is one. */
function notOrdered({ domain, order }: CertificateState, has_authorities: boolean): string | null {
  if (order !== null && order.order_url !== null) return null;
  const reason = domain.status_reason === null ? '' : ` (${domain.status_reason})`;
  return `Nothing is ordered yet: ${whyNot(domain, order, has_authorities)}${reason}`;
}

function whyNot(
  { mode, status }: Domain,
  order: CertificateState['order'],
  has_authorities: boolean,
): string {
  if (mode === 'test') return 'no authority is asked for a test domain';
  if (status === 'held') return 'the hostname is held';
  if (status === 'expired') return 'its DNS was not set in time';
  if (status !== 'issuing' && status !== 'cert_failed') return 'it waits for its DNS';
  if (!has_authorities) return 'NAMEPLATE_CAS is not set';
  if (status === 'cert_failed') return 'the last attempt failed, and is made again';
  return order?.next_step === 'await_check' ? `it waits for ${NEXT_STEPS.await_check}` : 'its turn comes';
}
