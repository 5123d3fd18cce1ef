import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { Random } from './random.ts';

/** Secrets at rest: signing secrets, TLS keys and one-time stored bodies. */
export interface SecretBox {
  /** @param bound_to what the secret belongs to; it opens for the same only, so that a row cannot be moved. */
  seal(text: string, bound_to: string): string;
  /** @throws Error where the key is unknown or the text was changed or belongs elsewhere. */
  open(sealed: string, bound_to: string): string;
}

export interface KeyRing {
  /** Seals; every other key still opens. */
  current: string;
  /** 32 bytes each, by key id (letters and digits). */
  keys: ReadonlyMap<string, Uint8Array>;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under the ring's current key: `<key id>.<base64url of iv, tag and ciphertext>`. */
export function createSecretBox(ring: KeyRing, random: Random): SecretBox {
  // A key of bytes would be made a key object for every use, which takes longer than to open a secret.
  const keys = new Map([...ring.keys].map(([id, bytes]) => [id, createSecretKey(bytes)]));
  return {
    seal(text, bound_to) {
      const iv = random(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(keys, ring.current), iv).setAAD(
        Buffer.from(bound_to),
      );
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${ring.current}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    open(sealed, bound_to) {
      const [key_id = '', content = ''] = sealed.split('.');
      const bytes = Buffer.from(content, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keyOf(keys, key_id), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(bound_to))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}

function keyOf(keys: ReadonlyMap<string, KeyObject>, key_id: string): KeyObject {
  const key = keys.get(key_id);
  if (key === undefined) throw new Error(`There is no encryption key "${key_id}"; add it to the key ring`);
  return key;
}
