import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { HandshakeFailure } from '../../../shared/edge/tls/handshake.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { parseAnswer, send } from '../wire/raw-visitor.ts';
import { certificateFor, certificatesFor } from './certificates-under-test.ts';
import { askOver, handshake } from './tls-visitor.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const JOBS = 'jobs.acme.com';
/** The error of OpenSSL for the alert `handshake_failure` (RFC 8446 section 6.2). */
const HANDSHAKE_FAILURE = 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE';

/** Sends one request over a new connection. */
async function get(port: number, servername: string, host: string, options: ConnectionOptions = {}) {
  using visitor = await handshake(port, servername, { ca: ca.certificate, ...options });
  if (visitor.error) throw visitor.error;
  const text = await askOver(visitor.socket, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return parseAnswer(text);
}

it('the edge responds with 421 if the Host differs from the server name in the TLS handshake', async () => {
  await using origin = await originWith((req, res) => res.end(JSON.stringify(req.headers)));
  const local = `${HOST}.localhost`;
  const tls = { certificates: certificatesFor(ca, HOST, JOBS, local) };
  const routes = { [HOST]: route(origin.url), [JOBS]: route(origin.url) };
  await using edge = await edgeWith(routes, { scheme: 'https', tls, localhostSuffix: true });

  const { body } = await get(edge.port, HOST, HOST.toUpperCase());
  expect(JSON.parse(body)).toMatchObject({ host: HOST, 'x-forwarded-proto': 'https' });
  expect((await get(edge.port, HOST, JOBS)).status).toBe(421);
  expect((await get(edge.port, local, `${local}:8443`)).status).toBe(200);
  expect((await get(edge.port, local, HOST)).status).toBe(421);
});

describe('a server name in a TLS handshake', () => {
  it.each([
    ['that no domain has', 'nobody.example'],
    ['that is missing', ''],
    ['that is an address', '127.0.0.1'],
  ])('%s, gets no certificate', async (_, servername) => {
    const certificates = certificatesFor(ca, HOST);
    await using edge = await edgeWith({}, { tls: { certificates } });
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      using visitor = await handshake(edge.port, servername, { maxVersion });
      expect(visitor).toMatchObject({ error: { code: HANDSHAKE_FAILURE }, certificate: {} });
    }
    expect(certificates.asked).not.toContain('');
  });

  it('is looked up in lowercase', async () => {
    const certificates = certificatesFor(ca, HOST);
    await using edge = await edgeWith({ [HOST]: 'held' }, { tls: { certificates } });
    expect((await get(edge.port, HOST.toUpperCase(), HOST)).status).toBe(451);
    expect(certificates.asked).toEqual([HOST]);
  });

  it('may end with a dot, and so may the Host header', async () => {
    const certificates = certificatesFor(ca, HOST);
    await using edge = await edgeWith({ [HOST]: 'held' }, { tls: { certificates } });
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      for (const [servername, host] of [
        [`${HOST}.`, `${HOST}.`],
        [`${HOST}.`, HOST],
        [HOST, `${HOST}.`],
      ] as const)
        expect((await get(edge.port, servername, host, { maxVersion })).status).toBe(451);
    }
    expect(certificates.asked).toEqual([HOST]);
  });

  it('is looked up once for concurrent visitors, and not again while it is cached', async () => {
    const certificates = certificatesFor(ca, HOST);
    await using edge = await edgeWith({}, { tls: { certificates } });
    const visitors = await Promise.all(Array.from({ length: 8 }, () => handshake(edge.port, HOST)));
    for (const visitor of visitors) {
      expect(visitor.error).toBeNull();
      visitor[Symbol.dispose]();
    }
    (await handshake(edge.port, HOST))[Symbol.dispose]();
    expect(certificates.asked).toEqual([HOST]);
  });

  it('without a certificate is not looked up again until it has a certificate', async () => {
    const certificates = certificatesFor(ca);
    const limits = { certificate_absent_ms: 3_600_000 };
    await using edge = await edgeWith({}, { tls: { certificates }, limits });
    for (let i = 0; i < 3; i++) {
      using visitor = await handshake(edge.port, HOST);
      expect(visitor.error).not.toBeNull();
    }
    expect(certificates.asked).toEqual([HOST]);
    certificates.byName.set(HOST, certificateFor(ca, HOST));
    await edge.edge.certificateChanged(HOST);
    using visitor = await handshake(edge.port, HOST);
    expect(visitor.error).toBeNull();
  });

  it('is refused if its lookup cannot begin in time', async () => {
    const failures: HandshakeFailure[] = [];
    const first = Promise.withResolvers<null>();
    const certificates = { findCertificate: () => first.promise };
    const onFailure = (failure: HandshakeFailure) => failures.push(failure);
    const limits = { certificate_lookups_max: 1, certificate_wait_ms: 20 };
    await using edge = await edgeWith({}, { tls: { certificates, onFailure }, limits });
    const waiting = handshake(edge.port, HOST);
    while (failures.length === 0) (await handshake(edge.port, JOBS))[Symbol.dispose]();
    expect(failures[0]).toMatchObject({ of: 'certificate', error: { name: 'NoTurnError' } });
    first.resolve(null);
    (await waiting)[Symbol.dispose]();
  });
});

