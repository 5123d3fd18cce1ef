import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/** What runs in browsers: the customer's pages and the emulator's inspector, each read from dist by the page that carries it. */
const SCRIPTS = {
  'connect-page.browser.js': 'shared/connect/browser/connect-page.ts',
  'inspector.browser.js': 'emulator/inspector/browser/inspector.tsx',
};
export const BROWSER_SCRIPTS = Object.keys(SCRIPTS);

/** Bundles them for the browsers of the last years. */
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
  // Whoever reads it meanwhile has the whole of one or of the other.
  await rename(unfinished, file);
}
