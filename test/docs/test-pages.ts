import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'vitest';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { installApart } from '../fixtures/install-apart.ts';
import { PAGES, type Page } from './pages.ts';
import { runPage } from './run-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const TIMEOUT_MS = 500_000;

/** Programs from Debian's packages that the samples need. */
const DEBIAN = {
  packages: [
    'caddy',
    'curl',
    'fish',
    'golang-go',
    'iproute2',
    'knot-dnssecutils',
    'nats-server',
    'nginx',
    'php-cli',
    'puma',
    'python3',
    'systemd',
    'ruby',
  ],
  programs: [
    '/usr/bin/unshare',
    ...['caddy', 'curl', 'fish', 'go', 'kzonecheck', 'php', 'puma', 'python3', 'ruby'].map(
      (name) => `/usr/bin/${name}`,
    ),
    '/usr/sbin/ip',
    '/usr/sbin/nats-server',
    '/usr/sbin/nginx',
  ],
};

/** Groups tests that run samples. If a program is missing, the tests are skipped with the reason; if `CI` is set, they fail. */
export function describeSamples(title: string, tests: () => void): void {
  const missing = process.getuid?.() === 0 ? whyMissing(DEBIAN) : 'only root can give a page its own network';
  describeUnlessMissing(missing, title, tests);
}

/** Registers a test for each page of a group. */
export function testPages(group: Page['group']): void {
  const runs = Object.entries(PAGES).flatMap(([name, page]) =>
    page.group === group ? (page.readers ?? ['every tab']).map((tab) => [name, tab] as const) : [],
  );
  describeSamples(`The samples of the ${group} pages`, () => {
    test.concurrent.each(runs)(
      'of %s do what the page says to a reader of %s',
      { timeout: TIMEOUT_MS },
      (page, tab) => runPage(page, tab, foldersOf(PAGES[page]?.packages ?? [])),
    );
  });
}

/** Finds the folders of packages, first in the repository, then in `test/frameworks`. */
export function foldersOf(packages: readonly string[]): Record<string, string> {
  const found = packages.map((name) => {
    const own = path.join(root, 'node_modules', name);
    if (existsSync(own)) return [name, own];
    const apart = installApart(path.join(root, 'test/frameworks'));
    if ('missing' in apart) throw new Error(apart.missing);
    return [name, path.join(apart.folder, 'node_modules', name)];
  });
  return Object.fromEntries(found);
}
