import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceConfig } from '../config.ts';
import type { EncryptionKeys } from './setting-kinds.ts';

/** The two key rings of a deployment. */
export interface KeyRings {
  /** Encrypts the secrets in the database. */
  keys: EncryptionKeys;
  /** Seals the values from which edges serve. */
  edgeKeys: EncryptionKeys;
}

/** Returns the key rings of the settings. Without encryption keys, they are in the data folder of the embedded database. */
export function keyRings({
  encryptionKeys,
  dataDir,
}: Pick<ServiceConfig, 'encryptionKeys' | 'dataDir'>): KeyRings {
  const keys = encryptionKeys ?? readKeyFile(dataDir);
  return { keys, edgeKeys: edgeKeysOf(keys) };
}

/** Derives the keys of edges from the encryption keys, which edges then never use. */
function edgeKeysOf({ current, keys }: EncryptionKeys): EncryptionKeys {
  const derive = (key: Uint8Array) => new Uint8Array(hkdfSync('sha256', key, '', 'edge-values', 32));
  return { current, keys: new Map([...keys].map(([id, key]) => [id, derive(key)])) };
}

/**
 * Reads the key file of an embedded database. Creates the file if needed, readable only by its owner. Production deployments set their own
 * keys.
 */
function readKeyFile(dataDir: string): EncryptionKeys {
  const file = path.join(dataDir, 'encryption.key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new Error(`${file} does not hold a key of 32 bytes in base64`);
  return { current: 'file', keys: new Map([['file', key]]) };
}
