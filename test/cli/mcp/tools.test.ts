import { describe, expect, test } from 'vitest';
import { inputSchemaOf, type Tool, toolsFor } from '../../../cli/mcp/tools.ts';
import { makeSchemaComponents } from '../../../shared/schema/openapi/openapi-components.ts';
import { ROUTES } from '../../../shared/schema/routes.ts';

const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);
const all = toolsFor('delete');
const named = (name: string) => {
  const tool = all.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool is called ${name}`);
  return tool;
};

describe('the MCP tools follow the operations of the API', () => {
  test('send only GET requests by default, and can delete only with the permission to delete', () => {
    expect(new Set(toolsFor('read').map(({ route }) => route.method))).toEqual(new Set(['GET']));
    expect(new Set(toolsFor('write').map(({ route }) => route.method))).toEqual(
      new Set(['GET', 'POST', 'PATCH']),
    );
    expect(names(all).filter((name) => !names(toolsFor('write')).includes(name))).toEqual([
      'revoke_key',
      'delete_domain',
    ]);
  });

  test('cover all operations of the API, except operations that stream or return a secret', () => {
    const served = Object.entries(ROUTES).filter(([, route]) => all.some((tool) => tool.route === route));
    const missing = Object.keys(ROUTES).filter((id) => !served.some(([name]) => name === id));
    expect(missing).toEqual(['rotateSigningSecret', 'createKey', 'createConnectToken', 'streamEvents']);
  });

  test('return no field with a key, a secret or a token', () => {
    const components = makeSchemaComponents();
    const schemas = all.flatMap(({ route }) =>
      Object.values(route.responses).filter((each) => each !== null),
    );
    const text = JSON.stringify([
      schemas.map((each) => components.schemaOf(each, 'output')),
      components.schemas,
    ]);
    expect(text).toContain('"connect_url"');
    expect(text).not.toMatch(/"(?:key|token|signing_secret|secret)":/);
  });

  test.each(all.map((tool) => [tool.name, tool] as const))(
    'have an argument schema without references that requires the parameters of the path: %s',
    (_, tool) => {
      const schema = inputSchemaOf(tool);
      expect(JSON.stringify(schema)).not.toContain('$ref');
      const inPath = [...tool.inputs].filter(([, input]) => input.in === 'path').map(([name]) => name);
      expect(schema['required']).toEqual(expect.arrayContaining(inPath));
      expect(inPath.length).toBe(tool.route.path.includes('{id}') ? 1 : 0);
    },
  );

  test("take their arguments from the path, the query and the body, and a domain's id is the argument domain", () => {
    expect([...named('update_domain').inputs.keys()]).toEqual([
      'domain',
      'origin',
      'metadata',
      'apex_redirect',
      'origin_headers',
    ]);
    expect(inputSchemaOf(named('create_domain'))).toMatchObject({
      required: ['hostname'],
      properties: { hostname: { type: 'string' }, apex_redirect: { enum: ['none', 'www'] } },
    });
    expect(inputSchemaOf(named('list_events'))).toMatchObject({
      required: [],
      properties: { domain: { type: 'string' }, limit: { type: 'integer', maximum: 100 } },
    });
  });
});
