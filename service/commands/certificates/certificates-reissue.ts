import { timestamp } from '../../../shared/core/instant.ts';
import { reissueCertificate } from '../../../shared/operations/operator/certificates.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

export const certificatesReissue: ServiceCommand = {
  description:
    'Has the certificate of a live domain replaced now, with a new key, whatever is left of it. The old one is served until the new one is proven; a failure changes nothing.',
  examples: ['service certificates reissue careers.acme.com'],
  args: [{ name: 'hostname', description: 'The hostname, or the id of the domain' }],
  async run(call) {
    const hostname = call.args['hostname'] ?? '';
    const due_at = timestamp(
      await asOperator(call, ({ context, actor }) => reissueCertificate(context, actor, hostname)),
    );
    return {
      document: { hostname, due_at },
      view: {
        fields: [
          ['hostname', hostname],
          ['due at', due_at],
        ],
      },
    };
  },
};
