import type { ContentField } from './connect-content.ts';

/** A value with more characters than this stands below its label on a phone. */
const SHORT_MAX = 20;

/** Returns the classes of a row in a record: `old` for a value to remove, and `long` for a long value. */
export function rowClass({ value, old }: Pick<ContentField, 'value' | 'old'>): string {
  if (value === null && old !== null) return 'old';
  return value !== null && value.length > SHORT_MAX ? 'long' : '';
}
