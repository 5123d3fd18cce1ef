import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SHELL_SCRIPTS, SHELLS } from '../../../cli/complete/shell-scripts.ts';
import { emulatorState, envWith } from '../emulator/registered.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, eventOf, page, TEST_KEY } from '../resources.ts';
import { emptyFolder, keyFor, runCli } from '../run-cli.ts';
import { userConfig } from '../settings/config-folders.ts';

async function complete(words: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { exit, stdout, stderr } = await runCli(['__complete', ...words], { env });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

test.each([
  [[''], ['domains', 'login', 'whoami']],
  [['do'], ['domains', 'doctor']],
  [
    ['domains', ''],
    ['add', 'get', 'list', 'wait'],
  ],
  [['domains', 'w'], ['wait']],
  [['emulator', 'clock', ''], ['advance']],
  [
    ['emulator', 'trigger', 'careers.acme.com', ''],
    ['dns_gone', 'hold', 'delete'],
  ],
  [['emulator', 'trigger', 'careers.acme.com', '--reason', 'x', 'dns_g'], ['dns_gone']],
  // `=` is the script's mark for an empty last word, which some shells would drop.
  [['domains', '='], ['add']],
  [['help', 'domains', 'a'], ['add']],
  [
    ['api', ''],
    ['GET', 'POST', 'PATCH', 'DELETE'],
  ],
  [['domains', 'list', '--st'], ['--status']],
  [['domains', 'list', '--status', 'a'], ['active']],
  [['domains', 'list', '--status=a'], ['--status=active']],
  [['domains', 'list', '--status', '=', 'a'], ['active']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish', 'powershell'],
  ],
])('the shell completion completes %j with %j', async (words, expected) => {
  expect(await complete(words)).toEqual(expect.arrayContaining(expected));
});

test('the shell completion offers a flag again only if it is repeatable', async () => {
  const flags = await complete(['domains', 'list', '--status', 'active', '--metadata', 'a=b', '--']);
  expect(flags).toContain('--metadata');
  expect(flags).not.toContain('--status');
});

test('the shell completion offers nothing after an unknown command, and nothing for a file or a surplus argument', async () => {
  for (const words of [
    ['nonsense', ''],
    ['webhooks', 'verify', '--body', ''],
    ['domains', 'get', 'a.acme.com', ''],
  ]) {
    expect(await complete(words)).toEqual([]);
  }
});

test('the shell completion completes hostnames and ids from the server, with a cache, and profiles from the config', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': page(domainOf(), domainOf({ hostname: 'jobs.acme.com' })),
    'GET /v1/events': page(eventOf()),
    'GET /v1/keys': page({ id: 'key_1', name: 'ci', mode: 'test' }),
  });
  const env = { ...keyFor(api.url), XDG_CACHE_HOME: emptyFolder() };
  expect(await complete(['domains', 'get', ''], env)).toEqual(['careers.acme.com', 'jobs.acme.com']);
  expect(await complete(['domains', 'wait', 'jobs.acme.com', ''], env)).toEqual(['careers.acme.com']);
  expect(await complete(['events', 'list', '--domain', 'j'], env)).toEqual(['jobs.acme.com']);
  expect(api.requests).toHaveLength(1);
  expect(await complete(['events', 'get', ''], env)).toEqual([eventOf().id]);
  expect(await complete(['keys', 'revoke', ''], env)).toEqual(['key_1']);
  const XDG_CONFIG_HOME = userConfig({ staging: { base_url: api.url, api_key: TEST_KEY } });
  expect(await complete(['profiles', 'use', ''], { XDG_CONFIG_HOME })).toEqual(['staging']);
});

test("the shell completion offers the emulator's domains to emulator commands, not the domains of the profile's server", async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': page(domainOf({ hostname: 'stored.acme.com' })),
  });
  await using emulator = await startFakeApi({
    'GET /_emulator/status': { body: { pid: process.pid, keys: { test: TEST_KEY } } },
    'GET /v1/domains': page(domainOf({ hostname: 'local.acme.com' })),
  });
  const { NAMEPLATE_STATE_DIR } = envWith(emulatorState(emulator.url));
  const XDG_CONFIG_HOME = userConfig({ default: { base_url: api.url, api_key: TEST_KEY } });
  const env = { NAMEPLATE_STATE_DIR, XDG_CONFIG_HOME, XDG_CACHE_HOME: emptyFolder() };
  expect(await complete(['emulator', 'trigger', ''], env)).toEqual(['local.acme.com']);
  expect(await complete(['domains', 'get', ''], env)).toEqual(['stored.acme.com']);
});

test('the shell completion searches the server by prefix for a hostname that is not on the first page', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': ({ query }) =>
      query.has('hostname') ? page(domainOf({ hostname: 'zebra.acme.com' })) : page(domainOf()),
  });
  expect(await complete(['domains', 'get', 'zeb'], keyFor(api.url))).toEqual(['zebra.acme.com']);
});

test('the shell completion prints no error and no unsafe word if the server fails or sends shell code', async () => {
  await using refusing = await startFakeApi({});
  await using lying = await startFakeApi({
    'GET /v1/domains': page(domainOf({ hostname: '$(reboot)' }), domainOf({ hostname: 'a b' })),
  });
  for (const url of ['http://127.0.0.1:1', refusing.url, lying.url]) {
    expect(await complete(['domains', 'get', ''], keyFor(url))).toEqual([]);
  }
  expect(await complete(['domains', 'get', ''])).toEqual([]);
});

test.each(SHELLS)('the completion command prints the script for %s', async (shell) => {
  const { exit, stdout } = await runCli(['completion', shell]);
  expect(exit).toBe(0);
  expect(stdout).toBe(`${SHELL_SCRIPTS[shell]}\n`);
  expect(stdout).toContain('nameplate __complete');
});

test('the bash completion script passes the words up to the cursor to the CLI, and offers the values that the CLI returns', () => {
  const program = `
    nameplate() { printf '%s,' "$@" >&2; printf 'list\\tList domains\\nlook\\t\\n'; }
    ${SHELL_SCRIPTS.bash.replace('2>/dev/null', '')}
    COMP_WORDS=(nameplate domains l more); COMP_CWORD=2; _nameplate
    echo "\${COMPREPLY[*]}"; complete -p nameplate`;
  const out = execFileSync('bash', ['-c', `{ ${program}\n} 2>&1`], { encoding: 'utf8' });
  expect(out).toBe('__complete,domains,l,list look\ncomplete -o default -F _nameplate nameplate\n');
});
