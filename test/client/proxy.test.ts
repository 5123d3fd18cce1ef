import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { proxyFor } from '../../shared/client/proxy.ts';
import { keyFor, runCli } from '../cli/run-cli.ts';

const SERVER = 'https://api.acme.com';

test.each([
  [{}, null],
  [{ HTTPS_PROXY: 'http://p:1' }, 'HTTPS_PROXY http://p:1'],
  [{ HTTPS_PROXY: 'p:1' }, 'HTTPS_PROXY http://p:1'],
  [{ https_proxy: '', HTTPS_PROXY: 'http://p:1' }, 'HTTPS_PROXY http://p:1'],
  [{ https_proxy: 'http://q:1', HTTPS_PROXY: 'http://p:1' }, 'https_proxy http://q:1'],
  [{ HTTPS_PROXY: '', HTTP_PROXY: 'http://p:1' }, null],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other.com, .acme.com' }, null],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'me.com' }, 'HTTPS_PROXY http://p:1'],
])("with the environment %j, the client's proxy is %s", (env, expected) => {
  const found = proxyFor(new URL(SERVER), env);
  expect(found && `${found.variable} ${found.url}`).toBe(expected);
});

test('the client uses no proxy for a server on this machine', () => {
  expect(proxyFor(new URL('http://127.0.0.1:4400'), { HTTP_PROXY: 'http://p:1' })).toBeNull();
});

test.each([
  [
    'socks5://127.0.0.1:9',
    'through the proxy 127.0.0.1:9: its scheme is socks5, and only http and https work.',
  ],
  ['127.0.0.1:9', 'through the proxy 127.0.0.1:9: ECONNREFUSED.'],
  ['http://me:hunter2@127.0.0.1:9', 'through the proxy 127.0.0.1:9: ECONNREFUSED.'],
])(
  'a failure behind HTTPS_PROXY=%s names the proxy, and the client sends nothing around the proxy',
  async (value, message) => {
    vi.stubEnv('HTTPS_PROXY', value);
    const env = { ...keyFor(SERVER), HTTPS_PROXY: value };
    const { exit, stderr } = await runCli(['domains', 'list'], { env });
    expect(stderr).toContain(`Cannot reach ${SERVER} ${message}`);
    expect(stderr).toContain('HTTPS_PROXY names the proxy.');
    expect(stderr).not.toContain('hunter2');
    expect(exit).not.toBe(0);
  },
);

test('the error for a proxy that asks for a password names the proxy and what it asks for', async () => {
  const proxy = createServer().on('connect', (_, socket) =>
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
  );
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const value = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  vi.stubEnv('HTTPS_PROXY', value);
  const { stderr } = await runCli(['domains', 'list'], { env: { ...keyFor(SERVER), HTTPS_PROXY: value } });
  expect(stderr).toContain('it asks for a user name and a password');
  proxy.close();
});
