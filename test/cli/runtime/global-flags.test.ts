import { expect, test } from 'vitest';
import { GLOBAL_FLAGS } from '../../../cli/arguments/find-command.ts';
import { BaseCommand } from '../../../cli/runtime/base-command.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

test('accepts every global flag before the command', () => {
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
])('runs %j', async (argv) => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
  const { exit, stdout } = await runCli(argv, { env: keyFor(api.url) });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).data).toHaveLength(1);
});

test.each([[['--base-url', 'URL']], [['--base-url=URL']]])(
  'does not take the value of %j for a command',
  async (flags) => {
    await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
    const { NAMEPLATE_API_KEY = '' } = keyFor(api.url);
    const argv = [...flags.map((flag) => flag.replace('URL', api.url)), 'domains', 'list'];
    const { exit } = await runCli(argv, { env: { NAMEPLATE_API_KEY } });
    expect({ exit, requests: api.requests.length }).toEqual({ exit: 0, requests: 1 });
  },
);

test('shows the help of a command that follows --help', async () => {
  const before = await runCli(['--help', 'domains', 'list']);
  expect(before).toEqual(await runCli(['domains', 'list', '--help']));
  expect(before.stdout).toContain('domains list');
});

test.each([
  [['--status', 'active', 'domains', 'list'], '--status is not a global flag. Put the command before it.'],
  [['--key=sk_test_abc', 'login'], '--key is not a global flag'],
  [['--profile'], 'Missing command.'],
])('%j is a usage error', async (argv, message) => {
  const { exit, stderr } = await runCli(argv);
  expect(exit).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('sk_test_abc');
});
