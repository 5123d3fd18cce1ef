import { plainText } from './plain-text.ts';

/** A document as names and values, objects inside it with dots: `clock.mode`. */
export function plainFields(document: unknown, prefix = ''): [string, string][] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return [[prefix, plainText(document)]];
  }
  return Object.entries(document).flatMap(([name, value]) =>
    plainFields(value, prefix === '' ? plainText(name) : `${prefix}.${plainText(name)}`),
  );
}
