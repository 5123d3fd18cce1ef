import { usageError } from '../runtime/cli-error.ts';

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
