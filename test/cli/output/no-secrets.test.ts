import { expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../../bin/main.ts';
import { runCommandLine } from '../../../cli/main.ts';
import type { CommandClass } from '../../../cli/runtime/base-command.ts';
import { type Answer, type SeenRequest, startFakeApi } from '../fake-api.ts';
import { LIVE_KEY, TEST_KEY } from '../resources.ts';
import { emptyFolder, runCli } from '../run-cli.ts';
import { userConfig } from '../settings/config-folders.ts';

/** The secret parts of the keys, which no command may print, whatever goes wrong. */
const SECRETS = [TEST_KEY.slice(8), LIVE_KEY.slice(8), Buffer.alloc(32, 9).toString('base64')] as const;
const SIGNING_SECRET = `whsec_${SECRETS[2]}`;

/** Commands that start a server, need a database or send no request. The test runs them only with wrong command lines. */
const NEEDS_MORE = /^demo$|^emulator:(start|exec)$|^service:|^logout$/;

const ids = Object.keys(ALL_COMMANDS);

/** Arguments and flags that a command needs in order to run. */
const FILLED: Readonly<Record<string, string[]>> = {
  api: ['GET', '/v1/apps/current'],
  completion: ['bash'],
  'domains:wait': ['dom_1', '--timeout', '1s'],
  'events:redeliver': ['evt_1'],
  'keys:create': ['--name', 'ci', '--mode', 'test'],
  'keys:revoke': ['key_1', '--yes'],
  'apps:rotate-secret': ['--yes'],
  'apps:update': ['--name', 'New'],
  'domains:update': ['dom_1', '--clear-origin'],
  'domains:remove': ['dom_1', '--yes'],
  'profiles:remove': ['other', '--yes'],
  'profiles:use': ['other'],
  'webhooks:verify': ['--body', '-', '--signature', `t=1,v1=${'0'.repeat(64)}`],
  'webhooks:sign': ['--body', '-'],
  'emulator:clock:advance': ['1s'],
  'emulator:expect': ['domain.created', '--timeout', '1s'],
  'emulator:hold': ['held.acme.com'],
  'emulator:release': ['held.acme.com'],
  'emulator:reset': ['--yes'],
  'emulator:trigger': ['dom_1', 'dns_seen'],
  listen: ['--forward-to', '3000'],
  login: ['--with-key', '-'],
};

function argvOf(id: string, command: CommandClass): string[] {
  const required = Object.values(command.args).filter(({ required }) => required);
  return [
    ...id.split(':'),
    ...(FILLED[id] ?? required.map(() => (id.startsWith('events') ? 'evt_1' : 'dom_1'))),
  ];
}

async function loaded(id: string): Promise<CommandClass> {
  const command = await ALL_COMMANDS[id]?.load();
  if (command === undefined) throw new Error(`${id} is no command`);
  return command;
}

async function outputOf(
  argv: string[],
  options: { url?: string; live?: boolean; stdin?: string } = {},
): Promise<string> {
  const { url = 'http://127.0.0.1:1', live = false, stdin = TEST_KEY } = options;
  const XDG_CONFIG_HOME = userConfig({ other: { base_url: url, api_key: LIVE_KEY } });
  const env = {
    XDG_CONFIG_HOME,
    XDG_CACHE_HOME: emptyFolder(),
    DEBUG: '*',
    NAMEPLATE_BASE_URL: url,
    NAMEPLATE_API_KEY: live ? LIVE_KEY : TEST_KEY,
    NAMEPLATE_WEBHOOK_SECRET: SIGNING_SECRET,
  };
  const { exit, stdout, stderr } = await runCli(argv, { env, stdin }, (words, world) =>
    runCommandLine(words, world, ALL_COMMANDS),
  );
  expect(Number.isInteger(exit)).toBe(true);
  return stdout + stderr;
}

function expectNoSecret(output: string): void {
  for (const secret of SECRETS) expect(output).not.toContain(secret);
}

test.each(ids)('the command %s prints no key if its command line is wrong', async (id) => {
  const argv = argvOf(id, await loaded(id));
  for (const wrong of [
    ['--nonsense'],
    ['--debug'],
    ['--json', '--nonsense'],
    [`--${TEST_KEY}`],
    ['--profile', TEST_KEY],
    ['--base-url', `https://${TEST_KEY}@127.0.0.1`, '--json'],
    ['--base-url', SIGNING_SECRET],
  ]) {
    expectNoSecret(await outputOf([...argv, ...wrong, '--no-such-flag']));
  }
  expectNoSecret(await outputOf([...argv, TEST_KEY, SIGNING_SECRET, '--no-such-flag']));
});

const leaky = `What you sent: Bearer ${TEST_KEY} ${LIVE_KEY} ${SIGNING_SECRET}`;
const ANSWERS: Readonly<Record<string, Answer | ((request: SeenRequest) => Answer)>> = {
  'an error that repeats the key': {
    status: 401,
    body: { error: { code: leaky, message: leaky, fix: leaky, docs: leaky, status_detail: { leaky } } },
  },
  'a page that is not from the API': {
    status: 403,
    headers: { 'content-type': 'text/html' },
    body: leaky,
  },
  'a document that repeats the key': ({ headers }) => ({
    body: { id: 'x', name: headers.authorization, data: [] },
  }),
  'a response of another shape': { body: { data: 7, next_cursor: 9 } },
  'a redirect': { status: 302, headers: { location: `https://127.0.0.1/?key=${TEST_KEY}` } },
  'nothing and closes the connection': { hangUp: true },
};

const asking = ids.filter((id) => !NEEDS_MORE.test(id));

test.each(Object.entries(ANSWERS))(
  'no command prints a key if the server responds with %s',
  async (_, answer) => {
    await using api = await startFakeApi({}, answer);
    for (const id of asking) {
      // These two commands would never end if the server gave valid responses.
      if (typeof answer === 'function' && /^(listen|events:tail)$/.test(id)) continue;
      const argv = argvOf(id, await loaded(id));
      for (const end of [[], ['--json']]) expectNoSecret(await outputOf([...argv, ...end], { url: api.url }));
      expectNoSecret(await outputOf(argv, { url: api.url, live: true }));
    }
  },
);

test('no command prints a key if it cannot reach the server', async () => {
  for (const id of asking) {
    const argv = argvOf(id, await loaded(id));
    expectNoSecret(await outputOf([...argv, '--json']));
  }
});