describe('a certificate at the edge is cached and replaced', () => {
  it('is used from the next handshake on if it replaces another certificate', async () => {
    const certificates = certificatesFor(ca, HOST);
    await using edge = await edgeWith({}, { tls: { certificates } });
    using before = await handshake(edge.port, HOST);
    certificates.byName.set(HOST, certificateFor(ca, HOST));
    await edge.edge.certificateChanged(null);
    using after = await handshake(edge.port, HOST);
    expect(after.error).toBeNull();
    expect(after.certificate.serialNumber).not.toBe(before.certificate.serialNumber);
  });

  it('is looked up again for the next visitor if it changed during its lookup', async () => {
    const [older, newer] = [certificateFor(ca, HOST), certificateFor(ca, HOST)];
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<typeof older>();
    const answers = [answer.promise, Promise.resolve(newer), Promise.resolve(newer)];
    const findCertificate = async () => {
      asked.resolve();
      return (await answers.shift()) ?? null;
    };
    await using edge = await edgeWith({}, { tls: { certificates: { findCertificate } } });
    const first = handshake(edge.port, HOST);
    await asked.promise;
    await edge.edge.certificateChanged(HOST);
    using second = await handshake(edge.port, HOST);
    answer.resolve(older);
    (await first)[Symbol.dispose]();
    using third = await handshake(edge.port, HOST);
    const { serialNumber } = new X509Certificate(newer.chain);
    for (const { certificate } of [second, third]) expect(certificate.serialNumber).toBe(serialNumber);
  });

  it('is no longer used once it is deleted', async () => {
    const certificates = certificatesFor(ca, HOST);
    await using edge = await edgeWith({}, { tls: { certificates } });
    (await handshake(edge.port, HOST))[Symbol.dispose]();
    certificates.byName.delete(HOST);
    await edge.edge.certificateChanged(HOST);
    using visitor = await handshake(edge.port, HOST);
    expect(visitor.error).toMatchObject({ code: HANDSHAKE_FAILURE });
  });

  it('is used from the cache even while lookups fail', async () => {
    const certificates = certificatesFor(ca, HOST);
    const failures: HandshakeFailure[] = [];
    const onFailure = (failure: HandshakeFailure) => failures.push(failure);
    await using edge = await edgeWith({}, { tls: { certificates, onFailure } });
    (await handshake(edge.port, HOST))[Symbol.dispose]();
    const away = new Error('database away');
    certificates.byName.set(HOST, away).set(JOBS, away);
    await edge.edge.certificateChanged(HOST);
    for (let i = 0; i < 2; i++) {
      using visitor = await handshake(edge.port, HOST);
      expect(visitor.error).toBeNull();
    }
    expect(failures).toEqual([]);
    using other = await handshake(edge.port, JOBS);
    expect(other.error).toMatchObject({ code: HANDSHAKE_FAILURE });
    expect(failures).toEqual([{ of: 'certificate', hostname: JOBS, error: away }]);
  });

  it('is evicted if it was used least recently, and loaded again on demand', async () => {
    const certificates = certificatesFor(ca, 'a.acme.com', 'b.acme.com', 'c.acme.com');
    await using edge = await edgeWith({}, { tls: { certificates }, limits: { certificates_hot_max: 2 } });
    const order = ['a', 'b', 'a', 'c', 'a', 'b', 'c'].map((label) => `${label}.acme.com`);
    // A connection still works after the edge has evicted its certificate from memory.
    const visitors = [];
    for (const hostname of order) visitors.push(await handshake(edge.port, hostname, { ca: ca.certificate }));
    for (const [i, { socket, error }] of visitors.entries()) {
      expect(error).toBeNull();
      const request = `GET / HTTP/1.1\r\nHost: ${order[i]}\r\nConnection: close\r\n\r\n`;
      expect(parseAnswer(await askOver(socket, request)).status).toBe(404);
    }
    expect(certificates.asked.map(([label]) => label).join('')).toBe('abcbc');
  });

  it('with an unreadable key ends the handshake, and the reported failure does not contain the key', async () => {
    const failures: HandshakeFailure[] = [];
    const certificates = certificatesFor(ca);
    const secret = 'bm90IGEga2V5IGF0IGFsbA==';
    certificates.byName.set(HOST, {
      ...certificateFor(ca, HOST),
      private_key: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
    });
    const onFailure = (failure: HandshakeFailure) => failures.push(failure);
    await using edge = await edgeWith({}, { tls: { certificates, onFailure } });
    using visitor = await handshake(edge.port, HOST);
    expect(visitor.error).toMatchObject({ code: HANDSHAKE_FAILURE });
    expect(failures).toEqual([{ of: 'certificate', hostname: HOST, error: expect.any(Error) }]);
    expect(inspect(failures, { depth: 10, showHidden: true })).not.toContain(secret);
  });
});

