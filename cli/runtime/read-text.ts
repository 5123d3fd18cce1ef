import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '../../shared/core/text/decode-text.ts';
import type { World } from '../settings/world.ts';
import { usageError } from './cli-error.ts';

/** Reads a file of text, or stdin for `-`. @throws CliError `usage` if it is not UTF-8; the system's error if it cannot be read. */
export async function readText(file: string, { stdin, cwd }: World): Promise<string> {
  const bytes = file === '-' ? await buffer(stdin) : readFileSync(path.resolve(cwd, file));
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded.text;
  throw usageError(
    `${file === '-' ? 'stdin' : file} ${decoded.problem}.`,
    'Convert it, then run the command again.',
  );
}
