import { timestamp } from '../../../shared/core/instant.ts';
import { reissueCertificate } from '../../../shared/operations/operator/certificates.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

export const certificatesReissue: ServiceCommand = {
  description:
    'Replaces the certificate of a live domain now, with a new key, even if it is far from expiry. The edge serves the old certificate until it has confirmed the new one. A failure changes nothing.',
  examples: ['service certificates reissue careers.acme.com'],
  args: [{ name: 'hostname', description: 'The hostname or id of the domain' }],
  async run(call) {
    const hostname = call.args['hostname'] ?? '';
    const dueAt = timestamp(
      await asOperator(call, ({ context, actor }) => reissueCertificate(context, actor, hostname)),
    );
    return {
      document: { hostname, due_at: dueAt },
      view: {
        fields: [
          ['hostname', hostname],
          ['due at', dueAt],
        ],
      },
    };
  },
};
