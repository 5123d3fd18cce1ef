import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
const headings = (level: string) =>
  [...changelog.matchAll(new RegExp(`^${level} (.+)$`, 'gm'))].map(([, title = '']) => title);

test('the changelog begins with the unreleased changes, and then has each version with its date', () => {
  const [unreleased, ...versions] = headings('##');
  expect(unreleased).toBe('Unreleased');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(versions[0]?.startsWith(`${version} - `)).toBe(true);
  for (const each of versions) expect(each).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
});

test('the changelog groups its lines by the kinds of Keep a Changelog', () => {
  const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [before = '', ...parts] = section.split(/^### /m);
    expect(before).not.toContain('\n- ');
    const found = parts.map((part) => part.split('\n', 1)[0] ?? '');
    expect(found).toEqual(kinds.filter((kind) => found.includes(kind)));
    expect(found.length).toBeGreaterThan(0);
  }
});
