import { REVOCATION_REASONS, type RevocationReason } from '../../../shared/core/certificates/revocation.ts';
import { revokeCertificate } from '../../../shared/operations/operator/revoke-certificate.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

const REASONS = Object.keys(REVOCATION_REASONS) as RevocationReason[];

export const certificatesRevoke: ServiceCommand = {
  description:
    'Revokes the certificate of a domain at its certificate authority, for instance because its key was lost, and orders a new one with a new key. The edge serves the revoked certificate until it has the new one.',
  examples: ['service certificates revoke careers.acme.com --reason key_compromise'],
  args: [{ name: 'hostname', description: 'The hostname or id of the domain' }],
  flags: {
    reason: {
      summary: 'Reason that the authority publishes',
      kind: 'text',
      options: REASONS,
      default: 'unspecified',
    },
  },
  async run(call) {
    const name = call.args['hostname'] ?? '';
    const reason = (call.flags['reason'] ?? 'unspecified') as RevocationReason;
    const revoked = await asOperator(call, ({ context, actor }) =>
      revokeCertificate(context, actor, name, reason),
    );
    return {
      document: { ...revoked, reason },
      view: {
        fields: [
          ['hostname', revoked.hostname],
          ['serial', revoked.serial],
          ['CA', revoked.ca],
          ['reason', reason],
          ['new one ordered', revoked.reordered ? 'yes' : 'no, the record of the domain is not right'],
        ],
      },
    };
  },
};
