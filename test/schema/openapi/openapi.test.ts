import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ORIGIN_STATUS_REASONS } from '../../../shared/core/apps/app.ts';
import { ERRORS, type ErrorCode } from '../../../shared/core/errors.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { OUTBOUND_ERRORS } from '../../../shared/core/webhooks/delivery.ts';
import { EVENT_TYPES } from '../../../shared/core/webhooks/event.ts';
import { errorSchema } from '../../../shared/schema/error.ts';
import { webhookBodySchema } from '../../../shared/schema/event.ts';
import { errorExample } from '../../../shared/schema/openapi/error-example.ts';
import { openApiDocument } from '../../../shared/schema/openapi/openapi.ts';
import { examples } from '../../../shared/schema/openapi/openapi-examples.ts';
import { errorCodesOf } from '../../../shared/schema/openapi/openapi-responses.ts';
import { type ApiRoute, ROUTES } from '../../../shared/schema/routes.ts';

const SETTINGS = {
  baseUrl: 'https://api.acme-cdn.net',
  docsUrl: 'https://docs.acme-cdn.net',
  names: serviceNames('Acme'),
};
const routes = Object.entries(ROUTES) as [string, ApiRoute][];
const document = openApiDocument(SETTINGS);

/** Returns the value at a path of keys in the document. */
function at(...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    document,
  );
}

function keysAt(...keys: (string | number)[]): string[] {
  return Object.keys((at(...keys) as object | undefined) ?? {});
}

