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

/**
 * Returns the key rings of a node with a database. Without encryption keys in the settings, the key is in the data folder of the embedded
 * database.
 */
export function keyRings({
  encryptionKeys,
  edgeKeys,
  dataDir,
}: Pick<ServiceConfig, 'encryptionKeys' | 'edgeKeys' | 'dataDir'>): KeyRings {
  const keys = encryptionKeys ?? readKeyFile(dataDir);
  // A setting replaces the derived keys. Otherwise an operator could not withdraw a derived key that an attacker has.
  return { keys, edgeKeys: edgeKeys ?? derivedRing(keys) };
}

/** Returns the ring that seals the values of edges. Without encryption keys, only the settings have one. */
export function edgeRingOf(
  config: Pick<ServiceConfig, 'encryptionKeys' | 'edgeKeys' | 'dataDir'>,
): EncryptionKeys {
  const { edgeKeys, encryptionKeys } = config;
  return edgeKeys !== null && encryptionKeys === null ? edgeKeys : keyRings(config).edgeKeys;
}

/** Returns whether a node has a source of the values of edges, and keys to open them. */
export function canFollow({ databaseUrl, edgeSource, edgeKeys, encryptionKeys }: ServiceConfig): boolean {
  return (databaseUrl !== null || edgeSource === 'nats') && (edgeKeys ?? encryptionKeys) !== null;
}

/** Returns a ring in the form of its setting, with the current key first. */
export function ringText({ current, keys }: EncryptionKeys): string {
  const ids = [current, ...[...keys.keys()].filter((id) => id !== current)];
  return ids.map((id) => `${id}:${Buffer.from(keys.get(id) ?? []).toString('base64')}`).join(',');
}

/** Derives the keys of edges from the encryption keys, which edges then never need. An encryption key cannot be computed from them. */
function derivedRing({ current, keys }: EncryptionKeys): EncryptionKeys {
  const derive = (key: Uint8Array) => new Uint8Array(hkdfSync('sha256', key, '', 'edge-values', 32));
  const idOf = (id: string) => `derived-${id}`;
  return { current: idOf(current), keys: new Map([...keys].map(([id, key]) => [idOf(id), derive(key)])) };
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
