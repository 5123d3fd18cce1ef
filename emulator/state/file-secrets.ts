import { createHash } from 'node:crypto';
import type { Random } from '../../shared/ports/random.ts';
import { createSecretBox, type SecretBox } from '../../shared/ports/secret-box.ts';
import type { Store } from '../../shared/store/store.ts';
import { findFact, keepFact } from './emulator-facts.ts';

/** The box of the key that stands in the emulator's file. */
export interface FileSecrets extends SecretBox {
  /** 32 bytes in base64, in use from now on. What the keys of before sealed still opens: a request under way may have read it. */
  key: string;
}

/** The key stands in the file that it guards: what is sealed there is safe from a copy of a table, not of the file. */
export function createFileSecrets(key: string, random: Random): FileSecrets {
  const keys = new Map<string, Uint8Array>();
  let current = key;
  let box = boxOf(key);

  /** The key's id is made of it: the files that an import joins never use one id for two keys. */
  function boxOf(text: string): SecretBox {
    const bytes = Buffer.from(text, 'base64');
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    keys.set(id, bytes);
    return createSecretBox({ current: id, keys }, random);
  }

  return {
    seal: (text, bound_to) => box.seal(text, bound_to),
    open: (sealed, bound_to) => box.open(sealed, bound_to),
    get key() {
      return current;
    },
    set key(next) {
      box = boxOf(next);
      current = next;
    },
  };
}

/** The key that the file's secrets are sealed with, made where it has none yet. */
export async function fileKey(store: Store, random: Random): Promise<string> {
  const key = (await findFact(store, 'encryption_key')) ?? Buffer.from(random(32)).toString('base64');
  await keepFact(store, 'encryption_key', key);
  return key;
}
