import { existsSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { edgeRingOf, keyRings, ringText } from '../../../service/settings/key-rings.ts';

const ring = (id: string, byte: number) => ({
  current: id,
  keys: new Map([[id, new Uint8Array(32).fill(byte)]]),
});
const newFolder = () => mkdtempSync(path.join(os.tmpdir(), 'np-keys-'));

test('with an embedded database, the ring of edges derives from the key file', () => {
  const config = { encryptionKeys: null, edgeKeys: null, dataDir: newFolder() };
  const found = edgeRingOf(config);
  expect(found.current).toBe('derived-file');
  expect(found).toEqual(keyRings(config).edgeKeys);
  expect(found.keys.get('derived-file')).not.toEqual(keyRings(config).keys.keys.get('file'));
});

test('a node outside has only the ring of its settings, and no key file', () => {
  const dataDir = newFolder();
  expect(edgeRingOf({ encryptionKeys: null, edgeKeys: ring('e1', 1), dataDir })).toEqual(ring('e1', 1));
  expect(existsSync(path.join(dataDir, 'encryption.key'))).toBe(false);
});

test('with both rings in the settings, the edge keys seal, and the derived keys still open', () => {
  const config = { encryptionKeys: ring('k1', 2), edgeKeys: ring('e1', 1), dataDir: '' };
  const found = edgeRingOf(config);
  expect([found.current, [...found.keys.keys()].sort()]).toEqual(['e1', ['derived-k1', 'e1']]);
  expect(ringText(found)).toMatch(/^e1:[^,]+,derived-k1:[^,]+$/);
});
