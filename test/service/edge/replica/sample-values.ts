import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { openReplica, type Replica } from '../../../../service/edge/replica/replica.ts';
import { replicaFile } from '../../../../service/edge/replica/replica-file.ts';
import { systemRandom } from '../../../../shared/adapters/system.ts';
import { createValueBox } from '../../../../shared/adapters/value-box.ts';
import type { AppValue, HostValue, SealedValue } from '../../../../shared/core/edge/edge-value.ts';
import type { AppId, DomainId } from '../../../../shared/core/ids.ts';

/** Values as a node publishes them, for tests of a machine's replica. */

export const HOST = 'careers.acme.com';
export const OTHER = 'jobs.acme.com';

/** A certificate of `HOST`. */
export const CERTIFICATE = {
  serial: '01',
  names: [HOST],
  not_after: Number.MAX_SAFE_INTEGER,
  leaf: 'leaf',
  issuers: 'i',
  private_key: 'a private key',
};

export function ringOf(id: string, byte: number) {
  return { current: id, keys: new Map([[id, new Uint8Array(32).fill(byte)]]) };
}

export const BOX = createValueBox(ringOf('e1', 1), systemRandom);

export const APP_ID = 'app_acme' as AppId;

export function hostValue(more: Partial<HostValue> = {}): HostValue {
  return {
    domain_id: 'dom_acme' as DomainId,
    app_id: APP_ID,
    mode: 'live',
    is_held: false,
    not_before: 0,
    not_after: Number.MAX_SAFE_INTEGER,
    origin: null,
    origin_headers: null,
    redirects_www: false,
    certificate: null,
    ...more,
  };
}

export function appValue(origin: string | null, more: Partial<AppValue> = {}): AppValue {
  return {
    origin,
    secret: 'whsec_one',
    previous: null,
    domain_origins: { before: true, changes_at: null, after: true },
    ...more,
  };
}

/** Seals a value for a version. @param value null for a deleted value. */
export function sealed(
  key: string,
  value: object | null,
  [epoch, number]: readonly [epoch: number, number: number] = [1, 1],
  box = BOX,
): SealedValue {
  const at = { key, epoch, number };
  return { ...at, value: value && box.seal(at, value) };
}

/** Creates a folder that is deleted when the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'nameplate-replica-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Opens a replica until the test ends. */
export function replicaIn(folder = newFolder()): Replica & { folder: string } {
  const replica = openReplica(folder);
  onTestFinished(() => {
    try {
      replica.close();
    } catch {
      // The test has closed it.
    }
  });
  return { ...replica, folder };
}

/** Changes a replica's file with SQL over a separate connection. */
export function tamper(folder: string, sql: string, ...values: (string | number | Uint8Array)[]): void {
  const database = new DatabaseSync(replicaFile(folder), { timeout: 1_000 });
  try {
    database.prepare(sql).run(...values);
  } finally {
    database.close();
  }
}

/** Returns a value as text, for values that a test sealed with `text`. */
export function textOf(replica: Replica, key: string): unknown {
  const found = replica.find(key);
  return found === null ? null : (BOX.open(found) as { text?: unknown }).text;
}
