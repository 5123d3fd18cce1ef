import * as z from 'zod';
import { stateTable } from '../../core/domains/state-diagram.ts';
import type { Settings } from '../../core/settings.ts';
import { apiKeySchema } from '../../schema/api-key.ts';
import { appSchema } from '../../schema/app.ts';
import { domainSchema } from '../../schema/domain.ts';
import { deliverySchema, eventSchema } from '../../schema/event.ts';
import { codeOnWire } from '../../schema/openapi/error-example.ts';
import { ROUTES, type Route } from '../../schema/routes.ts';
import { markdownTable } from './markdown-table.ts';

/**
 * Creates the tables of the API reference (`docs/api.md`) from the schemas, the routes and the transitions. Each is found by the name of
 * its placeholder.
 */
export const REFERENCE_TABLES: Readonly<
  Record<string, (settings: Pick<Settings, 'names'>, docsPath: string) => string>
> = {
  app_fields_table: () => fieldsTable(appSchema),
  domain_fields_table: () => fieldsTable(domainSchema),
  key_fields_table: () => fieldsTable(apiKeySchema),
  event_fields_table: () => fieldsTable(eventSchema),
  delivery_fields_table: () => fieldsTable(deliverySchema),
  apps_operations_table: (...site) => operationsTable('Apps', ...site),
  keys_operations_table: (...site) => operationsTable('Keys', ...site),
  domains_operations_table: (...site) => operationsTable('Domains', ...site),
  events_operations_table: (...site) => operationsTable('Events', ...site),
  transitions_table: () =>
    markdownTable(
      ['From', 'To', 'Trigger [condition] / event'],
      stateTable().map(({ from, to, label }) => [from || '(new)', to, label]),
    ),
};

interface JsonSchema {
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly string[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
}

function fieldsTable(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' }) as JsonSchema;
  const defs = json.$defs ?? {};
  const resolve = (part: JsonSchema): JsonSchema => defs[part.$ref?.replace('#/$defs/', '') ?? ''] ?? part;

  /** Returns a row for each field. The fields of an object follow it, with its name before theirs. */
  function rowsOf(object: JsonSchema, path: string): string[][] {
    return Object.entries(resolve(object).properties ?? {}).flatMap(([name, field]) => {
      const variants = (field.anyOf ?? [field]).map(resolve);
      const description = field.description ?? variants[0]?.description ?? '';
      const inner = variants.flatMap((variant) => rowsOf(variant, `${path}${name}.`));
      return [[`\`${path}${name}\``, variants.map(typeName).join(' or '), description], ...inner];
    });
  }

  return markdownTable(['Field', 'Type', 'Meaning'], rowsOf(json, ''));
}

function typeName({ type = 'any', enum: values, items }: JsonSchema): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  return type === 'array' ? `array of ${typeName(items ?? {})}` : [type].flat().join(' or ');
}

function operationsTable(tag: Route['tag'], settings: Pick<Settings, 'names'>, docsPath: string): string {
  const linkTo = (code: string) => `[\`${code}\`](${docsPath}/errors/${code})`;
  const routes = (Object.values(ROUTES) as Route[]).filter((route) => route.tag === tag);
  const rows = routes.map(({ method, path, description, responses, errors }) => [
    `\`${method} ${path}\``,
    description,
    Object.keys(responses).join(' or '),
    errors.map((code) => linkTo(codeOnWire(code, settings))).join(', ') || 'none',
  ]);
  return markdownTable(['Operation', 'What it does', 'Success', 'Errors of its own'], rows);
}
