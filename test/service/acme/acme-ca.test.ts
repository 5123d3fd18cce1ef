import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createAcmeCa } from '../../../service/acme/acme-ca.ts';
import { acmeHosts } from '../../../service/acme/acme-hosts.ts';
import { type Ca, USUAL_LIMITS } from '../../../shared/core/certificates/ca.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { acmeServer } from '../../fixtures/acme/acme-server.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { rawServer } from '../../fixtures/raw-server.ts';

const NOW = Date.UTC(2026, 0, 1);
const clock = { now: () => NOW };
const EAB = { key_id: 'kid-1', mac_key: 'c2VjcmV0' };
const throwaway = createThrowawayCa();
const tls = throwaway.issue('IP:127.0.0.1');
afterAll(() => throwaway[Symbol.dispose]());
const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

function caOf(directoryUrl: string, change: Partial<Ca> = {}) {
  const ca = {
    name: 'first',
    directory_url: directoryUrl,
    caa_issuers: [],
    contacts: ['mailto:ops@example.net'],
    eab: null,
    profile: null,
    limits: USUAL_LIMITS,
    ...change,
  };
  return createAcmeCa(ca, { roots: [throwaway.certificate], clock, userAgent: 'test', timeoutMs: 1000 });
}

/** Starts a TLS server that responds to every request with the given text. */
async function answering(text: string | ((port: number) => string)) {
  const server = await rawServer({
    tls: { key: tls.key, cert: tls.cert },
    request: (socket) => socket.write(typeof text === 'string' ? text : text(server.port)),
  });
  const ca = caOf(`https://127.0.0.1:${server.port}/directory`);
  return {
    problem: async () => {
      const answer = await ca.newAccount(privateKey);
      return answer.ok ? null : answer.problem;
    },
    async [Symbol.asyncDispose]() {
      await ca.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function http(status: string, body: string, headers = ''): string {
  return `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
}

describe('the ACME profile in the settings must be one of the authority', () => {
  const order = { names: ['careers.acme.com'], replaces: null };

  async function ordering(profile: string | null, profiles: readonly string[] | null) {
    const server = await acmeServer({ tls, now: clock.now });
    server.profiles = profiles;
    const ca = caOf(server.directory_url, { profile });
    const account = await ca.newAccount(privateKey);
    if (!account.ok) throw new Error(account.problem.detail);
    const answer = await ca.newOrder({ account_url: account.value, private_key: privateKey }, order);
    const { profiled } = server;
    await ca.close();
    await server[Symbol.asyncDispose]();
    return { answer, profiled };
  }

  it("is sent in an order if the authority's directory lists the profile", async () => {
    const { answer, profiled } = await ordering('shortlived', ['classic', 'shortlived']);
    expect(answer.ok).toBe(true);
    expect(profiled).toEqual(['shortlived']);
  });

  it('is optional: without it, the order has no profile', async () => {
    expect((await ordering(null, ['classic'])).profiled).toEqual([null]);
  });

  it.each([
    [['classic', 'tlsserver'], 'offers classic, tlsserver'],
    [null, 'offers no profiles'],
  ])("is refused if the authority's directory does not list the profile: %j", async (profiles, said) => {
    const { answer, profiled } = await ordering('shortlived', profiles);
    expect(answer).toMatchObject({
      ok: false,
      problem: { type: 'invalidProfile', status: 400, detail: expect.stringContaining(said) },
    });
    expect(profiled).toEqual([]);
  });
});

describe('an ACME account is identified by its key', () => {
  it('is created once and found again by the same key', async () => {
    await using server = await acmeServer({ tls, now: clock.now });
    const ca = caOf(server.directory_url);
    const first = await ca.newAccount(privateKey);
    expect(first).toMatchObject({ ok: true, value: expect.stringContaining('/account/') });
    expect(await ca.newAccount(privateKey)).toEqual(first);
    await ca.close();
  });

  it("is bound to the operator's external account, and refused without a valid binding", async () => {
    await using server = await acmeServer({ tls, now: clock.now, eab: EAB });
    const bound = caOf(server.directory_url, { eab: EAB });
    expect(await bound.newAccount(privateKey)).toMatchObject({ ok: true });
    for (const eab of [null, { ...EAB, mac_key: 'b3RoZXI' }]) {
      const other = caOf(server.directory_url, { eab });
      expect(await other.newAccount(privateKey)).toMatchObject({
        ok: false,
        problem: { status: 403, type: 'externalAccountRequired' },
      });
      await other.close();
    }
    await bound.close();
  });
});

it('the ACME client retries with a new nonce after badNonce, a limited number of times', async () => {
  await using server = await acmeServer({ tls, now: clock.now });
  const ca = caOf(server.directory_url);
  server.accounts.refuseNonceEvery = 1;
  expect(await ca.newAccount(privateKey)).toMatchObject({ ok: false, problem: { type: 'badNonce' } });
  expect(server.count('newAccount')).toBe(7);
  await ca.close();
});

describe('the ACME client reads the Retry-After of a server', () => {
  it.each([
    ['120', NOW + 2 * MINUTE_MS],
    [new Date(NOW + 3 * MINUTE_MS).toUTCString(), NOW + 3 * MINUTE_MS],
    ['99999999999', NOW + 365 * DAY_MS],
    ['Fri, 31 Dec 9999 23:59:59 GMT', NOW + 365 * DAY_MS],
    ['9'.repeat(20), NOW + 365 * DAY_MS],
    ['soon', null],
    ['-5', null],
  ])('accepts a valid Retry-After, and ignores an invalid one: %s', async (retryAfter, retryAt) => {
    await using server = await acmeServer({ tls, now: clock.now });
    const ca = caOf(server.directory_url);
    server.fail('newAccount', {
      status: 429,
      type: 'rateLimited',
      detail: 'too many',
      retryAfter,
    });
    expect(await ca.newAccount(privateKey)).toEqual({
      ok: false,
      problem: { status: 429, type: 'rateLimited', detail: 'too many', retryAt: retryAt, subproblems: [] },
    });
    await ca.close();
  });
});

it('the ACME client reads the hostname of each subproblem', async () => {
  await using server = await acmeServer({ tls, now: clock.now });
  const ca = caOf(server.directory_url);
  const account = await ca.newAccount(privateKey);
  if (!account.ok) throw new Error('no account');
  const refused = {
    status: 400,
    type: 'rejectedIdentifier',
    detail: 'on a list',
    identifier: 'WWW.acme.com',
  };
  server.fail('newOrder', refused);
  const order = { names: ['acme.com', 'www.acme.com'], replaces: null };
  expect(await ca.newOrder({ account_url: account.value, private_key: privateKey }, order)).toMatchObject({
    problem: { subproblems: [{ type: 'rejectedIdentifier', name: 'www.acme.com' }] },
  });
  await ca.close();
});

it.each([
  ['https://127.0.0.2/newNonce', /127\.0\.0\.2, which is not a public address/],
  ['https://[::1]/newNonce', /::1, which is not a public address/],
  ['https://2130706434/newNonce', /127\.0\.0\.2, which is not a public address/],
  ['https://localhost/newNonce', /localhost resolves to \S+, which is not a public address/],
  ['https://169.254.169.254/newNonce', /which is not a public address/],
  ['file:///etc/passwd', /does not use https/],
])('the ACME client refuses %s from a directory on another host', async (url, detail) => {
  const directory = JSON.stringify({ newNonce: url, newAccount: url, newOrder: url });
  await using server = await answering(http('200 OK', directory));
  expect((await server.problem())?.detail).toMatch(detail);
});

it('the ACME client truncates long problem texts', async () => {
  const long = 'x'.repeat(100_000);
  const problem = JSON.stringify({
    detail: long,
    subproblems: Array(1000).fill({ detail: long.slice(0, 20) }),
  });
  await using refusing = await answering(http('400 Bad Request', problem));
  const read = await refusing.problem();
  expect(read?.detail).toHaveLength(1024);
  expect(read?.subproblems).toHaveLength(100);
});

it('the ACME client ignores an invalid nonce (RFC 8555 section 6.5.1)', async () => {
  await using server = await answering((port) => {
    const url = `https://127.0.0.1:${port}/`;
    const directory = JSON.stringify({ newNonce: url, newAccount: url, newOrder: url });
    return http('200 OK', directory, 'Replay-Nonce: not a nonce\r\n');
  });
  expect((await server.problem())?.detail).toMatch(/the server sent no nonce|aborted|timeout/i);
});

