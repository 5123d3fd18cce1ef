import { usageError } from '../runtime/cli-error.ts';

/** An id as the API writes them, checked before it becomes part of a path. */
export function plainId(text: string, prefix: 'key' | 'evt'): string {
  if (new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`).test(text)) return text;
  throw usageError(`"${text}" is not an id.`, `Ids begin with ${prefix}_; the list command shows them.`);
}
