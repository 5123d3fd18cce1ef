import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  clockSchema,
  holdSchema,
  newAppSchema,
  triggerSchema,
  whitelabelSchema,
} from '../../../emulator/control/bodies.ts';
import { CONTROL_ROUTES } from '../../../emulator/control/routes.ts';
import { seedSchema } from '../../../emulator/seed/seed-schema.ts';
import { startEmulatorDriver } from '../../conformance/emulator-driver.ts';
import type { Json, OpenApiDocument } from '../../conformance/openapi/openapi-requests.ts';
import { buildRequest, deepJson, hostileRequests } from '../../dashboard/hostile-requests.ts';

const REQUESTS = 600;
const SEED = 20_261_127;

/** Control calls that the test leaves out, because they stop or delay the emulator, or make it fail on purpose. */
const LEFT_OUT = ['/stop', '/expect', '/chaos', '/errors'];

const jsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
const BODIES: Readonly<Record<string, Json>> = {
  'POST /apps': jsonSchema(newAppSchema),
  'PATCH /clock': jsonSchema(clockSchema),
  'POST /domains/:param/trigger': jsonSchema(triggerSchema),
  'PATCH /apps/:param/whitelabel': jsonSchema(whitelabelSchema),
  'POST /holds': jsonSchema(holdSchema),
  'POST /seed': jsonSchema(seedSchema),
  'POST /seed/text': { type: 'object', properties: { text: { type: 'string' }, name: { type: 'string' } } },
};

test(`no response to ${REQUESTS} hostile requests to the control API is a 5xx`, async () => {
  const failures: string[] = [];
  const note = ({ error }: Record<string, unknown>, message: string) => failures.push(`${message} ${error}`);
  const driver = await startEmulatorDriver({ info: () => undefined, warn: () => undefined, error: note });
  try {
    const { app_id } = await driver.createApp({ name: 'Other' });
    for (const generated of hostileRequests(controlDocument(), REQUESTS, SEED)) {
      const request = buildRequest(`${driver.base_url}/_emulator`, generated, () => [app_id], {});
      const response = await fetch(request);
      const text = await response.text();
      if (response.status >= 500) failures.push(`${request.method} ${request.url} got ${text.slice(0, 200)}`);
    }
    expect(failures).toEqual([]);
  } finally {
    await driver.close();
  }
});

test.each([
  ['/apps', { name: 'a\0b' }, 'name'],
  ['/holds', { hostname: 'a.acme.com', reason: 'a\ud800' }, 'reason'],
  ['/seed', { apps: [{ name: 'a\0b' }] }, 'apps.0.name'],
])('the control API refuses text that a service could not store: %s', async (path, body, field) => {
  const { status, fields } = await post(path, JSON.stringify(body));
  expect([status, fields.map((each) => each.path)]).toEqual([422, [field]]);
});

test('the control API names the field of a body that is nested too deeply', async () => {
  const { status, fields } = await post('/seed', `{"domains":${deepJson()}}`);
  expect(status).toBe(422);
  expect(fields).toContainEqual({ path: 'domains', message: 'is nested too deeply' });
});

test('the error for a seed names the line of a text that cannot be stored, and of nesting that is too deep', async () => {
  const named = await post(
    '/seed/text',
    JSON.stringify({ text: 'apps:\n  - name: "a\\0b"\n', name: 's.yaml' }),
  );
  expect(named.message).toContain('s.yaml:2: apps[0].name: must not hold the character U+0000');
  const deep = await post('/seed/text', JSON.stringify({ text: deepJson(), name: 's.yaml' }));
  expect(deep.message).toMatch(/s\.yaml:\d+: is nested too deeply/);
});

async function post(path: string, body: string) {
  const driver = await startEmulatorDriver();
  try {
    const response = await fetch(`${driver.base_url}/_emulator${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as {
      error: { message: string; status_detail?: { fields: { path: string; message: string }[] } };
    };
    return { status: response.status, message: error.message, fields: error.status_detail?.fields ?? [] };
  } finally {
    await driver.close();
  }
}

function controlDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const { method, path } of CONTROL_ROUTES) {
    if (LEFT_OUT.some((each) => path.startsWith(each))) continue;
    const id = `${method} ${path}`;
    const schema = BODIES[id] ?? { type: 'object', properties: {} };
    const template = path.replace(':param', '{param}');
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: {
        operationId: id,
        ...(method !== 'GET' &&
          method !== 'DELETE' && { requestBody: { content: { 'application/json': { schema } } } }),
        parameters: ['limit', 'app_id', 'search'].map((name) => ({
          name,
          in: 'query',
          schema: { type: 'string' },
        })),
        responses: {},
      },
    };
  }
  return { paths, components: { schemas: {}, parameters: {} } };
}
