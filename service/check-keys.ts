import { sealedFor } from '../shared/operations/signing-secrets.ts';
import type { SecretBox } from '../shared/ports/secret-box.ts';
import { findAppSealedUnder } from '../shared/store/sealed.ts';
import type { Store } from '../shared/store/store.ts';
import type { EncryptionKeys } from './setting-kinds.ts';

/**
 * Opens one stored secret under each key. A node with other bytes under a known id would seal what no other node could open.
 * @throws Error that names the key.
 */
export async function checkKeys(store: Store, { keys }: EncryptionKeys, secrets: SecretBox): Promise<void> {
  for (const id of keys.keys()) {
    const app = await findAppSealedUnder(store, id);
    if (app === null) continue;
    try {
      secrets.open(app.signing_secret, sealedFor(app.id));
    } catch (cause) {
      const message = `The encryption key "${id}" is not the one that the signing secret of ${app.id} was sealed with: mend NAMEPLATE_ENCRYPTION_KEYS`;
      throw new Error(message, { cause });
    }
  }
}
