import { timestamp } from '../../shared/core/instant.ts';
import { type CertificateState, showCertificates } from '../../shared/operations/operator/certificates.ts';
import type { ServiceCommand } from '../command.ts';
import { asOperator } from '../operator.ts';

export const certificatesShow: ServiceCommand = {
  description:
    'Shows how each live domain of a hostname stands, whichever its app, the one that is routed first: its status, its certificate, and the order that is under way for it.',
  examples: [
    'service certificates show careers.acme.com',
    'service certificates show careers.acme.com --json',
  ],
  args: [{ name: 'hostname', description: 'The hostname, or the id of a domain' }],
  async run(call) {
    const states = await asOperator(call, ({ context }) =>
      showCertificates(context, call.args['hostname'] ?? ''),
    );
    const data = states.map(documentOf);
    return { document: { data }, view: { fields: data.flatMap(fieldsOf) } };
  },
};

function documentOf({ domain, routed, certificate, order, next_at }: CertificateState) {
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

function fieldsOf(each: ReturnType<typeof documentOf>): (readonly [name: string, value: unknown])[] {
  const { certificate, order } = each;
  return [
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
    ['next step of it', order?.next_step],
    ['failures in a row', order?.failures],
    ['last problem', order?.problem],
    ['goes on at', each.next_at],
  ];
}
