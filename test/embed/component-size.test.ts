import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleBrowserScripts } from '../../bin/browser-script.ts';

const KB = 1024;

test('the component nameplate-connect is at most 15 KB gzipped, and imports no other module', async () => {
  const root = path.resolve(import.meta.dirname, '../..');
  await bundleBrowserScripts(root);
  const code = readFileSync(path.join(root, 'dist/connect.js'));
  expect(gzipSync(code).length).toBeLessThanOrEqual(15 * KB);
  expect(code.toString()).not.toMatch(/\bfrom\s*"/);
});
