import { expect, test } from 'vitest';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const DEBUG = { NAMEPLATE_DEBUG: '1' };

test('NAMEPLATE_DEBUG prints each request on stderr, without the key', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
  const env = keyFor(api.url);
  const { stdout, stderr, exit } = await runCli(['domains', 'list', '--json'], { env: { ...env, ...DEBUG } });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).data).toHaveLength(1);
  expect(stderr).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/v1\/domains\S* 200( req_\S+)? after \d+ ms$/m);
  expect(stderr).not.toContain(env.NAMEPLATE_API_KEY);
  const quiet = await runCli(['domains', 'list', '--json'], { env });
  expect(quiet.stderr).not.toContain('/v1/domains');
});

test('NAMEPLATE_DEBUG also prints a request that got no response', async () => {
  const env = { ...keyFor('http://127.0.0.1:9'), ...DEBUG };
  const { stderr, exit } = await runCli(['domains', 'list'], { env });
  expect(exit).toBe(8);
  expect(stderr).toMatch(/^GET \S+ no response after \d+ ms$/m);
});
