import { plainText } from '../output/plain-text.ts';
import { describeError } from '../runtime/error-presenter.ts';

/** Formats an error in one line: the message, the fix, and how long to wait. */
export function problemOf(error: unknown): string {
  const { message, fix, retry_after_s } = describeError(error);
  return plainText(`${message} ${fix}${retry_after_s === undefined ? '' : ` Wait ${retry_after_s} s.`}`);
}
