import { expect, test } from 'vitest';
import { apiError, startFakeApi } from '../fake-api.ts';
import { appOf, TEST_KEY } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const well = appOf({ webhook_url: 'https://acme.com/hooks', origin_url: 'https://acme.com' });

async function doctor(env: Record<string, string>) {
  const { exit, stdout } = await runCli(['doctor', '--json'], { env });
  const { data } = JSON.parse(stdout);
  const of = (check: string) => data.find((each: { check: string }) => each.check === check);
  expect(stdout).not.toContain(TEST_KEY);
  return { exit, of, results: new Set(data.map(({ result }: { result: string }) => result)) };
}

test('doctor exits with 0 if every check passes', async () => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': { body: well } });
  const { exit, of, results } = await doctor(keyFor(api.url));
  expect(exit).toBe(0);
  expect([...results]).toEqual(['ok']);
  expect(of('server').found).toBe(`${api.url}, from NAMEPLATE_BASE_URL`);
  expect(of('response').found).toMatch(/^Acme in \d+ ms$/);
  const text = await runCli(['doctor'], { env: keyFor(api.url) });
  expect(text.stdout).toMatch(/^✓ nameplate +\d/);
});

test('doctor warns about a missing webhook URL and an unreachable origin, without failing', async () => {
  const body = appOf({
    origin_url: 'https://acme.com',
    origin_unreachable: true,
    origin_status_reason: 'origin_timeout',
  });
  await using api = await startFakeApi({ 'GET /v1/apps/current': { body } });
  const { exit, of } = await doctor(keyFor(api.url));
  expect(exit).toBe(0);
  expect(of('webhooks')).toMatchObject({ result: 'warning', fix: expect.stringContaining('--webhook') });
  expect(of('origin').found).toContain('origin_timeout');
});

test.each([
  ['a revoked key', { 'GET /v1/apps/current': apiError(401, 'unauthorized') }, 4],
  ['a server that responds with 503', { 'GET /v1/apps/current': apiError(503, 'service_unavailable') }, 8],
])('doctor reports %s as a problem, and exits with the code for it', async (_, answers, code) => {
  await using api = await startFakeApi(answers);
  const { exit, of } = await doctor(keyFor(api.url));
  expect(exit).toBe(code);
  expect(of('response')).toMatchObject({ result: 'problem', exit: code });
});

test('doctor distinguishes a missing key, a server that is down, and a malformed key', async () => {
  expect((await doctor({})).of('key and server')).toMatchObject({ result: 'problem', exit: 4 });
  expect((await doctor(keyFor('http://127.0.0.1:1'))).exit).toBe(8);
  const wrong = await doctor(keyFor('http://127.0.0.1:1', 'whsec_abcdefgh'));
  expect(wrong.of('key and server').found).toBe('The value from NAMEPLATE_API_KEY is not an API key.');
});

test('doctor warns about a wrong clock, which would make webhooks fail', async () => {
  const date = new Date(Date.now() - 600_000).toUTCString();
  await using api = await startFakeApi({ 'GET /v1/apps/current': { body: well, headers: { date } } });
  const { of } = await doctor(keyFor(api.url));
  expect(of('clock')).toMatchObject({ result: 'warning', found: expect.stringMatching(/^60\d s ahead of/) });
});

test("doctor shows the proxy's address without its password", async () => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': { body: well } });
  const { of } = await doctor({ ...keyFor(api.url), HTTPS_PROXY: 'http://me:hunter2@proxy.acme.com:3128' });
  expect(of('proxy').found).toBe('proxy.acme.com:3128 (HTTPS_PROXY), except for addresses of this machine');
});
