import { expect, test } from 'vitest';
import { GLOBAL_FLAGS } from '../../../cli/arguments/find-command.ts';
import { BaseCommand } from '../../../cli/runtime/base-command.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

test('the CLI accepts every global flag before the command', () => {
  const ofCommands = Object.entries(BaseCommand.baseFlags).map(([name, flag]) => [
    `--${name}`,
    { hasValue: flag.type === 'option' },
  ]);
  const { '--help': help, '-h': h, ...others } = GLOBAL_FLAGS;
  expect(others).toEqual(Object.fromEntries(ofCommands));
  expect([help, h]).toEqual([{ hasValue: false }, { hasValue: false }]);
});

test.each([
  [['--json', 'domains', 'list']],
  [['--no-color', '--json', 'domains', 'list', '--limit', '1']],
  [['--json', 'domains:list']],
])('the CLI accepts global flags anywhere: %j', async (argv) => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
  const { exit, stdout } = await runCli(argv, { env: keyFor(api.url) });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).data).toHaveLength(1);
});

test.each([[['--base-url', 'URL']], [['--base-url=URL']]])(
  'the CLI does not mistake the value in %j for a command',
  async (flags) => {
    await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
    const { NAMEPLATE_API_KEY = '' } = keyFor(api.url);
    const argv = [...flags.map((flag) => flag.replace('URL', api.url)), 'domains', 'list'];
    const { exit } = await runCli(argv, { env: { NAMEPLATE_API_KEY } });
    expect({ exit, requests: api.requests.length }).toEqual({ exit: 0, requests: 1 });
  },
);

test('the CLI shows the help of a command that comes after --help', async () => {
  const before = await runCli(['--help', 'domains', 'list']);
  expect(before).toEqual(await runCli(['domains', 'list', '--help']));
  expect(before.stdout).toContain('domains list');
});

test.each([
  ['before the command', ['--status', 'active', '--limit', '2', 'domains', 'list']],
  ['between the words of the command', ['domains', '--status', 'active', 'list', '--limit=2']],
  ['with a value that is a word of another command', ['--status', 'active', 'domains', '--limit', '2', 'ls']],
])('the CLI accepts the flags of a command %s', async (_, argv) => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
  const { exit, stderr } = await runCli([...argv, '--json'], { env: keyFor(api.url) });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(api.requests.map(({ query }) => String(query))).toEqual(['status=active&limit=2']);
});

test.each([
  [['domains', '--yes', 'remove', 'dom_01k']],
  [['--yes', 'domains', 'rm', 'dom_01k']],
  [['domains', 'rm', '--yes', 'dom_01k']],
])('the CLI accepts a flag without a value anywhere: %j', async (argv) => {
  await using api = await startFakeApi({
    'GET /v1/domains/dom_01k': { body: domainOf({ id: 'dom_01k' }) },
    'DELETE /v1/domains/dom_01k': { status: 204 },
  });
  const { exit, stderr } = await runCli(argv, { env: keyFor(api.url) });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
});

test('the CLI takes a word after a flag as the value of that flag, even if the word could also belong to a command', async () => {
  const { stderr } = await runCli(['emulator', 'clock', '--mode', 'advance']);
  expect(stderr).toContain('--mode must be real, auto or frozen, not "advance".');
});

test('if the first word is no command, the CLI does not search for a command in the words after it', async () => {
  const { exit, stderr } = await runCli(['demos', 'domains', 'list']);
  expect(exit).toBe(2);
  expect(stderr).toContain('There is no command "demos domains list".');
});

test.each([
  [['--key=sk_test_abc', 'login'], 'There is no flag --key.'],
  [['--profile'], 'Missing command.'],
  [['--bogus'], 'Missing command.'],
])('the command line %j is a usage error', async (argv, message) => {
  const { exit, stderr } = await runCli(argv);
  expect(exit).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('sk_test_abc');
});
