import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto';
import type { EdgeVersion } from '../core/edge/edge-value.ts';
import type { KeyRing, Random, ValueBox } from '../ports/system.ts';

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns the box that seals the values of edges with AES-256-GCM. A sealed value has a byte for the format and a byte for the
 * length of the key's id. The id, the nonce (12 bytes), the tag (16 bytes) and the ciphertext follow. The box also authenticates the
 * value's key and version.
 */
export function createValueBox({ current, keys: ring }: KeyRing, random: Random): ValueBox {
  const keys = new Map([...ring].map(([id, bytes]) => [id, createSecretKey(bytes)]));
  const keyOf = (id: string) => {
    const key = keys.get(id);
    if (key === undefined) throw new Error(`There is no edge key "${id}"; add it to NAMEPLATE_EDGE_KEYS`);
    return key;
  };
  const head = Buffer.from([FORMAT, Buffer.byteLength(current), ...Buffer.from(current)]);
  return {
    seal(at, value) {
      const iv = random(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(current), iv).setAAD(bindingOf(at));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([head, iv, cipher.getAuthTag(), sealed]);
    },
    open({ value, ...at }) {
      if (value[0] !== FORMAT) throw new Error(`the value has the unknown format ${value[0]}`);
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
      const [ivAt, tagAt, sealedAt] = placesOf(bytes);
      const key = keyOf(bytes.toString('utf8', 2, ivAt));
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(ivAt, tagAt), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(bindingOf(at))
        .setAuthTag(bytes.subarray(tagAt, sealedAt));
      return JSON.parse(
        decipher.update(bytes.subarray(sealedAt), undefined, 'utf8') + decipher.final('utf8'),
      );
    },
    isCurrent: (value) => head.equals(value.subarray(0, head.length)),
  };
}

function placesOf(bytes: Buffer): [ivAt: number, tagAt: number, sealedAt: number] {
  const ivAt = 2 + (bytes[1] ?? 0);
  return [ivAt, ivAt + IV_BYTES, ivAt + IV_BYTES + TAG_BYTES];
}

function bindingOf({ key, epoch, number }: EdgeVersion & { key: string }): Buffer {
  return Buffer.from(`${key}\n${epoch}\n${number}`);
}