describe('the TLS handshake with the edge allows only secure choices', () => {
  it.each([
    ['h2', ['h2', 'http/1.1']],
    ['h2', ['http/1.1', 'h2']],
    ['http/1.1', ['http/1.1']],
    ['http/1.1', ['spdy/3', 'http/1.1']],
    [false, undefined],
  ])('chooses the protocol %s if the client offers %j', async (expected, ALPNProtocols) => {
    await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) } });
    using visitor = await handshake(edge.port, HOST, ALPNProtocols ? { ALPNProtocols } : {});
    expect(visitor).toMatchObject({ error: null, alpn: expected, protocol: 'TLSv1.3' });
  });

  it.each<[string, Parameters<typeof handshake>[2]]>([
    ['with no protocol in common', { ALPNProtocols: ['spdy/3'] }],
    ['with TLS 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }],
    ['with CBC', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' }],
    ['without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
    ['with an odd curve', { ecdhCurve: 'secp521r1' }],
    ['with SHA-1', { maxVersion: 'TLSv1.2', sigalgs: 'ECDSA+SHA1', ciphers: 'DEFAULT@SECLEVEL=0' }],
  ])('fails %s', async (_, options) => {
    await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) } });
    using visitor = await handshake(edge.port, HOST, options);
    expect(visitor.error).not.toBeNull();
    using next = await handshake(edge.port, HOST);
    expect(next.error).toBeNull();
  });

  it('has a time limit', async () => {
    const limits = { handshake_timeout_ms: 100 };
    await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) }, limits });
    const visitor = connect(edge.port, '127.0.0.1');
    await once(visitor.resume(), 'close');
  });

  it('cannot be renegotiated', async () => {
    await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) } });
    using visitor = await handshake(edge.port, HOST, { maxVersion: 'TLSv1.2' });
    const error = await new Promise((resolve) => {
      visitor.socket.on('error', resolve).on('close', () => resolve('closed'));
      visitor.socket.renegotiate({}, resolve);
    });
    expect(error).not.toBeNull();
  });

  it('rejects plain HTTP and noise', async () => {
    await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) } });
    expect((await send(edge.port, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)).status).toBe(0);
    expect((await send(edge.port, '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00')).status).toBe(0);
    using visitor = await handshake(edge.port, HOST);
    expect(visitor.error).toBeNull();
  });
});

it("the edge sends the origin's name in SNI and checks its certificate, with one connection for all hostnames", async () => {
  const names: unknown[] = [];
  const server = createServer(ca.issue('DNS:origin.localhost'), (req, res) => res.end(req.headers.host));
  server.on('secureConnection', ({ servername }) => names.push(servername));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const to = route(`https://origin.localhost:${port}`);
  const wrong = route(`https://wrong.localhost:${port}`);
  const byAddress = route(`https://127.0.0.1:${port}`);
  await using edge = await edgeWith(
    { [HOST]: to, [JOBS]: to, 'wrong.acme.com': wrong, 'address.acme.com': byAddress },
    { ca: [ca.certificate] },
  );
  const ask = (host: string) => send(edge.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  for (const host of [HOST, JOBS, HOST]) expect((await ask(host)).body).toBe(host);
  expect(names).toEqual(['origin.localhost']);
  expect((await ask('wrong.acme.com')).status).toBe(502);
  expect((await ask('address.acme.com')).status).toBe(502);
  server.closeAllConnections();
  server.close();
});
