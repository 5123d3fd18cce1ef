import { ApiError } from '../../shared/client/client-error.ts';
import { plainText } from '../output/plain-text.ts';

/** Formats an error in one line: the message, the fix, and how long to wait. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return plainText(error);
  const fix = 'fix' in error && typeof error.fix === 'string' ? ` ${error.fix}` : '';
  const wait =
    error instanceof ApiError && error.retry_after_s !== undefined ? ` Wait ${error.retry_after_s} s.` : '';
  return plainText(`${error.message}${fix}${wait}`);
}
