import { raw } from 'jq-wasm';
import { usageError } from '../runtime/cli-error.ts';
import { plainText } from './plain-text.ts';

/**
 * Runs a jq program on a document. A string is printed without quotes, as `jq -r` does.
 * @returns the output, with a line end after each result.
 * @throws CliError if jq refuses the program, or the program fails on this document.
 */
export async function applyJq(document: unknown, program: string): Promise<string> {
  try {
    const text = await raw(JSON.stringify(document), program, ['-r']);
    return text === '' ? '' : `${text}\n`;
  } catch (error) {
    throw usageError(`--jq: ${reasonOf(error)}`, 'Correct the program. Its input is what --json prints.');
  }
}

/** Returns the first line of jq's message, without its prefix. */
function reasonOf(error: unknown): string {
  const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return plainText(first.replace(/^(?:Failed to execute raw query: )?jq: error:? ?(?:\(at [^)]*\): )?/, ''));
}
