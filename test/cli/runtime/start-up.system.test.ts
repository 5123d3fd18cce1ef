import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyHome, runBin, startBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor } from '../run-cli.ts';

/** Modules that a plain command must not load. Each takes longer to load than all other modules of such a command together. */
const SLOW = ['internal/deps/undici', 'sqlite', 'NativeModule tls'];

test('a plain command loads neither the global fetch nor TLS, SQLite or the emulator', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
  const report = "process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)))";
  const env = {
    ...emptyHome(),
    ...keyFor(api.url),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}`,
  };
  const { exit, stdout, stderr } = await runBin(['domains', 'list'], env);
  expect(exit).toBe(0);
  expect(stdout).toContain('careers.acme.com');
  const loaded: string[] = JSON.parse(stderr);
  expect(loaded.filter((name) => SLOW.some((slow) => name.includes(slow)))).toEqual([]);
});

/** esbuild's metadata of the built bundles: the contents and imports of each. */
interface Bundles {
  outputs: Record<
    string,
    { entryPoint?: string; inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }
  >;
}

/**
 * Packages that no command needs to start: React draws pages and screens, Ink and Yoga draw screens, and the others read folders by patterns,
 * for plugins of oclif.
 */
const UNNEEDED = /node_modules\/(?:react|react-dom|react-reconciler|ink|yoga-layout|minimatch|tinyglobby)\//;

test('no command loads React, Ink or a loader of plugins before it draws', () => {
  const file = path.resolve(import.meta.dirname, '../../../node_modules/.cache/nameplate/meta.json');
  const { outputs }: Bundles = JSON.parse(readFileSync(file, 'utf8'));
  const isUnneeded = (name: string) =>
    Object.keys(outputs[name]?.inputs ?? {}).some((input) => UNNEEDED.test(input));
  /** Returns the names of a bundle and of all bundles that it imports, directly or not. */
  const loaded = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const imported of outputs[name]?.imports ?? []) {
      if (imported.kind === 'import-statement') loaded(imported.path, seen);
    }
    return seen;
  };
  const entries = Object.entries(outputs).filter(
    ([, { entryPoint = '' }]) => entryPoint === 'bin/main.ts' || /^cli\/commands\//.test(entryPoint),
  );
  expect(entries.length).toBeGreaterThan(20);
  for (const [name, { entryPoint }] of entries) {
    expect({ entryPoint, unneeded: [...loaded(name)].filter(isUnneeded) }).toEqual({
      entryPoint,
      unneeded: [],
    });
  }
  // Checks the pattern itself: it must match Ink in the event view's bundle, and React in the bundle of the emulator's pages.
  const named = (pattern: RegExp) =>
    Object.values(outputs).some(({ inputs }) => Object.keys(inputs).some((input) => pattern.test(input)));
  expect(named(/node_modules\/ink\//) && named(/node_modules\/react\//)).toBe(true);
});

test('Ctrl-C ends domains wait with exit code 130 and one JSON document', async () => {
  const domain = domainOf();
  await using api = await startFakeApi({ [`GET /v1/domains/${domain.id}`]: { body: domain } });
  await using bin = startBin(['domains', 'wait', domain.id, '--json'], {
    ...emptyHome(),
    ...keyFor(api.url),
  });
  await expect.poll(() => api.requests.length).toBeGreaterThan(0);
  bin.child.kill('SIGINT');
  expect(await bin.ended).toBe(130);
  expect(JSON.parse(bin.stdout()).error).toMatchObject({ code: 'interrupted', exit: 130 });
});
