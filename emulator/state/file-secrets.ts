import { createHash } from 'node:crypto';
import { createSecretBox } from '../../shared/adapters/secret-box.ts';
import type { Random, SecretBox } from '../../shared/ports/system.ts';
import { autocommit, type Store } from '../../shared/store/store.ts';
import { findFact, saveFact } from './emulator-facts.ts';

/** A secret box whose key is stored in the emulator's database file. */
export interface FileSecrets extends SecretBox {
  /**
   * The current key: 32 bytes in base64. Setting another key keeps the earlier keys for decryption, because a request in flight may have
   * read a secret that an earlier key encrypted.
   */
  key: string;
}

/**
 * Creates the secret box of a database file that contains its own key. The encryption protects a copy of a single table, but not a copy of
 * the file.
 */
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

/** Returns the key that encrypts the file's secrets. If the file has no key, creates and stores one. */
export async function fileKey(store: Store, random: Random): Promise<string> {
  const key = (await findFact(store, 'encryption_key')) ?? Buffer.from(random(32)).toString('base64');
  await saveFact(autocommit(store), 'encryption_key', key);
  return key;
}
