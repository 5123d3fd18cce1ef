import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type AddressLookup,
  ConnectFailure,
  createGuard,
  type Guard,
} from '../../shared/adapters/guarded-connect.ts';
import { createOutbound } from '../../shared/adapters/guarded-outbound.ts';
import type { Outbound } from '../../shared/ports/outbound.ts';
import { rawServer } from '../fixtures/raw-server.ts';

const GOOD = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const LONG_MS = 20_000;
const SHORT_MS = 250;
const UNUSED: AddressLookup = async (hostname) => {
  throw new Error(`${hostname} was looked up`);
};

let outbound: Outbound;
afterEach(() => outbound.close());

/** Creates an outbound client as in the service, or with `allowLoopback` as in the emulator. */
function make(allowLoopback: boolean, lookup: AddressLookup, refusedAddresses: string[] = []) {
  outbound = createOutbound({ allowLoopback, refusedAddresses, lookup });
  return outbound;
}

function get(url: string, timeoutMs = LONG_MS) {
  return outbound.send({ method: 'GET', url, headers: {}, timeoutMs, maxResponseBytes: 1024 });
}

/** Tries to connect, and closes a connection that succeeds. Returns the error; null if there was none. */
function connectError(guard: Guard, hostname: string): Promise<Error | null> {
  return new Promise((resolve) => {
    guard.connect({ hostname, protocol: 'https:', port: '443' }, (...[error, socket]) => {
      socket?.destroy();
      resolve(error);
    });
  });
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

describe('the guard of outgoing connections checks an address in the URL', () => {
  const LOOPBACK = words(`
    127.0.0.1 127.255.255.254 2130706433 0x7f000001 0x7F.1 0177.0.0.1
    017700000001 127.1 127.0.1 127.0.0.1. %31%32%37.0.0.1 １２７.0.0.1
    127。0。0。1 [::1] [0:0:0:0:0:0:0:1] [::0.0.0.1] localhost LocalHost.
    a.b.localhost
  `);
  const NEVER = words(`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [::]
    0.0.0.0 0 10.1.2.3 0xa9fea9fe 169.254.169.254 192.168.1.1
    100.100.100.200 168.63.129.16 224.0.0.1 255.255.255.255 [fe80::1] [fd00:ec2::254]
    [ff02::1] [2001:db8::1] [3fff::1]
  `);

  it.each([...LOOPBACK, ...NEVER])('refuses %s in the service, over HTTPS and HTTP', async (host) => {
    make(false, UNUSED);
    for (const url of [`https://${host}/`, `https://${host}:8443/`, `http://${host}/`]) {
      expect(await get(url)).toMatchObject({ ok: false, problem: 'url_not_allowed' });
    }
    expect(await outbound.check(host)).toBe('not_allowed');
  });

  it.each([...LOOPBACK, ...NEVER])('refuses %s, even if the client may use plain HTTP', async (host) => {
    outbound = createOutbound({ allowLoopback: false, allowPlainHttp: true, refusedAddresses: [] });
    expect(await get(`http://${host}/`)).toMatchObject({ ok: false, problem: 'url_not_allowed' });
  });

  it("refuses the service's own edge if the client may use plain HTTP, but no other public address", async () => {
    const guard = createGuard({
      allowLoopback: false,
      allowPlainHttp: true,
      refusedAddresses: ['8.8.4.4'],
      lookup: async (host) => [host === 'ours.test' ? '8.8.4.4' : '8.8.8.8'],
      connectTimeoutMs: LONG_MS,
    });
    await expect(guard.resolve('ours.test', 'http:')).rejects.toMatchObject({ error: 'url_not_allowed' });
    expect(await guard.resolve('old.test', 'http:')).toEqual(['8.8.8.8']);
  });

  it.each(NEVER)('refuses %s even if loopback is allowed', async (host) => {
    make(true, UNUSED);
    expect(await get(`https://${host}/`)).toMatchObject({ ok: false, problem: 'url_not_allowed' });
    expect(await get(`http://${host}/`)).toMatchObject({ ok: false, problem: 'url_not_allowed' });
    expect(await outbound.check(host)).toBe('not_allowed');
  });

  it.each(LOOPBACK.filter((host) => !host.startsWith('[') && !host.startsWith('127.255')))(
    'connects %s to a server on 127.0.0.1 if loopback is allowed',
    async (host) => {
      make(true, UNUSED);
      await using server = await rawServer({ request: (socket) => socket.write(GOOD) });
      expect(await get(`http://${host}:${server.port}/`)).toMatchObject({ ok: true });
      expect(await outbound.check(host)).toBe('allowed');
    },
  );

  it.each([
    '',
    'not a url',
    '/path',
    '//127.0.0.1',
    'https://',
    'https:///',
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'data:,x',
    'javascript:0',
    'ws://8.8.8.8/',
    'gopher://8.8.8.8/',
    'https://user@8.8.8.8/',
    'https://user:password@8.8.8.8/',
    'https://:password@8.8.8.8/',
    'https://[fe80::1%eth0]/',
    'https://[fe80::1%25eth0]/',
    'https://[8.8.8.8]/',
    'https://8.8.8.8:99999/',
    'https://8.8.8.256/',
    'https://a b/',
    'http://8.8.8.8/',
    'http://8.8.8.8:443/',
    'http://[2606:4700::1111]/',
  ])('refuses the URL %j before a request is sent', async (url) => {
    make(true, UNUSED);
    expect(await get(url)).toMatchObject({ ok: false, problem: 'url_not_allowed' });
  });

  it.each(['8.8.8.8', '2606:4700::1111', '[2606:4700::1111]', '134744072', '8.8.8.8.'])(
    'check allows the public host %s',
    async (host) => {
      expect(await make(false, UNUSED).check(host)).toBe('allowed');
    },
  );

  it.each([
    '',
    ' ',
    '8.8.8.8:443',
    '8.8.8.8/',
    'user@8.8.8.8',
    '8.8.8.8#',
    '8.8.8.8?',
    '8.8.8.8\\',
    '[8.8.8.8]',
    '::1',
    'fe80::1%eth0',
    '8.8.8.8\n',
    'https://8.8.8.8',
  ])('check refuses the host %j', async (host) => {
    expect(await make(false, UNUSED).check(host)).toBe('not_allowed');
  });

  it("refuses the service's own edge, whether a URL has its address or its name", async () => {
    make(false, async () => ['9.9.9.9', '2620:fe::fe'], ['9.9.9.9', '2620:FE:0::fe']);
    expect(await get('https://9.9.9.9/')).toMatchObject({ problem: 'url_not_allowed' });
    expect(await get('https://[2620:fe::fe]/')).toMatchObject({ problem: 'url_not_allowed' });
    expect(await get('https://edge.test/')).toMatchObject({ problem: 'url_not_allowed' });
    expect(await outbound.check('9.9.9.10')).toBe('allowed');
  });

  it('refuses to start with an invalid edge address', () => {
    expect(() => createOutbound({ allowLoopback: false, refusedAddresses: ['edge.test'] })).toThrow(
      RangeError,
    );
  });

  it.each(['127.0.0.1', '169.254.169.254', '::1', 'fe80::1%lo', 'localhost'])(
    'refuses %s even if only the connector checks the host',
    async (hostname) => {
      const guard = createGuard({
        allowLoopback: false,
        refusedAddresses: [],
        lookup: UNUSED,
        connectTimeoutMs: LONG_MS,
      });
      const error = await connectError(guard, hostname);
      expect(error).toBeInstanceOf(ConnectFailure);
      expect(error).toMatchObject({ error: 'url_not_allowed' });
    },
  );
});

describe('the guard of outgoing connections checks the addresses of a hostname', () => {
  it.each([
    ['private', ['10.0.0.1']],
    ['public and private', ['8.8.8.8', '10.0.0.1']],
    ['private and public', ['::1', '2606:4700::1111']],
    ['eleven addresses of which the last is private', [...Array(10).fill('8.8.8.8'), '192.168.0.1']],
    ['something that is not an address', ['example.com']],
    ['an address with a zone', ['2606:4700::1111%eth0']],
    ['an address in octal', ['010.8.8.8']],
  ])('refuses a hostname that resolves to %s', async (_what, addresses) => {
    make(false, async () => addresses);
    expect(await get('https://hook.test/')).toMatchObject({ ok: false, problem: 'url_not_allowed' });
    expect(await outbound.check('hook.test')).toBe('not_allowed');
  });

  it('sends no plain HTTP to a hostname with both loopback and public addresses', async () => {
    make(true, async () => ['127.0.0.1', '8.8.8.8']);
    expect(await get('http://hook.test/')).toMatchObject({ ok: false, problem: 'url_not_allowed' });
    expect(await outbound.check('hook.test')).toBe('allowed');
  });

  it.each<[string, AddressLookup]>([
    ['have no address', async () => []],
    [
      'do not resolve',
      async () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })),
    ],
    [
      'time out',
      async () => Promise.reject(Object.assign(new Error('queryA ETIMEOUT'), { code: 'ETIMEOUT' })),
    ],
  ])('reports dns_failed for hostnames that %s', async (_what, lookup) => {
    make(false, lookup);
    expect(await get('https://hook.test/')).toMatchObject({ ok: false, problem: 'dns_failed' });
    expect(await outbound.check('hook.test')).toBe('dns_failed');
  });

  it('reports a timeout if the lookup of the hostname hangs', async () => {
    make(false, () => new Promise(() => undefined));
    expect(await get('https://hook.test/', SHORT_MS)).toMatchObject({ ok: false, problem: 'timeout' });
  });

  it('ends a hanging lookup of the hostname after the connect timeout', async () => {
    const lookup = () => new Promise<string[]>(() => undefined);
    const guard = createGuard({
      allowLoopback: false,
      refusedAddresses: [],
      lookup,
      connectTimeoutMs: SHORT_MS,
    });
    expect(await connectError(guard, 'hook.test')).toMatchObject({ error: 'timeout' });
  });

  it('resolves the hostname once per connection, and connects to the address that it checked', async () => {
    await using server = await rawServer({ request: (socket) => socket.end(GOOD) });
    const lookup = vi
      .fn<AddressLookup>()
      .mockResolvedValueOnce(['127.0.0.1'])
      .mockResolvedValue(['10.0.0.1']);
    make(true, lookup);
    expect(await get(`http://rebind.test:${server.port}/`)).toMatchObject({ ok: true });
    expect(lookup.mock.calls).toEqual([['rebind.test']]);
    expect(server.sockets).toHaveLength(1);
    await server.ended();
    expect(await get(`http://rebind.test:${server.port}/`)).toMatchObject({
      ok: false,
      problem: 'url_not_allowed',
    });
  });

  it('resolves the hostname again between check and send', async () => {
    make(true, vi.fn<AddressLookup>().mockResolvedValueOnce(['8.8.8.8']).mockResolvedValue(['10.0.0.1']));
    expect(await outbound.check('rebind.test')).toBe('allowed');
    expect(await get('https://rebind.test/')).toMatchObject({ ok: false, problem: 'url_not_allowed' });
  });

  it("tries the hostname's next address if nothing listens at the first", async () => {
    await using server = await rawServer({ request: (socket) => socket.write(GOOD) });
    make(true, async () => ['::1', '127.0.0.1']);
    expect(await get(`http://two.test:${server.port}/`)).toMatchObject({ ok: true });
  });

  it('tries at most eight addresses of each family, and begins each connection at another address', async () => {
    await using server = await rawServer({ request: (socket) => socket.end(GOOD) });
    const dead = Array.from({ length: 9 }, (_, i) => `127.0.0.${i + 2}`);
    make(true, async () => [...dead, '127.0.0.1']);
    const tried: boolean[] = [];
    for (let i = 0; i < 12; i++) tried.push((await get(`http://many.test:${server.port}/`)).ok);
    expect(tried).toEqual([false, false, ...Array(8).fill(true), false, false]);
  });
});
