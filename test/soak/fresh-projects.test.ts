import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmulator } from '../../emulator/start.ts';
import { samplesOf } from '../docs/read-samples.ts';
import { freePort } from '../fixtures/free-port.ts';
import { packPackage } from '../fixtures/packed-package.ts';
import {
  JEST,
  NEXT,
  PROGRAMS,
  TYPED,
  TYPED_JSX,
  VITEST_JSDOM,
  WORKER,
  workerConfig,
} from './fresh-projects/programs.ts';
import { createProject, type Project } from './fresh-projects/project.ts';

/**
 * Tests fresh projects with each package manager, module system, Node version and framework that the guides name. Each installs the packed
 * package from npm's configured registry, and runs its programs with an emulator.
 */
let root: string;
let tarball: string;
let emulator: Awaited<ReturnType<typeof startEmulator>>;
let registry: string;
const worked: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'nameplate-fresh-'));
  tarball = await packPackage(root);
  emulator = await startEmulator();
  await using project = createProject(root, {});
  registry = (await project.run('npm config get registry')).trim();
}, 300_000);

afterAll(async () => {
  await emulator.close();
  rmSync(root, { recursive: true, force: true });
  console.log(`${worked.length} fresh projects work:\n${worked.join('\n')}`);
});

const credentials = () => ({ NAMEPLATE_API_KEY: emulator.keys.test, NAMEPLATE_BASE_URL: emulator.url });
const npm = (project: Project, packages: string) =>
  project.run(`npm install --no-audit --no-fund ${tarball} ${packages}`);

/** Runs both programs of a project, and expects no warning. @param node the command that runs a JavaScript file. */
async function runPrograms(project: Project, node: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  for (const [file, form] of [
    ['main.mjs', 'an ES module'],
    ['main.cjs', 'CommonJS'],
  ])
    expect((await project.run(`${node} ${file}`, { ...credentials(), ...env })).trim()).toBe(
      `works in ${form}`,
    );
}

describe('the package in a fresh project', () => {
  const MANAGERS: Record<string, { packages: string; install: () => string; node: string }> = {
    npm: { packages: '', install: () => `npm install ${tarball}`, node: 'node' },
    'pnpm 10': { packages: 'pnpm@10', install: () => `tool/pnpm add ${tarball}`, node: 'node' },
    'Yarn 4, node_modules': {
      packages: '@yarnpkg/cli-dist@4',
      install: () =>
        `tool/yarn config set nodeLinker node-modules && tool/yarn add nameplate@file:${tarball}`,
      node: 'node',
    },
    "Yarn 4, Plug'n'Play": {
      packages: '@yarnpkg/cli-dist@4',
      install: () => `tool/yarn add nameplate@file:${tarball}`,
      node: 'tool/yarn node',
    },
    Bun: { packages: 'bun', install: () => `tool/bun add ${tarball}`, node: 'tool/bun' },
    Deno: { packages: 'deno', install: () => `npm install ${tarball}`, node: 'tool/deno run --allow-all' },
  };

  test.each(Object.keys(MANAGERS))('is installed by %s, and loads in both module systems', async (name) => {
    const manager = MANAGERS[name];
    if (manager === undefined) throw new Error(name);
    await using tools = createProject(root, {});
    if (manager.packages !== '') await tools.run(`npm install --no-audit --no-fund ${manager.packages}`);
    await using project = createProject(root, { ...PROGRAMS, 'yarn.lock': '', 'pnpm-workspace.yaml': '' });
    await project.run(`ln -s ${tools.folder}/node_modules/.bin tool`);
    const env = {
      npm_config_registry: registry,
      YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ''),
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
      YARN_ENABLE_GLOBAL_CACHE: 'false',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_HTTPS_CA_FILE_PATH: process.env['NODE_EXTRA_CA_CERTS'],
    };
    await project.run(manager.install(), env);
    await runPrograms(project, manager.node, env);
    worked.push(name);
  });
});

test.each(['20.11.1', '20', '22', '24'])(
  'the package loads on Node %s in both module systems without a warning',
  async (version) => {
    await using project = createProject(root, PROGRAMS);
    await npm(project, `node@${version}`);
    const node = 'node_modules/node/bin/node';
    expect(await project.run(`${node} --version`)).toContain(`v${version}`);
    await runPrograms(project, node);
    worked.push(`Node ${version}`);
  },
);

