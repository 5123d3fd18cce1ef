import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Returns the names of the packages in a list of files. */
function packagesOf(files: Iterable<string>): Set<string> {
  const names = [...files].flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return new Set(names);
}

test('the package contains the license text of every package in its bundles', () => {
  const sections = new Map(
    read('THIRD_PARTY_LICENSES.md')
      .split(/\n## (?=\S+ \d+\.)/)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf(' ')), section]),
  );
  const bundled = packagesOf(JSON.parse(read('node_modules/.cache/nameplate/modules.json')));
  // esbuild names the source file of each part in a comment. These comments are a second source, independent of the build script.
  const commented = readdirSync(path.join(root, 'dist'))
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => read(`dist/${file}`).match(/^\/\/ node_modules\/.*$/gm) ?? []);
  expect(bundled.size).toBeGreaterThan(100);
  for (const name of [...bundled, ...packagesOf(commented), 'react', 'minisearch']) {
    const section = sections.get(name);
    expect(section, name).toMatch(
      /copyright|permission is hereby granted|apache license|blue oak model license/i,
    );
    expect(section?.length, name).toBeGreaterThan(400);
  }
});

test('the tarball contains the licenses', () => {
  expect(JSON.parse(read('package.json')).files).toContain('THIRD_PARTY_LICENSES.md');
});
