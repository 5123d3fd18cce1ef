import { rotateEncryptionKey } from '../../shared/operations/operator/rotate-encryption-key.ts';
import type { ServiceCommand } from '../command.ts';
import { asOperator } from '../operator/operator.ts';

export const encryptionKeyRotate: ServiceCommand = {
  description:
    'Seals every stored secret under the first key of NAMEPLATE_ENCRYPTION_KEYS, so that the others can be taken out of it. Every node must have the new key before, and have it first when this is run: see the guide on deploying. It can be run again, and goes on where it was stopped.',
  examples: ['service encryption-key rotate', 'service encryption-key rotate --json'],
  async run(call) {
    const { key_id, apps, answers, tls_keys } = await asOperator(
      call,
      async ({ context, actor, encryption_key_id }) => ({
        key_id: encryption_key_id,
        ...(await rotateEncryptionKey(context, actor, encryption_key_id)),
      }),
    );
    return {
      document: { key_id, apps, answers, tls_keys },
      view: {
        fields: [
          ['key', key_id],
          ['apps sealed again', apps],
          ['stored answers sealed again', answers],
          ['keys of certificates and accounts sealed again', tls_keys],
        ],
      },
      after: [
        'The other keys can be taken out of NAMEPLATE_ENCRYPTION_KEYS once every node seals with this one.',
      ],
    };
  },
};
