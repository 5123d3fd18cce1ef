import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { usageError } from '../runtime/cli-error.ts';
import type { TableColumn } from './table.ts';

/** The names of a resource's fields, with the fields of nested objects. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: FieldTree };
type FieldTree = typeof ANY | { readonly [name: string]: FieldTree };

/** The kinds of fields. A `VALUE` has no nested fields. An `ANY`, such as `metadata`, has nested fields with any name. */
export const VALUE: FieldTree = {};
export const ANY = 'any';

/**
 * Returns the columns that `--columns` names: fields of the resource, with dots for nested fields.
 * @throws CliError `usage` for an unknown field.
 */
export function fieldColumns<T extends object>(text: string, fields: FieldsOf<T>): TableColumn<T>[] {
  return text.split(',').map((each) => {
    const path = each.trim();
    const names = path.split('.');
    checkField(names, fields);
    return { name: path, value: (row) => fieldOf(row, names), shrinks: true };
  });
}

function checkField(names: readonly string[], fields: FieldTree): void {
  let inside = fields;
  let before = '';
  for (const name of names) {
    const next: FieldTree | undefined =
      inside === ANY
        ? name === ''
          ? undefined
          : ANY
        : Object.hasOwn(inside, name)
          ? inside[name]
          : undefined;
    if (next === undefined) {
      const known = inside === ANY ? [] : Object.keys(inside);
      throw notAField(names.join('.'), nearestWord(name, known), known, before);
    }
    [inside, before] = [next, `${before}${name}.`];
  }
}

function notAField(path: string, meant: string | null, known: readonly string[], before: string): Error {
  const all = known.map((name) => before + name).join(', ');
  const fix = all === '' ? 'Use fields such as hostname or metadata.customer.' : `The fields are ${all}.`;
  return usageError(
    `"${path}" is not a field.`,
    meant === null ? fix : `Did you mean ${before}${meant}? ${fix}`,
  );
}

function fieldOf(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
        ? Reflect.get(inside, name)
        : undefined,
    value,
  );
}
