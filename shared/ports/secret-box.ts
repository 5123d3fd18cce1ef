import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { Random } from './random.ts';

/** Encrypts secrets at rest: signing secrets, TLS keys and stored response bodies. */
export interface SecretBox {
  /**
   * Seals a text. @param bound_to identifies the owner. The text opens only with the same value, so that it cannot be moved to another row.
   */
  seal(text: string, bound_to: string): string;
  /** Opens a sealed text. @throws Error if the key is unknown, or if the text was changed or belongs to another owner. */
  open(sealed: string, bound_to: string): string;
}

export interface KeyRing {
  /** The id of the key that seals. Every other key still opens. */
  current: string;
  /** 32 bytes each, by key id (letters and digits). */
  keys: ReadonlyMap<string, Uint8Array>;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Returns a secret box that uses AES-256-GCM with the ring's current key. Format: `<key id>.<base64url of iv, tag and ciphertext>`. */
export function createSecretBox(ring: KeyRing, random: Random): SecretBox {
  // Key objects are created once. Creating one for each use takes longer than opening a secret.
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
