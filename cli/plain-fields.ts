import { printable } from './printable.ts';

/** A document as names and values, objects inside it with dots: `clock.mode`. */
export function plainFields(document: unknown, prefix = ''): [string, string][] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return [[prefix, printable(document)]];
  }
  return Object.entries(document).flatMap(([name, value]) =>
    plainFields(value, prefix === '' ? printable(name) : `${prefix}.${printable(name)}`),
  );
}
