import { usageError } from '../runtime/cli-error.ts';

/** Checks an id before it becomes part of a URL path. @throws CliError `usage` */
export function plainId(text: string, prefix: 'key' | 'evt'): string {
  if (new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`).test(text)) return text;
  throw usageError(
    `"${text}" is not an id.`,
    `Ids begin with ${prefix}_. Run nameplate ${prefix === 'key' ? 'keys' : 'events'} list to see them.`,
  );
}
