import { expect, test } from 'vitest';
import { emulatorState, envWith } from '../emulator/registered.ts';
import { apiError, startFakeApi } from '../fake-api.ts';
import { keyFor, runCli } from '../run-cli.ts';

test.each([
  [404, 'is not a Nameplate API: it responded with 404.'],
  [400, 'is not a Nameplate API: it responded with 400.'],
  [401, 'is not a Nameplate API: it responded with 401.'],
  [502, 'responded with 502, but not in the format of a Nameplate API.'],
])('the CLI exits with 8 if a response with status %i has no error envelope', async (status, message) => {
  await using api = await startFakeApi({}, { status, body: { message: 'Hello.' } });
  const env = keyFor(api.url);
  for (const argv of [
    ['domains', 'get', 'dom_1'],
    ['domains', 'get', 'careers.acme.com'],
    ['events', 'tail', '--json'],
    ['emulator', 'status', '--base-url', api.url],
  ]) {
    const { exit, stdout, stderr } = await runCli(argv, { env });
    expect({ argv, exit }).toEqual({ argv, exit: 8 });
    expect(stdout + stderr).toContain(`${api.url} ${message}`);
    expect(stdout + stderr).toContain('base URL');
  }
});

test('if the base URL is the address of the emulator edge, the CLI says so and names the address of the API', async () => {
  await using edge = await startFakeApi({}, { status: 404 });
  const apiKey = 'sk_test_0000000000000000000000000000';
  await using api = await startFakeApi({
    'GET /_emulator/status': { body: { pid: process.pid, keys: { test: apiKey } } },
  });
  const { NAMEPLATE_STATE_DIR } = envWith(emulatorState(api.url, { edge_url: edge.url, api_key: apiKey }));
  const { exit, stderr } = await runCli(['domains', 'list'], {
    env: { ...keyFor(edge.url), NAMEPLATE_STATE_DIR },
  });
  expect(exit).toBe(8);
  expect(stderr).toContain(`It is the emulator's edge; the API is at ${api.url}.`);
});

test('the error for a refused key names the source of the key and the server', async () => {
  await using api = await startFakeApi({}, apiError(401, 'unauthorized'));
  const text = await runCli(['apps', 'get'], { env: keyFor(api.url) });
  expect(text.exit).toBe(4);
  expect(text.stderr).toContain(`${api.url} does not accept the key from NAMEPLATE_API_KEY. (unauthorized)`);
  for (const argv of [
    ['apps', 'get', '--json'],
    ['events', 'tail', '--json'],
  ]) {
    const { stdout } = await runCli(argv, { env: keyFor(api.url) });
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'unauthorized',
      message: `${api.url} does not accept the key from NAMEPLATE_API_KEY.`,
      docs: 'https://docs.example.com/errors/unauthorized',
      exit: 4,
    });
  }
});
