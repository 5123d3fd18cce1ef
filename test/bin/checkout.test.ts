import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

test('npm prints no engine warning in a checkout, because npm ci installs the Node that the packages need', () => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; engines?: { node?: string } }>;
  };
  expect(packages['node_modules/node']?.version).toMatch(/^24\./);
  const newer = Object.values(packages).filter(({ engines }) => engines?.node?.match(/^(?:>=|\^) ?2[2-9]/));
  expect(newer.length).toBeGreaterThan(0);
  expect(readFileSync(path.join(root, '.npmrc'), 'utf8')).toMatch(/^loglevel=error$/m);
});
