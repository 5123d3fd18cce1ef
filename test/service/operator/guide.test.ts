import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALL_COMMANDS } from '../../../bin/main.ts';
import { createMetrics } from '../../../service/health/metrics.ts';
import { createProcessMetrics } from '../../../service/processes/process-metrics.ts';
import { environmentSchema } from '../../../service/settings/environment.ts';
import { PLANS } from '../../../shared/core/accounts/plan.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const guide = globSync('shared/docs/deploying*.md', { cwd: root })
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');
const example = readFileSync(path.join(root, '.env.example'), 'utf8');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const compose = readFileSync(path.join(root, 'compose.yaml'), 'utf8');

/** Returns the first two cells of each row below a heading. */
function rowsOf(heading: string): [string, string][] {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)].map(([, name = '', next = '']) => [
    name,
    next,
  ]);
}

test('the image has each folder that the package has', () => {
  const { files } = z
    .object({ files: z.array(z.string()) })
    .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  for (const folder of files.filter((file) => file.includes('/') && !file.startsWith('bin/')))
    expect.soft(dockerfile).toContain(`\nCOPY ${folder} ${folder}\n`);
});

test("the guide's table of settings lists exactly the settings of the schema", () => {
  expect(rowsOf('Settings').map(([name]) => name)).toEqual(Object.keys(environmentSchema.shape));
});

test("the guide's table of settings has each default of the schema", () => {
  const schemas: Record<string, z.ZodType> = environmentSchema.shape;
  const told = new Map(rowsOf('Settings'));
  for (const [name, schema] of Object.entries(schemas)) {
    if (!(schema instanceof z.ZodDefault)) continue;
    const text = spelled(schema.def.defaultValue);
    expect.soft(told.get(name), name).toBe(text === '' ? 'none' : `\`${text}\``);
  }
});

test("the guide's list of metrics matches the registry", async () => {
  const readiness = {
    ready: true,
    draining: false,
    database: 'ok',
    migrations: 'ok',
    backlog: null,
    certificate_left_s: null,
    resolvers: 'ok',
    checks: { clock: 'ok', keys: 'ok', writes: 'ok' },
    configuration_warnings: [],
    settings: {},
    edge_engine: null,
    replica: null,
    edge_http_url: null,
  } as const;
  const metrics = createMetrics();
  metrics.relay(() => null);
  const text = await metrics.text(readiness, null);
  const names = [...text.matchAll(/^# TYPE (nameplate_\S+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(0);
  const listed = rowsOf('Metrics').map(([name]) => name);
  expect(listed.filter((name) => !name.startsWith('nameplate_process_'))).toEqual(names);
});

test("the guide's list of metrics includes the metrics of a node with several processes", async () => {
  const metrics = createProcessMetrics();
  metrics.expect('edge-1');
  const text = await metrics.text([]);
  const listed = rowsOf('Metrics').map(([name]) => name);
  const names = [...text.matchAll(/^# TYPE (nameplate_\S+)/gm)].map(([, name = '']) => name);
  expect(names).toContain('nameplate_process_restarts_total');
  expect(listed).toEqual(expect.arrayContaining(names));
});

test("the guide's table of commands names each operator command", () => {
  const section = guide.split('\n## Operating\n')[1]?.split('\n## ')[0] ?? '';
  for (const id of Object.keys(ALL_COMMANDS).filter((each) => each.startsWith('service:'))) {
    const [, topic = '', name = ''] = id.split(':');
    const words = name === '' ? `service ${topic}` : `service ${topic} `;
    expect.soft(guide, id).toContain(words);
    if (name !== '') expect.soft(section, id).toMatch(new RegExp(`service ${topic} [^\`]*\\b${name}\\b`));
  }
});

test('the compose file passes each setting from the environment to every node, except the address of its own database', () => {
  const { services } = parse(compose, { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  const told = rowsOf('Settings').map(([name]) => name);
  for (const service of ['migrate', 'node-1', 'node-2', 'node-3']) {
    const environment = services[service]?.environment ?? {};
    expect(Object.keys(environment), service).toEqual(told);
    const fixed = told.filter((name) => !environment[name]?.startsWith(`\${${name}:`));
    expect(fixed, service).toEqual(['DATABASE_URL']);
  }
});

test('the compose file has the listeners of the image as its defaults', () => {
  for (const [, name = '', address = ''] of dockerfile.matchAll(/(NAMEPLATE_\w+_LISTEN)=(\S+)/g)) {
    expect(compose).toContain(`${name}: \${${name}:-${address}}`);
  }
});

test('the example environment has each setting that the compose file needs, and no unknown one', () => {
  const known = [...Object.keys(environmentSchema.shape), 'POSTGRES_PASSWORD'];
  const inExample = [...example.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name]) => name);
  const needed = [...compose.matchAll(/\$\{([A-Z_0-9]+):\?/g)].map(([, name]) => name);
  expect(known).toEqual(expect.arrayContaining(inExample));
  expect(inExample).toEqual(expect.arrayContaining(needed));
});

test('the plans in the guide are the default plans of the code', () => {
  const [, json = ''] = guide.split('\n## Plans of your own\n')[1]?.split(/```(?:json)?\n/) ?? [];
  expect(JSON.parse(json)).toEqual(PLANS);
});

test('the guide publishes the wildcard records of both zones, with the addresses in its example', () => {
  const section = guide.split('\n## DNS records to publish\n')[1]?.split('\n## ')[0] ?? '';
  const exported = Object.fromEntries(
    [...guide.matchAll(/(NAMEPLATE_\w+)=([\w.:-]+)/g)].map(([, name, value]) => [name, value]),
  );
  for (const zone of [exported['NAMEPLATE_EDGE_ZONE'], exported['NAMEPLATE_SANDBOX_ZONE']]) {
    expect(section).toMatch(new RegExp(`^\\*\\.${zone}\\. .* A +${exported['NAMEPLATE_EDGE_IPV4']}$`, 'm'));
    expect(section).toMatch(
      new RegExp(`^\\*\\.${zone}\\. .* AAAA +${exported['NAMEPLATE_EDGE_IPV6']}$`, 'm'),
    );
  }
});

function spelled(value: unknown): string {
  if (Array.isArray(value)) return value.map(spelled).join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  const { host, port } = value as { host: string; port: number };
  return `${host}:${port}`;
}
