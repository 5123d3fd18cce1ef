import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textWidth } from '../../../cli/output/table.ts';
import { createClient } from '../../../shared/client/client.ts';
import { verifyWebhook } from '../../../shared/client/webhooks.ts';
import type { Driver } from '../../conformance/driver.ts';
import { startEmulatorDriver } from '../../conformance/emulator-driver.ts';
import { startReceiver } from '../../conformance/receiver.ts';
import { startServiceDriver } from '../../conformance/service-driver.ts';
import { emptyHome, runBin, startBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { runOnTerminal } from '../pty-process.ts';
import { appOf, domainOf, page } from '../resources.ts';
import { keyFor } from '../run-cli.ts';

/** Runs the built binary as a person does on a terminal and as a script does. `every-command.system.test.ts` runs each command. */
const ESC = '\x1b';

describe.each([
  ['the emulator', startEmulatorDriver],
  ['the service on Postgres', startServiceDriver],
])('the CLI works against %s', (_, start) => {
  let driver: Driver;
  const env = () => ({ ...emptyHome(), ...keyFor(driver.base_url, driver.test_key) });
  beforeAll(async () => {
    driver = await start();
  });
  afterAll(() => driver.close());

  test('listen forwards an event with its original body, and exits with 130 on Ctrl-C', async () => {
    await using receiver = await startReceiver();
    await using bin = startBin(['listen', '--forward-to', String(receiver.port), '--print-secret'], env());
    const [, secret = ''] = await bin.untilStdout(/^(whsec_\S+)\n/);
    await expect.poll(bin.stderr).toContain('Forwarding');
    const client = createClient({ apiKey: driver.test_key, baseUrl: driver.base_url });
    const { id } = await client.domains.create({ hostname: `listen-${receiver.port}.acme.com` });
    await expect.poll(() => receiver.requests.length).toBe(1);
    const [{ raw, headers } = { raw: '', headers: {} }] = receiver.requests;
    const event = await verifyWebhook({ body: raw, headers, secret });
    expect(event).toMatchObject({ type: 'domain.created', data: { domain: { id } } });
    expect(raw).toBe((await client.events.get(event.id)).body);
    bin.child.kill('SIGINT');
    expect(await bin.ended).toBe(130);
  });

  test('a command with a revoked key exits with 4 and prints a fix', async () => {
    const client = createClient({ apiKey: driver.test_key, baseUrl: driver.base_url });
    const { id, key } = await client.keys.create({ name: 'gone', mode: 'test' });
    await client.keys.revoke(id);
    const revoked = { ...emptyHome(), ...keyFor(driver.base_url, key) };
    for (const argv of [
      ['whoami'],
      ['domains', 'list'],
      ['listen', '--forward-to', '1'],
      ['events', 'tail'],
    ]) {
      const { exit, stdout, stderr } = await runBin(argv, revoked);
      expect({ argv, exit }).toEqual({ argv, exit: 4 });
      expect(stderr).toContain('(unauthorized)\n  Fix:');
      expect(stdout + stderr).not.toContain(key.slice(8));
    }
  });
});

describe.each([60, 200])('the CLI fits a terminal of %i columns', (columns) => {
  const long = domainOf({
    id: 'dom_2',
    hostname: `${'a'.repeat(60)}.example.com`,
    status_reason: 'hostname_routed_elsewhere',
  });

  test.each([
    ['colours', {}, true],
    ['no colours with NO_COLOR', { NO_COLOR: '1' }, false],
    ['no colours if TERM is dumb', { TERM: 'dumb' }, false],
  ])('a table fits, with %s', async (_, more, hasColor) => {
    await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf(), long) });
    const env = { ...emptyHome(), ...keyFor(api.url), ...more };
    const { exit, screen } = await runOnTerminal(['domains', 'list'], { columns, env });
    expect(exit).toBe(0);
    expect(screen.includes(ESC)).toBe(hasColor);
    const lines = stripVTControlCharacters(screen).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
    expect(screen).toContain('careers.acme.com');
  });
});

describe('the commands of the CLI report a server that is down or slow', () => {
  test.each([['whoami'], ['domains list'], ['listen --forward-to 1'], ['events tail']])(
    'a command exits with 8 if the server is not running: %s',
    async (line) => {
      const env = { ...emptyHome(), ...keyFor('http://127.0.0.1:1') };
      const { exit, stderr } = await runBin(line.split(' '), env);
      expect(exit).toBe(8);
      expect(stderr).toContain('Cannot reach http://127.0.0.1:1 (ECONNREFUSED)');
      const json = await runBin([...line.split(' '), '--json'], env);
      const last = json.stdout.trimEnd().replace(/^\{"listening".*\n/, '');
      expect(JSON.parse(last).error).toMatchObject({ code: 'network_error', exit: 8 });
    },
  );

  test('a command prints a note if the server is slow, and waits for the response', async () => {
    await using api = await startFakeApi({ 'GET /v1/domains': { ...page(domainOf()), delay_ms: 3_500 } });
    const { exit, stdout, stderr } = await runBin(['domains', 'list', '--json'], {
      ...emptyHome(),
      ...keyFor(api.url),
    });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout).data).toHaveLength(1);
    expect(stderr).toBe(`Still waiting for a response from ${api.url}.\n`);
  });
});

describe('the CLI sends its requests through the proxy of HTTPS_PROXY', () => {
  /** Starts a proxy that itself responds like the API, for whatever host is requested. */
  async function startProxy() {
    const asked: string[] = [];
    const server = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(appOf()));
    });
    server.on('connect', ({ url }, socket) => {
      asked.push(`CONNECT ${url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, asked, [Symbol.asyncDispose]: async () => void server.close() };
  }

  test('uses the proxy for http and https addresses, except the addresses in NO_PROXY', async () => {
    await using proxy = await startProxy();
    const through = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    const plain = { ...emptyHome(), ...keyFor('http://api.example.test'), ...through };
    expect((await runBin(['apps', 'get'], plain)).exit).toBe(0);
    expect(proxy.asked).toEqual(['GET http://api.example.test/v1/apps/current']);
    const tls = { ...emptyHome(), ...keyFor('https://api.example.test'), ...through };
    const { exit, stderr } = await runBin(['apps', 'get'], tls);
    expect(exit).toBe(8);
    expect(stderr).toContain('Cannot reach https://api.example.test');
    expect(new Set(proxy.asked.slice(1))).toEqual(new Set(['CONNECT api.example.test:443']));
    const before = proxy.asked.length;
    expect((await runBin(['apps', 'get'], { ...plain, NO_PROXY: 'example.test,.example.test' })).exit).toBe(
      8,
    );
    expect(proxy.asked).toHaveLength(before);
  });

  test('does not use the proxy for addresses of this machine', async () => {
    await using proxy = await startProxy();
    await using api = await startFakeApi({ 'GET /v1/apps/current': { body: appOf() } });
    const env = { ...emptyHome(), ...keyFor(api.url), HTTP_PROXY: proxy.url };
    expect((await runBin(['apps', 'get'], env)).exit).toBe(0);
    expect(proxy.asked).toEqual([]);
  });
});
