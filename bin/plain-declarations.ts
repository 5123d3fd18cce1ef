import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import * as chaos from '../emulator/chaos/chaos-schema.ts';
import * as seed from '../emulator/seed/seed-schema.ts';
import * as apiKey from '../shared/schema/api-key.ts';
import * as app from '../shared/schema/app.ts';
import * as certificate from '../shared/schema/certificate.ts';
import * as diagnosis from '../shared/schema/diagnosis.ts';
import * as domain from '../shared/schema/domain.ts';
import * as error from '../shared/schema/error.ts';
import * as event from '../shared/schema/event.ts';
import { MORE_CAN_APPEAR } from '../shared/schema/fields.ts';
import * as traffic from '../shared/schema/traffic.ts';

/** The modules that define the schemas of public types, by file path without the suffix. */
const MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'emulator/chaos/chaos-schema': chaos,
  'emulator/seed/seed-schema': seed,
  'shared/schema/api-key': apiKey,
  'shared/schema/app': app,
  'shared/schema/certificate': certificate,
  'shared/schema/diagnosis': diagnosis,
  'shared/schema/domain': domain,
  'shared/schema/error': error,
  'shared/schema/event': event,
  'shared/schema/traffic': traffic,
};

/** Matches a type that zod derives from a schema, such as `z.infer<typeof domainSchema>`. */
const DERIVED = /\bz\.(infer|input)<typeof (\w+)>/g;

/**
 * Replaces the types that zod derives from schemas with the types themselves, so that editors show the fields with their descriptions, and
 * the package does not need zod's types.
 * @param folder the folder with the declaration file of each source file.
 */
export async function writePlainDeclarations(folder: string): Promise<void> {
  await Promise.all(
    Object.entries(MODULES).map(async ([name, exported]) => {
      const file = path.join(folder, `${name}.d.ts`);
      const text = await readFile(file, 'utf8');
      const plain = text.replaceAll(DERIVED, (_, kind: string, schema: string) =>
        plainType(exported[schema] as z.ZodType, kind === 'input' ? 'input' : 'output'),
      );
      await writeFile(file, plain);
    }),
  );
}

/** Returns the TypeScript type of what a schema accepts (`input`) or returns (`output`). */
export function plainType(schema: z.ZodType, io: 'input' | 'output'): string {
  const { $defs = {}, ...shape } = z.toJSONSchema(schema, { io });
  return typeOf(shape, { defs: $defs, indent: '' });
}

type Shape = z.core.JSONSchema.BaseSchema;

interface Place {
  defs: Readonly<Record<string, Shape>>;
  indent: string;
}

function typeOf(shape: Shape | boolean, place: Place): string {
  if (typeof shape === 'boolean') return 'unknown';
  const { $ref, anyOf, enum: values, type, items, additionalProperties: others } = shape;
  if ($ref !== undefined) return typeOf(place.defs[$ref.replace('#/$defs/', '')] ?? true, place);
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, place)).join(' | ');
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in shape) return JSON.stringify(shape.const);
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...shape, type: each }, place)).join(' | ');
  if (type === 'array' && items !== undefined && !Array.isArray(items))
    return `${shape.readOnly ? 'readonly ' : ''}(${typeOf(items, place)})[]`;
  if (type === 'object' && shape.properties !== undefined) return objectType(shape, place);
  if (type === 'object') return `Record<string, ${typeOf(others ?? true, place)}>`;
  if (type === 'string' && shape.description?.endsWith(MORE_CAN_APPEAR) && shape.examples)
    // With this type, editors suggest the known values, and an app may still compare with any text.
    return [...shape.examples.map((value) => JSON.stringify(value)), '(string & {})'].join(' | ');
  return type === 'integer' ? 'number' : (type ?? 'unknown');
}

function objectType({ properties = {}, required = [] }: Shape, { defs, indent }: Place): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, shape]) => {
    const isRequired = required.includes(name);
    const type = typeOf(shape, { defs, indent: inner });
    const comment = descriptionOf(shape, defs);
    return [
      ...(comment === undefined ? [] : [`${inner}/** ${comment.replaceAll('*/', '* /')} */`]),
      `${inner}${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`,
    ].join('\n');
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}

function descriptionOf(shape: Shape | boolean, defs: Place['defs']): string | undefined {
  if (typeof shape === 'boolean') return undefined;
  return shape.description ?? defs[shape.$ref?.replace('#/$defs/', '') ?? '']?.description;
}
