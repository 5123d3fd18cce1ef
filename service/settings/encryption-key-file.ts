import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EncryptionKeys } from './setting-kinds.ts';

/**
 * Reads the key file that goes with an embedded database, and creates it if needed, readable only by its owner. Production deployments set
 * their own keys.
 */
export function readKeyFile(dataDir: string): EncryptionKeys {
  const file = path.join(dataDir, 'encryption.key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new Error(`${file} does not hold a key of 32 bytes in base64`);
  return { current: 'file', keys: new Map([['file', key]]) };
}