describe('the OpenAPI document', () => {
  test.each(routes)('describes %s with each of its success responses', (id, route) => {
    const operation = ['paths', route.path, route.method.toLowerCase()];
    expect(at(...operation, 'operationId')).toBe(id);
    for (const [status, schema] of Object.entries(route.responses)) {
      const answer = [...operation, 'responses', status];
      expect(at(...answer, 'description')).toMatch(/./);
      const hasBody = at(...answer, 'content', 'application/json', 'schema') !== undefined;
      expect(hasBody).toBe(schema !== null);
      expect(keysAt(...answer, 'headers')).toContain('X-Request-Id');
    }
  });

  test.each(routes)('lists the error codes of %s under their statuses', (_, route) => {
    for (const code of errorCodesOf(route)) {
      const { status } = ERRORS[code];
      const answer = ['paths', route.path, route.method.toLowerCase(), 'responses', status];
      const name = code === 'hostname_is_service' ? 'hostname_is_acme' : code;
      expect(keysAt(...answer, 'content', 'application/json', 'examples')).toContain(name);
      expect(at(...answer, 'description')).toContain(`\`${name}\``);
    }
  });

  test('lists each error code for at least one route', () => {
    const used = new Set(routes.flatMap(([, route]) => errorCodesOf(route)));
    const unused = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !used.has(code));
    expect(unused, 'add these codes to `errors` of a route in shared/schema/routes.ts').toEqual([]);
  });

  test.each(Object.keys(ERRORS) as ErrorCode[])(
    "has the envelope of %s, spelled with the service's name",
    (code) => {
      const { error } = errorSchema.parse(errorExample(code, SETTINGS));
      const name = code === 'hostname_is_service' ? 'hostname_is_acme' : code;
      expect(error.code).toBe(name);
      expect(error.docs).toBe(`https://docs.acme-cdn.net/errors/${name}`);
      expect(at('components', 'examples', name, 'value')).toEqual(errorExample(code, SETTINGS));
    },
  );

  test('has no broken references', () => {
    const refs = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
    const missing = [...refs]
      .map(([, path = '']) => path)
      .filter((path) => at(...path.split('/')) === undefined);
    expect(missing).toEqual([]);
  });

  test.each([
    ['App', 'origin_status_reason', ORIGIN_STATUS_REASONS],
    ['DeliverySummary', 'last_error', OUTBOUND_ERRORS],
    ['Delivery', 'error', OUTBOUND_ERRORS],
  ])('lists the known values of %s.%s, and allows new ones', (schema, field, values) => {
    const {
      description,
      examples: known,
      ...type
    } = at(...['components', 'schemas', schema, 'properties', field]) as Record<string, unknown>;
    expect(known).toEqual(values);
    for (const value of values) expect(description).toContain(`\`${value}\``);
    expect(type).toEqual({ type: ['string', 'null'] });
  });

  test('lists the known event types, and allows new types', () => {
    const {
      description,
      examples: known,
      ...type
    } = at('components', 'schemas', 'EventType') as Record<string, unknown>;
    expect(known).toEqual(EVENT_TYPES);
    for (const value of EVENT_TYPES) expect(description).toContain(`\`${value}\``);
    expect(type).toEqual({ type: 'string' });
  });

  test('has closed lists of values only where v1 cannot add a value', () => {
    const schemas = Object.entries(at('components', 'schemas') as object);
    const closed = schemas.filter(([, schema]) => JSON.stringify(schema).includes('"enum":'));
    expect(closed.map(([name]) => name).toSorted()).toEqual([
      'ApexRedirect',
      'DeliverySummary',
      'DomainStatus',
      'Finding',
      'Lookup',
      'Mode',
      'RecordChange',
    ]);
  });

  test.each(['CreateDomain', 'UpdateDomain'])('states the limits of %s', (schema) => {
    const properties = ['components', 'schemas', schema, 'properties'];
    expect(at(...properties, 'origin_headers', 'anyOf', 0)).toMatchObject({
      maxProperties: 5,
      propertyNames: { pattern: '^X-[A-Za-z0-9-]+$', maxLength: 128 },
      additionalProperties: { minLength: 1, maxLength: 1024 },
    });
    expect(at(...properties, 'metadata', 'description')).toContain('4096 bytes');
  });

  test('describes status_detail of errors and of domains', () => {
    const schemas = ['components', 'schemas'];
    const ofErrors = [...schemas, 'Error', 'properties', 'error', 'properties', 'status_detail', 'anyOf'];
    expect(at(...ofErrors, 0, '$ref')).toBe('#/components/schemas/ValidationDetail');
    expect(at(...ofErrors, 1, '$ref')).toBe('#/components/schemas/DomainLimitDetail');
    expect(keysAt(...schemas, 'DomainLimitDetail', 'properties')).toContain('plans');
    expect(at(...schemas, 'Domain', 'properties', 'status_detail', 'description')).toMatch(/./);
  });

  test.each(routes)('lists only statuses with which %s can respond', (_, route) => {
    const responses = keysAt('paths', route.path, route.method.toLowerCase(), 'responses');
    const may = (status: string) => expect.soft(responses.includes(status), status);
    const isPost = route.method === 'POST';
    const hasBody = isPost || route.method === 'PATCH';
    may('413').toBe(hasBody);
    may('400').toBe(route.body !== undefined);
    may('422').toBe(isPost || route.body !== undefined || route.query !== undefined);
    may('409').toBe(isPost);
    may('404').toBe(route.path.includes('{id}'));
    // Reads never get 403, because only changes need a live key, a certain plan, or an account that is not suspended.
    may('403').toBe(route.method !== 'GET');
    for (const status of ['401', '429', '500', '503']) may(status).toBe(true);
  });

  test.each(routes)('lists the headers of the errors of %s', (_, route) => {
    const responses = ['paths', route.path, route.method.toLowerCase(), 'responses'];
    expect(keysAt(...responses, '401', 'headers')).toContain('WWW-Authenticate');
    for (const status of ['429', '503'])
      expect(keysAt(...responses, status, 'headers')).toContain('Retry-After');
  });

  test.each(routes)('gives %s a description that is longer than the summary', (_, route) => {
    const operation = ['paths', route.path, route.method.toLowerCase()];
    expect(String(at(...operation, 'description')).length).toBeGreaterThan(route.summary.length);
  });

  test('describes every parameter, every field and every webhook', () => {
    expect(undescribed(document, '')).toEqual([]);
  });

  test('refers to no section of an unpublished document', () => {
    const sections = JSON.stringify(document).match(/(?<!RFC \d+ )section \d/gi);
    expect(sections).toBeNull();
  });

  test('allows further fields in each object, because v1 may gain fields', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });

  test.each(EVENT_TYPES)('has the webhook %s with its signature header', (type) => {
    const parameters = at('webhooks', type, 'post', 'parameters') as { name: string }[];
    const names = parameters.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Acme-Signature', 'Acme-Event-Id', 'Acme-Delivery-Id']));
    expect(at('webhooks', type, 'post', 'security')).toEqual([]);
  });

  test('has examples that match their schemas', () => {
    const made = examples(SETTINGS);
    const named = routes.flatMap(([, { body, responses }]) => [body, ...Object.values(responses)]);
    for (const schema of [...named, webhookBodySchema]) {
      if (!schema) continue;
      const id = schema.meta()?.id ?? 'unnamed';
      expect.soft(schema.safeParse(made[id]).error, id).toBeUndefined();
    }
  });

  test('describes the filters by metadata as an object that generated clients can send', () => {
    const parameters = at('paths', '/v1/domains', 'get', 'parameters') as Record<string, unknown>[];
    const filter = parameters.find(({ name }) => name === 'metadata');
    expect(filter).toMatchObject({ in: 'query', style: 'deepObject', explode: true });
    expect(filter).toMatchObject({ schema: { additionalProperties: { type: 'string' }, maxProperties: 5 } });
  });

  test('describes limit as a number from 1 to 100, 50 by default', () => {
    const parameters = at('paths', '/v1/keys', 'get', 'parameters') as Record<string, unknown>[];
    expect(parameters.find(({ name }) => name === 'limit')?.['schema']).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 50,
    });
  });

  test('passes the recommended rules of redocly without an error or a warning', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nameplate-lint-'));
    try {
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
      const bin = join(import.meta.dirname, '../../../node_modules/.bin/redocly');
      const flags = ['--extends', 'recommended', '--format', 'json'];
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { stdout } = await promisify(execFile)(bin, ['lint', 'openapi.json', ...flags], {
        cwd: folder,
        env,
      });
      const { totals, problems } = JSON.parse(stdout);
      expect(problems).toEqual([]);
      expect(totals).toMatchObject({ errors: 0, warnings: 0 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Returns the paths of parameters, fields and operations that lack a description. A reference or a group of fields needs none. */
function undescribed(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const isField = path.split('/').at(-2) === 'properties';
  const needsOne = isField || 'in' in node || 'operationId' in node;
  const hasOne = ['description', '$ref', 'properties', 'const'].some((key) => key in node);
  const inner = Object.entries(node).filter(([key]) => !key.startsWith('example'));
  return [
    ...(needsOne && !hasOne ? [path] : []),
    ...inner.flatMap(([key, each]) => undescribed(each, `${path}/${key}`)),
  ];
}
