import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** Returns a browser script from the build in `dist`, or an empty string if nothing was built. */
export function readBrowserScript(file: string): string {
  try {
    return readFileSync(join(packageFolder(), 'dist', file), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Returns the Content-Security-Policy source that allows exactly this inline style or script. */
export function inlineSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
