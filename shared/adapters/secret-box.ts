import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { KeyRing, Random, SecretBox } from '../ports/system.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The key id in texts that a box from `withKey` has sealed. */
const DATA_KEY_ID = 'd';

/** Returns a secret box that uses AES-256-GCM with the ring's current key. Format: `<key id>.<base64url of iv, tag and ciphertext>`. */
export function createSecretBox(ring: KeyRing, random: Random): SecretBox {
  // Key objects are created only once, because creating a key object takes longer than opening a secret.
  const keys = new Map([...ring.keys].map(([id, bytes]) => [id, createSecretKey(bytes)]));
  return {
    seal(text, boundTo) {
      const iv = random(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(keys, ring.current), iv).setAAD(
        Buffer.from(boundTo),
      );
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${ring.current}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    open(sealed, boundTo) {
      const [keyId = '', content = ''] = sealed.split('.');
      const bytes = Buffer.from(content, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keyOf(keys, keyId), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    withKey: (key) => createSecretBox({ current: DATA_KEY_ID, keys: new Map([[DATA_KEY_ID, key]]) }, random),
  };
}

function keyOf(keys: ReadonlyMap<string, KeyObject>, keyId: string): KeyObject {
  const key = keys.get(keyId);
  if (key === undefined) throw new Error(`There is no encryption key "${keyId}"; add it to the key ring`);
  return key;
}
