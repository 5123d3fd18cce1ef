import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkForUpdate, noticeUpdate } from '../../../cli/runtime/update-notice.ts';
import { readCache, writeCache } from '../../../cli/settings/cache-file.ts';
import { systemWorld, type World } from '../../../cli/settings/world.ts';
import { type Answer, startFakeApi } from '../fake-api.ts';
import { emptyFolder } from '../run-cli.ts';

const OURS = { version: '1.2.3', isPrivate: false };

function terminal(env: Record<string, string> = {}, isTTY = true) {
  const home = emptyFolder();
  const said: string[] = [];
  const world: World = {
    ...systemWorld(),
    env: { HOME: home, XDG_CACHE_HOME: path.join(home, 'cache'), ...env },
    stdout: { write: () => true, isTTY },
    stderr: { write: (text) => said.push(text), isTTY },
  };
  let begun = 0;
  return {
    world,
    said,
    home,
    notice: (program = OURS) => noticeUpdate(program, world, () => begun++),
    begun: () => begun,
  };
}

test('announces a newer version once a day, and checks for one once a day in a background process', async () => {
  await using registry = await startFakeApi({ 'GET /npm/nameplate/latest': { body: { version: '1.3.0' } } });
  const { world, said, notice, begun } = terminal({ npm_config_registry: `${registry.url}/npm/` });
  notice();
  notice();
  expect({ said: [...said], begun: begun() }).toEqual({ said: [], begun: 1 });
  await checkForUpdate(world);
  notice();
  notice();
  expect(said).toEqual(['nameplate 1.3.0 is available (you have 1.2.3): npm install nameplate@latest\n']);
  expect(begun()).toBe(1);
  const { method, headers } = registry.requests[0] ?? { headers: {} };
  expect({ method, sent: Object.keys(headers).sort() }).toEqual({
    method: 'GET',
    sent: ['accept', 'connection', 'host'],
  });
  const past = Date.now() - 25 * 3_600_000;
  writeCache('update', { ...readCache('update', world), checked_at: past, noticed_at: past }, world);
  notice();
  expect({ said: said.length, begun: begun() }).toEqual({ said: 2, begun: 2 });
});

test.each([
  ['in CI', terminal({ CI: 'true' }), OURS],
  ['to those who do not want it', terminal({ NAMEPLATE_NO_UPDATE_CHECK: '1' }), OURS],
  ['to those who told npm', terminal({ NO_UPDATE_NOTIFIER: '1' }), OURS],
  ['without a terminal', terminal({}, false), OURS],
  ['by a program that is not published', terminal(), { ...OURS, isPrivate: true }],
])('announces and checks nothing %s', (_, { world, said, notice, begun }, program) => {
  writeCache('update', { latest: '9.9.9' }, world);
  notice(program);
  expect({ said, begun: begun() }).toEqual({ said: [], begun: 0 });
});

test.each(['1.2.3', '1.2.2', '0.9.9', '2.0.0-beta.1', 'latest', '\x1b[31m9.9.9', 7])(
  '%j is no newer version',
  (latest) => {
    const { world, said, notice } = terminal();
    writeCache('update', { latest, checked_at: Date.now() }, world);
    notice();
    expect(said).toEqual([]);
  },
);

test.each<[string, Record<string, Answer>]>([
  ['is not there', {}],
  ['hangs up', { 'GET /nameplate/latest': { hangUp: true } }],
  [
    'redirects',
    {
      'GET /nameplate/latest': {
        status: 302,
        headers: { location: 'http://127.0.0.1:1' },
        body: { version: '9.9.9' },
      },
    },
  ],
  ['answers nonsense', { 'GET /nameplate/latest': { body: { version: { a: 1 } } } }],
])('a registry that %s changes nothing', async (_, answers) => {
  await using registry = await startFakeApi(answers);
  const { world, home } = terminal();
  writeFileSync(path.join(home, '.npmrc'), `//x/:_authToken=secret\nregistry=${registry.url}\n`);
  await checkForUpdate(world);
  expect(readCache('update', world)).toEqual({});
});
