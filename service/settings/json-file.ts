import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { decodeText } from '../../shared/core/text/decode-text.ts';
import { issueMessage } from '../../shared/schema/issue-message.ts';

/**
 * Reads a JSON file that a setting names.
 * @returns the data, or all problems as a text that can follow the name of the setting in a sentence. Never quotes a value from the file,
 * because values may be secret.
 */
export function readJsonFile<T extends z.ZodType>(
  file: string,
  schema: T,
): { ok: true; data: z.output<T> } | { ok: false; problem: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return { ok: false, problem: 'names a file that cannot be read: check its path and its permissions' };
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { ok: false, problem: `names a file that ${decoded.problem}` };
  let document: unknown;
  try {
    document = JSON.parse(decoded.text);
  } catch {
    return { ok: false, problem: 'names a file that is not JSON: check its quotes, commas and brackets' };
  }
  const read = schema.safeParse(document, { error: issueMessage });
  if (read.success) return { ok: true, data: read.data };
  const problems = read.error.issues.map(({ path, message }) => `${spelled(path)} ${message}`);
  return {
    ok: false,
    problem: `names a file with ${problems.length === 1 ? 'an error' : 'errors'}: ${problems.join('; ')}`,
  };
}

/** Returns a path such as `[1].eab.key_id`. */
function spelled(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'it';
  const steps = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return steps.join('').replace(/^\./, '');
}
