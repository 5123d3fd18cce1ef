import { boolean, string } from '@oclif/core/flags';
import type { FlagInput } from '@oclif/core/interfaces';
import * as z from 'zod';
import { usageError } from '../runtime/cli-error.ts';
import { pairs } from './read-values.ts';

interface FieldFlag {
  summary: string;
  /** The flag's name. By default, it comes from the field's name: `origin_url` becomes `--origin <url>` in help. */
  flag?: string;
  helpValue?: string;
  /** The summary of the flag `--clear-…`, which sets the field to null. */
  clear?: string;
  /** The part of the flag's name after `--clear-`. By default, the name of the flag that sets the field. */
  clears?: string;
}

/** The fields that flags can set. A field that can be null has a flag that clears it. */
type Fields<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]?: FieldFlag & (null extends z.infer<Shape[Name]> ? { clear: string } : object);
};

/**
 * Derives flags from the schema of a request body. A boolean field becomes a switch, and an object becomes a repeatable `name=value` flag.
 * @returns the flags that set fields, the flags that clear fields, and functions that return the body for the flags that were given.
 */
export function fieldFlags<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, fields: Fields<Shape>) {
  const rows = Object.entries<FieldFlag | undefined>(fields).map(([field, row]) => {
    const [, name = field, unit] = /^(.+?)(?:_(url|host))?$/.exec(field) ?? [];
    const flag = row?.flag ?? name.replaceAll('_', '-');
    const help = { summary: '', ...(unit !== undefined && { helpValue: `<${unit}>` }), ...row };
    return { field, flag, clearing: `clear-${row?.clears ?? flag}`, ...help };
  });
  const set: FlagInput = {};
  const clear: FlagInput = {};
  for (const row of rows) {
    set[row.flag] = flagOf(schema.shape[row.field], row);
    if (row.clear !== undefined) clear[row.clearing] = boolean({ summary: row.clear, exclusive: [row.flag] });
  }
  const body = (given: Record<string, unknown>) => {
    const entries = rows.flatMap(({ field, flag, clearing }) => {
      const value = given[clearing] ? null : given[flag];
      if (value === undefined) return [];
      return [[field, Array.isArray(value) ? pairs(value, `--${flag}`) : value] as const];
    });
    return Object.fromEntries(entries) as z.infer<typeof schema>;
  };
  return {
    set,
    clear,
    body,
    /** @throws CliError `usage` if the command line has no flag that changes a field. */
    changes(given: Record<string, unknown>) {
      const changes = body(given);
      if (Object.keys(changes).length > 0) return changes;
      throw usageError('Nothing to change.', 'Add --help to see the flags.');
    },
  };
}

function flagOf(schema: unknown, { summary, helpValue }: FieldFlag) {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
  const help = { summary, required: inner === schema, ...(helpValue !== undefined && { helpValue }) };
  if (inner instanceof z.ZodBoolean) return boolean({ summary, allowNo: true });
  if (inner instanceof z.ZodEnum) return string({ ...help, options: inner.options.map(String) });
  if (inner instanceof z.ZodString) return string(help);
  return string({ ...help, multiple: true, multipleNonGreedy: true });
}
