import { usageError } from '../runtime/cli-error.ts';

/** The values of a flag that is given as `name=value`, once a pair, as an object. */
export function pairs(values: readonly string[], flag: string): Record<string, string> {
  const entries = values.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw usageError(`${flag} ${text} has no name and value.`, `Write it as ${flag} name=value.`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  // fromEntries defines properties, so a name such as __proto__ is a plain name.
  return Object.fromEntries(entries);
}
