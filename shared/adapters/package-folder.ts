import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the folder of the nearest package.json above this file. It searches upwards, because source files are at different depths, and
 * bundles are in `dist`.
 */
export function packageFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error('there is no package.json above this file');
  }
}

/** Returns a browser script that the build wrote to `dist`, or an empty string if nothing was built. */
export function readBrowserScript(file: string): string {
  try {
    return readFileSync(join(packageFolder(), 'dist', file), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
