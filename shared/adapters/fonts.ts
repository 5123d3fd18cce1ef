import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** The fonts of the dashboard and the documentation: Atkinson Hyperlegible Next for text, Mono for values and code. */
export type FontName = 'next' | 'mono';

/** Reads a font as WOFF2. Both are subsets: Latin-1 for text, ASCII for code. */
export function readFont(name: FontName): Buffer<ArrayBuffer> {
  return readFileSync(join(packageFolder(), 'shared/fonts', `atkinson-${name}.woff2`));
}

/** Returns a file name that contains a digest of the content, so that browsers can cache the file for a year. */
export function digestName(name: string, content: string | Buffer): string {
  return `${createHash('sha256').update(content).digest('base64url').slice(0, 12)}-${name}`;
}
