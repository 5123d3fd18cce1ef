import { existsSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSignature, signInner } from '../../../service/inner/inner-signature.ts';
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

test('with both rings in the settings, a derived key is valid only while the ring of edges names it', () => {
  const derived = edgeRingOf({ encryptionKeys: ring('k1', 2), edgeKeys: null, dataDir: '' });
  const rotating = { current: 'e1', keys: new Map([...ring('e1', 1).keys, ...derived.keys]) };
  const ringWith = (edgeKeys: typeof rotating) =>
    edgeRingOf({ encryptionKeys: ring('k1', 2), edgeKeys, dataDir: '' });
  expect(ringText(ringWith(rotating))).toMatch(/^e1:[^,]+,derived-k1:[^,]+$/);
  const now = 1_000_000;
  const asked = { method: 'POST', target: '/inner/traffic', body: new Uint8Array() };
  const signed = signInner(derived, asked, now);
  expect(readSignature(ringWith(rotating), signed, asked, now)).not.toBeNull();
  expect(readSignature(ringWith(ring('e1', 1)), signed, asked, now)).toBeNull();
  expect(ringText(ringWith(ring('e1', 1)))).toMatch(/^e1:[^,]+$/);
});