test.each([
  { moduleResolution: 'node', module: 'commonjs', type: 'commonjs' },
  { moduleResolution: 'node16', module: 'node16', type: 'commonjs' },
  { moduleResolution: 'node16', module: 'node16', type: 'module' },
  { moduleResolution: 'nodenext', module: 'nodenext', type: 'module' },
  { moduleResolution: 'bundler', module: 'esnext', type: 'module' },
])(
  "the package's types compile strictly: $moduleResolution in a $type package",
  async ({ type, ...resolution }) => {
    const compilerOptions = {
      ...resolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      skipLibCheck: false,
      noEmit: true,
      esModuleInterop: true,
      jsx: 'react-jsx',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
    };
    await using project = createProject(root, {
      'package.json': JSON.stringify({ private: true, type }),
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['use.ts', 'view.tsx'] }),
      'use.ts': TYPED,
      'view.tsx': TYPED_JSX,
    });
    await npm(project, 'typescript@5.9 react@19 @types/react@19');
    expect(await project.run('npx tsc -p .')).toBe('');
    worked.push(`TypeScript, ${resolution.moduleResolution}, ${type}`);
  },
);

test.each(['14', '16'])(
  'a Next.js %s project with the package builds while the API is away, and never serves a stored response',
  async (version) => {
    await using project = createProject(root, NEXT);
    const react = version === '14' ? '18' : '19';
    await npm(project, `next@${version} react@${react} react-dom@${react}`);
    const env = { KEY: emulator.keys.test, URL: emulator.url };
    await project.run('npx next build', { ...env, URL: 'http://127.0.0.1:9', NODE_ENV: 'production' });
    const { url } = await project.serve('npx next start', env);
    for (const name of ['First name', 'Second name']) {
      const headers = { authorization: `Bearer ${emulator.keys.test}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ name });
      await fetch(`${emulator.url}/v1/apps/current`, { method: 'PATCH', headers, body });
      expect(await (await fetch(url)).text()).toContain(name);
    }
    expect(await (await fetch(`${url}/connect`)).text()).toContain('<nameplate-connect');
    const refused = await fetch(`${url}/webhooks`, { method: 'POST', body: '{}' });
    expect([refused.status, await refused.text()]).toEqual([400, 'malformed_header']);
    worked.push(`Next.js ${version}`);
  },
);

test.each([
  { page: 'express', packages: 'express@4', node: '20' },
  { page: 'express', packages: 'express@5', node: '20' },
  { page: 'fastify', packages: 'fastify@5', node: '22' },
  { page: 'h3', packages: 'h3@2', node: '20' },
  { page: 'hono', packages: 'hono@4 @hono/node-server@2', node: '20' },
])(
  'the program of the guide to $page survives every forged request, with $packages on Node $node',
  async ({ page, packages, node }) => {
    const [sample] = samplesOf(page).filter(({ attributes }) => attributes['file'] === 'app.mjs');
    const forgeries = readFileSync(path.join(import.meta.dirname, '../frameworks/forgeries.mjs'), 'utf8');
    await using project = createProject(root, {
      'app.mjs': (sample?.text ?? '').replace('3000', 'Number(process.env.PORT)'),
      'forgeries.mjs': forgeries.replaceAll('3000', 'process.env.PORT'),
    });
    await npm(project, `${packages} node@${node}`);
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const { url, hasEnded } = await project.serve('node_modules/node/bin/node app.mjs', {
      ...credentials(),
      NAMEPLATE_WEBHOOK_SECRET: secret,
    });
    const output = await project.run('node forgeries.mjs', { SECRET: secret, PORT: new URL(url).port });
    const results = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { isRight: boolean; status: number });
    expect(results.length).toBeGreaterThan(20);
    expect(
      results.filter(({ isRight, status }) => (isRight ? status >= 300 : status < 400 || status >= 500)),
    ).toEqual([]);
    expect(hasEnded()).toBe(false);
    worked.push(`${packages} on Node ${node}`);
  },
);

test("Jest loads the package's client and webhooks", async () => {
  await using project = createProject(root, { 'sdk.test.js': JEST });
  await npm(project, 'jest@30');
  expect(await project.run('npx jest', credentials())).toContain('1 passed');
  worked.push('Jest 30');
});

test('in Vitest with jsdom, the package verifies bytes of either realm, and defines the component', async () => {
  await using project = createProject(root, { 'sdk.test.js': VITEST_JSDOM });
  await npm(project, 'vitest@3 jsdom');
  expect(await project.run('npx vitest run')).toContain('1 passed');
  worked.push('Vitest with jsdom');
});

test.each(['2024-09-01', '2026-01-01'])(
  'the package runs in workerd, in a worker with the compatibility date %s',
  async (date) => {
    await using project = createProject(root, { 'main.js': WORKER });
    await npm(project, 'workerd esbuild');
    await project.run('npx esbuild main.js --bundle --format=esm --outfile=worker.js');
    const port = await freePort();
    const config = workerConfig(port, date, emulator.keys.test, emulator.url);
    await project.run(`cat > config.capnp <<'END'\n${config}\nEND`);
    await project.serve('npx workerd serve config.capnp', { PORT: String(port) });
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toMatch(/^app_\w+ malformed_header$/);
    worked.push(`workerd, ${date}`);
  },
);
