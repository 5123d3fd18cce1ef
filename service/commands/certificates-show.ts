import { timestamp } from '../../shared/core/instant.ts';
import { showCertificate } from '../../shared/operations/operator/certificates.ts';
import type { ServiceCommand } from '../command.ts';
import { asOperator } from '../operator.ts';

export const certificatesShow: ServiceCommand = {
  description:
    'Shows the certificate of a domain, and the order that is under way for it: by its hostname, or by the id of the domain.',
  examples: [
    'service certificates show careers.acme.com',
    'service certificates show careers.acme.com --json',
  ],
  args: [{ name: 'hostname', description: 'The hostname, or the id of the domain' }],
  async run(call) {
    const { domain, certificate, order } = await asOperator(call, ({ context }) =>
      showCertificate(context, call.args['hostname'] ?? ''),
    );
    const shown = certificate && {
      names: certificate.names,
      ca: certificate.ca,
      issuer: certificate.issuer,
      serial: certificate.serial,
      not_before: timestamp(certificate.not_before),
      not_after: timestamp(certificate.not_after),
      renews_at: timestamp(certificate.renews_at),
    };
    const { id: domain_id, hostname, status, status_reason } = domain;
    return {
      document: { domain_id, hostname, status, status_reason, certificate: shown, order },
      view: {
        fields: [
          ['domain', domain_id],
          ['hostname', hostname],
          ['status', status],
          ['status reason', status_reason],
          ['names', shown?.names.join(', ')],
          ['CA', shown?.ca],
          ['issuer', shown?.issuer],
          ['serial', shown?.serial],
          ['not before', shown?.not_before],
          ['not after', shown?.not_after],
          ['renews at', shown?.renews_at],
          ['order at', order?.ca],
          ['next step of it', order?.next_step],
          ['failures in a row', order?.failures],
        ],
      },
    };
  },
};