it('the ACME client accepts URLs on other hosts of an authority if their addresses are public', () => {
  const hosts = acmeHosts('https://ca.internal/directory');
  expect(hosts.refusal('https://8.8.8.8/order/1')).toBeNull();
  expect(hosts.refusal('https://10.0.0.1/order/1')).toMatch(/not a public address/);
  expect(acmeHosts('https://10.0.0.1/directory').refusal('https://10.0.0.1/order/1')).toBeNull();
});

describe('a server that is no ACME server is treated as unavailable', () => {
  it.each([
    ['HTML', http('200 OK', '<html>'), /is not an ACME directory/],
    ['no JSON object', http('200 OK', 'null'), /is not an ACME directory/],
    [
      'a directory of plain HTTP',
      http('200 OK', JSON.stringify({ newNonce: 'http://a', newAccount: 'http://a', newOrder: 'http://a' })),
      /does not use https/,
    ],
    ['a redirect', http('302 Found', '', 'Location: https://127.0.0.1/\r\n'), /status 302/],
    ['a response that is too long', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(600_000)}`, /too long/],
    ['a response that never ends', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', /aborted|timeout/i],
    ['noise', 'noise\r\n\r\n', /./],
  ])('is treated as unavailable if it responds with %s', async (_, text, detail) => {
    await using server = await answering(text);
    const problem = await server.problem();
    expect(problem?.detail).toMatch(detail);
    expect(problem?.type).toBeNull();
  });

  it('is treated as unavailable if its certificate is not trusted', async () => {
    await using server = await acmeServer({ tls: throwaway.selfSigned('IP:127.0.0.1'), now: clock.now });
    const ca = caOf(server.directory_url);
    expect(await ca.newAccount(privateKey)).toMatchObject({ problem: { status: null } });
    expect(server.asked).toEqual([]);
    await ca.close();
  });
});
