import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Scripts that run in browsers: the connect page, the dashboard, the dashboard with the emulator's lab, and the documentation with its search.
 * The page that uses a script reads it from `dist`.
 */
const SCRIPTS = {
  'connect-page.browser.js': 'shared/connect/browser/connect-page.ts',
  'dashboard.browser.js': 'shared/dashboard/browser/dashboard.tsx',
  'lab.browser.js': 'emulator/lab/browser/lab.tsx',
  'docs.browser.js': 'shared/http/pages/browser/docs.ts',
  'docs-search.browser.js': 'shared/http/pages/browser/search-worker.ts',
};
export const BROWSER_SCRIPTS = Object.keys(SCRIPTS);

/** Bundles the scripts for browsers of recent years. */
export async function bundleBrowserScripts(root: string): Promise<void> {
  await Promise.all(Object.entries(SCRIPTS).map(([file, source]) => bundle(root, file, source)));
}

async function bundle(root: string, name: string, source: string): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome100', 'firefox100', 'safari15.4'],
    charset: 'ascii',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    tsconfigRaw: {},
    write: false,
    logLevel: 'warning',
  });
  const file = path.join(root, 'dist', name);
  const unfinished = `${file}.${process.pid}`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(unfinished, outputFiles[0]?.contents ?? '');
  // The rename is atomic: a concurrent reader sees either the old file or the new one, never a part.
  await rename(unfinished, file);
}
