import { createHash } from 'node:crypto';
import { createSecretBox } from '../../shared/adapters/secret-box.ts';
import type { Random, SecretBox } from '../../shared/ports/system.ts';
import { autocommit, type Store } from '../../shared/store/store.ts';
import { findFact, saveFact } from './emulator-facts.ts';

/** A secret box whose key is stored in the emulator's file. */
export interface FileSecrets extends SecretBox {
  /**
   * 32 bytes in base64. A key that is set becomes the current one. Earlier keys still open the secrets that they sealed, because a request in flight may have read one.
   */
  key: string;
}

/** Creates the secret box of a file that contains its own key. Sealing protects a copy of one table, but not a copy of the file. */
export function createFileSecrets(key: string, random: Random): FileSecrets {
  const keys = new Map<string, Uint8Array>();
  let current = key;
  let box = boxOf(key);

  /** Derives the key's id from the key, so that two files never share an id for different keys after an import. */
  function boxOf(text: string): SecretBox {
    const bytes = Buffer.from(text, 'base64');
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    keys.set(id, bytes);
    return createSecretBox({ current: id, keys }, random);
  }

  return {
    seal: (text, boundTo) => box.seal(text, boundTo),
    open: (sealed, boundTo) => box.open(sealed, boundTo),
    withKey: (bytes) => box.withKey(bytes),
    get key() {
      return current;
    },
    set key(next) {
      box = boxOf(next);
      current = next;
    },
  };
}

/** Returns the key that seals the file's secrets. Creates and stores it if the file has none. */
export async function fileKey(store: Store, random: Random): Promise<string> {
  const key = (await findFact(store, 'encryption_key')) ?? Buffer.from(random(32)).toString('base64');
  await saveFact(autocommit(store), 'encryption_key', key);
  return key;
}
