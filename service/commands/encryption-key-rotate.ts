import { rotateEncryptionKey } from '../../shared/operations/operator/rotate-encryption-key.ts';
import type { ServiceCommand } from '../command.ts';
import { asOperator } from './operator/operator.ts';

export const encryptionKeyRotate: ServiceCommand = {
  description:
    'Re-encrypts every stored secret with the first key of NAMEPLATE_ENCRYPTION_KEYS, so that you can remove the other keys. Before you run it, put the new key first on every node, as the deployment guide describes. If it is interrupted, run it again to continue.',
  examples: ['service encryption-key rotate', 'service encryption-key rotate --json'],
  async run(call) {
    const { key_id, apps, answers, tlsKeys } = await asOperator(
      call,
      async ({ context, actor, encryptionKeyId }) => ({
        key_id: encryptionKeyId,
        ...(await rotateEncryptionKey(context, actor, encryptionKeyId)),
      }),
    );
    return {
      document: { key_id, apps, answers, tlsKeys },
      view: {
        fields: [
          ['key', key_id],
          ['apps re-encrypted', apps],
          ['stored responses re-encrypted', answers],
          ['certificate and account keys re-encrypted', tlsKeys],
        ],
      },
      after: [
        'Once every node has this key first, you can remove the other keys from NAMEPLATE_ENCRYPTION_KEYS.',
      ],
    };
  },
};
