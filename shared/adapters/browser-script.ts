import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** A script for browsers, as the build put it into dist; nothing where there was no build. */
export function readBrowserScript(file: string): string {
  try {
    return readFileSync(join(packageFolder(), 'dist', file), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** What lets a style or a script that stands in a page in, and nothing else: a source of its Content-Security-Policy. */
export function inlineSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
