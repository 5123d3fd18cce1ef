import { usageError } from './cli-error.ts';
import type { Column } from './table.ts';

/** The columns that `--columns` names: fields of the resource, with dots into objects. @throws CliError `usage` */
export function fieldColumns(text: string): Column<object>[] {
  return text.split(',').map((path) => {
    const names = path.trim().split('.');
    if (names.includes('')) {
      throw usageError(`"${path}" is not a field.`, 'Name fields such as hostname or metadata.customer.');
    }
    return { name: path.trim(), value: (row) => fieldOf(row, names), shrinks: true };
  });
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
