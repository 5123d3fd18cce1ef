import * as z from 'zod';

/** A row of a table of fields. */
export interface FieldRow {
  /** The path of the field, such as `dns.cname.name`. */
  field: string;
  type: string;
  /** The limits of the value in words, or an empty string. */
  rule: string;
  meaning: string;
}

interface JsonSchema {
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

/**
 * Returns a row for each field of a schema. If a field is an object, the rows of its own fields follow, with paths such as `dns.cname`.
 * @param io `input` for the fields that a client sends, `output` for the fields that a client receives.
 */
export function fieldRows(schema: z.ZodType, io: 'input' | 'output' = 'output'): FieldRow[] {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any', io }) as JsonSchema;
  const defs = json.$defs ?? {};
  const resolve = (part: JsonSchema): JsonSchema => defs[part.$ref?.replace('#/$defs/', '') ?? ''] ?? part;

  function rowsOf(object: JsonSchema, path: string): FieldRow[] {
    const { properties = {}, required = [] } = resolve(object);
    return Object.entries(properties).flatMap(([name, field]) => {
      const variants = (field.anyOf ?? [field]).map(resolve);
      const [first = {}] = variants;
      const row = {
        field: `${path}${name}`,
        type: variants.map((variant) => typeName(variant, resolve)).join(' or '),
        rule: [
          io === 'input' && required.includes(name) ? 'required' : '',
          ...variants.map(limitsOf),
          field.default === undefined ? '' : `default \`${JSON.stringify(field.default)}\``,
        ]
          .filter((part) => part !== '')
          .join(', '),
        meaning: field.description ?? first.description ?? '',
      };
      const inner = variants.flatMap((variant) =>
        variant.type === 'array' && variant.items !== undefined
          ? rowsOf(variant.items, `${path}${name}[].`)
          : rowsOf(variant, `${path}${name}.`),
      );
      return [row, ...inner];
    });
  }

  return rowsOf(json, '');
}

function typeName(schema: JsonSchema, resolve: (part: JsonSchema) => JsonSchema): string {
  const { type = 'any', enum: values, const: only, items } = schema;
  if (only !== undefined) return `\`${only}\``;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  return type === 'array'
    ? `array of ${typeName(resolve(items ?? {}), resolve)}`
    : [type].flat().join(' or ');
}

function limitsOf({ minLength, maxLength, minimum, maximum, maxItems }: JsonSchema): string {
  const parts = [
    maxLength === undefined
      ? ''
      : `${minLength === undefined || minLength === 0 ? 'at most' : `${minLength} to`} ${maxLength} characters`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `${minimum ?? 0} to ${maximum}`,
    maxItems === undefined ? '' : `at most ${maxItems} items`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
