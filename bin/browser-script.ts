import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/**
 * Scripts that run in browsers: for the connect page, the dashboard, the dashboard with the emulator's lab, and the documentation with its
 * search. The server reads a page's script from `dist`.
 */
const SCRIPTS = {
  'connect-page.browser.js': 'shared/connect/browser/connect-page.ts',
  'dashboard.browser.js': 'shared/dashboard/browser/dashboard.tsx',
  'lab.browser.js': 'emulator/lab/browser/lab.tsx',
  'docs.browser.js': 'shared/docs-site/browser/docs.ts',
  'docs-search.browser.js': 'shared/docs-site/browser/search-worker.ts',
};

/**
 * The package's modules that apps import, in pages, on servers and in workers. Each module is built as an ES module and as a CommonJS
 * module.
 */
const MODULES = {
  client: { source: 'shared/client/client.ts', minify: false, target: 'es2022' },
  webhooks: { source: 'shared/client/webhooks.ts', minify: false, target: 'es2022' },
  connect: { source: 'shared/embed/browser/connect.ts' },
  'connect-react': { source: 'shared/embed/browser/connect-react.tsx' },
};
const FORMATS = [
  { format: 'esm', suffix: 'js' },
  { format: 'cjs', suffix: 'cjs' },
] as const;
export const BROWSER_SCRIPTS = [
  ...Object.keys(SCRIPTS),
  ...Object.keys(MODULES).flatMap((name) => FORMATS.map(({ suffix }) => `${name}.${suffix}`)),
];

/** Bundles the pages' scripts and the modules that apps import. @returns the source files in the bundles, relative to the root. */
export async function bundleBrowserScripts(root: string): Promise<string[]> {
  const inputs = await Promise.all([
    ...Object.entries(SCRIPTS).map(([file, source]) => bundle(root, file, source, { format: 'iife' })),
    ...Object.entries(MODULES).flatMap(([name, { source, ...options }]) =>
      FORMATS.map(({ format, suffix }) =>
        bundle(root, `${name}.${suffix}`, source, { ...options, ...moduleOptions(suffix), format }),
      ),
    ),
  ]);
  return inputs.flat();
}

/**
 * Returns options that exclude React and the connect component from a bundle. The app provides React, and the package contains the
 * component as a separate module.
 */
function moduleOptions(suffix: string): BuildOptions {
  return {
    external: ['react'],
    // The component draws the panels of the connect page without React.
    alias: { 'react/jsx-runtime': './shared/embed/browser/jsx-runtime.ts' },
    plugins: [
      {
        name: 'own-module',
        setup({ onResolve }) {
          onResolve({ filter: /^\.\/connect\.ts$/ }, () => ({ path: `./connect.${suffix}`, external: true }));
        },
      },
    ],
  };
}

async function bundle(root: string, name: string, source: string, options: BuildOptions): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    minify: true,
    target: ['chrome100', 'firefox100', 'safari15.4'],
    ...options,
    absWorkingDir: root,
    entryPoints: [source],
    bundle: true,
    platform: 'browser',
    charset: 'ascii',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    tsconfigRaw: {},
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  const file = path.join(root, 'dist', name);
  const unfinished = `${file}.${process.pid}`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(unfinished, outputFiles[0]?.contents ?? '');
  // The rename is atomic: a concurrent reader sees either the old file or the new one, never a part.
  await rename(unfinished, file);
  return Object.keys(metafile.inputs);
}
