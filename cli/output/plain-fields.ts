import { plainText } from './plain-text.ts';

/** Flattens a document into names and values. Joins the names of nested fields with dots, such as `clock.mode`. */
export function plainFields(document: unknown, prefix = ''): [string, string][] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return [[prefix, plainText(document)]];
  }
  return Object.entries(document).flatMap(([name, value]) =>
    plainFields(value, prefix === '' ? plainText(name) : `${prefix}.${plainText(name)}`),
  );
}
