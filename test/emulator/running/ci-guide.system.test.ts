import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { emptyHome } from '../../cli/bin-process.ts';
import { packPackage } from '../../fixtures/packed-package.ts';

/** Tests the CI workflow in the guide `docs/ci.md`. */
const root = path.resolve(import.meta.dirname, '../../..');
const guide = readFileSync(path.join(root, 'shared/docs/ci.md'), 'utf8');
const run = promisify(execFile);

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
}
interface Workflow {
  name: string;
  on: string[];
  permissions: Record<string, string>;
  jobs: Record<string, { 'runs-on': string; 'timeout-minutes': number; steps: Step[] }>;
}
const workflow = parse(snippet('yaml')) as Workflow;
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

let folder: string;

/**
 * Creates a project as it is after the first step of the guide. Installs the packed package as `npm ci` would. The package needs no other
 * packages.
 */
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-ci-'));
  const project = path.join(folder, 'project');
  const modules = path.join(project, 'node_modules');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  const tarball = await packPackage(folder);
  expect(guide).toContain(`vendor/${path.basename(tarball)}`);
  await run('tar', ['-xzf', tarball], { cwd: modules });
  cpSync(path.join(modules, 'package'), path.join(modules, 'nameplate'), { recursive: true });
  symlinkSync('../nameplate/bin/nameplate.js', path.join(modules, '.bin/nameplate'));
  writeFileSync(
    path.join(project, 'package.json'),
    JSON.stringify({ name: 'app', private: true, type: 'module', scripts: { test: 'node --test' } }),
  );
  writeFileSync(path.join(project, 'app.test.js'), snippet('js'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the workflow in the CI guide is valid for GitHub: known keys, a runner, a time limit, and read access only', () => {
  expect(Object.keys(workflow)).toEqual(['name', 'on', 'permissions', 'jobs']);
  expect(workflow.on).toEqual(['push', 'pull_request']);
  expect(workflow.permissions).toEqual({ contents: 'read' });
  for (const job of Object.values(workflow.jobs)) {
    expect(Object.keys(job)).toEqual(['runs-on', 'timeout-minutes', 'steps']);
    expect(job['runs-on']).toBe('ubuntu-latest');
  }
  for (const step of steps) expect([['uses'], ['uses', 'with'], ['run']]).toContainEqual(Object.keys(step));
});

test('the workflow in the CI guide uses existing major versions of actions, and a supported Node version', () => {
  const used = steps.filter(({ uses }) => uses !== undefined);
  expect(used.map(({ uses }) => uses)).toEqual(['actions/checkout@v7', 'actions/setup-node@v7']);
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(used[1]?.with).toEqual({ 'node-version': 24, cache: 'npm' });
  const [, major = ''] = /^>=(\d+)$/.exec(engines.node) ?? [];
  expect(Number(major)).toBeLessThanOrEqual(24);
});

test("the workflow in the CI guide runs the guide's test against the packed package", async () => {
  const [install, ...commands] = steps.flatMap((step) => step.run ?? []);
  expect(install).toBe('npm ci');
  expect(commands).toHaveLength(1);
  for (const command of commands) {
    // Runs the command with the shell options of a CI runner.
    const { stdout } = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', command], {
      cwd: path.join(folder, 'project'),
      env: { ...emptyHome(), PATH: process.env['PATH'], npm_config_offline: 'true' },
    });
    expect(stdout).toMatch(/pass 1\n.*fail 0\n/s);
  }
});

/** Returns the guide's first code block in a language, without the indentation of the list around it. */
function snippet(language: string): string {
  const [, indent = '', text = ''] =
    new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'ms').exec(guide) ?? [];
  return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}
