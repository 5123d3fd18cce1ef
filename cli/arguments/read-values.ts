import { readDuration } from '../../shared/core/text/duration.ts';
import { usageError } from '../runtime/cli-error.ts';

/** Reads a duration from the command line, in milliseconds. @throws CliError `usage` */
export function durationMs(text: string): number {
  const durationMs = readDuration(text);
  if (durationMs !== null) return durationMs;
  throw usageError(`"${text}" is not a duration.`, 'Give a duration such as 90s, 10m, 1h30m, 72h or 2d.');
}

/** Reads the values of a repeatable `name=value` flag into an object. @throws CliError `usage` */
export function pairs(values: readonly string[], flag: string): Record<string, string> {
  const entries = values.map((text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw usageError(`${flag} needs name=value, not "${text}".`, `Write it as ${flag} name=value.`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  // `fromEntries` defines properties instead of assigning them, so `__proto__` becomes an ordinary property.
  return Object.fromEntries(entries);
}

/** Checks an id before it becomes part of a URL path. @throws CliError `usage` */
export function plainId(text: string, prefix: 'key' | 'evt'): string {
  if (new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`).test(text)) return text;
  throw usageError(
    `"${text}" is not an id.`,
    `Ids begin with ${prefix}_. Run nameplate ${prefix === 'key' ? 'keys' : 'events'} list to see them.`,
  );
}
