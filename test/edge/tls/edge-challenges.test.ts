import { afterAll, describe, expect, it } from 'vitest';
import type { HandshakeFailure } from '../../../shared/edge/tls/handshake.ts';
import type { ChallengeSource, ServedCertificate } from '../../../shared/ports/certificates.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { edgeWith, HOST, route } from '../edge-under-test.ts';
import { echoOrigin } from '../forwarding/echo-origin.ts';
import { redirectServerWith } from '../listeners/redirect-server-under-test.ts';
import { send } from '../wire/raw-visitor.ts';
import { certificateFor, certificatesFor } from './certificates-under-test.ts';
import { askOver, handshake } from './tls-visitor.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA';
const AUTHORIZATION = `${TOKEN}.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI`;
const PATH = `/.well-known/acme-challenge/${TOKEN}`;

function challengeFor(hostname: string): ServedCertificate {
  const { cert, key } = ca.selfSigned(`DNS:${hostname}`);
  return { chain: cert, private_key: key, serial: 'challenge' };
}

/** Creates open challenges of both types for HOST, and records the lookups. */
function openChallenges(): ChallengeSource & { asked: string[] } {
  const asked: string[] = [];
  const certificate = challengeFor(HOST);
  return {
    asked,
    async findKeyAuthorization(hostname, token) {
      asked.push(`${hostname} ${token}`);
      return hostname === HOST && token === TOKEN ? AUTHORIZATION : null;
    },
    async findChallengeCertificate(hostname) {
      asked.push(hostname);
      return hostname === HOST ? certificate : null;
    },
  };
}

const brokenChallenges: ChallengeSource = {
  findKeyAuthorization: () => Promise.reject(new Error('database away')),
  findChallengeCertificate: () => new Promise(() => undefined),
};

describe('a request for an HTTP-01 challenge', () => {
  const ask = (port: number, path: string, host = HOST, method = 'GET') =>
    send(port, `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

  it('gets its response before the hostname has a route', async () => {
    await using edge = await edgeWith({}, { challenges: openChallenges() });
    await using plain = await redirectServerWith({}, { challenges: openChallenges() });
    for (const { port } of [edge, plain]) {
      expect(await ask(port, PATH)).toMatchObject({
        status: 200,
        headers: { 'content-type': 'application/octet-stream', 'x-request-id': expect.any(String) },
        body: AUTHORIZATION,
      });
    }
    expect(plain.seen).toMatchObject([{ status: 200, host: HOST, domain_id: null }]);
  });

  it('works only for its own hostname', async () => {
    await using plain = await redirectServerWith({}, { challenges: openChallenges() });
    expect((await ask(plain.port, PATH, 'jobs.acme.com')).status).toBe(404);
  });

  it.each([
    ['a short token', 'GET', '/.well-known/acme-challenge/abc'],
    ['a path below', 'GET', `${PATH}/../a`],
    ['a query', 'GET', `${PATH}?a`],
    ['an encoded token', 'GET', PATH.replace('x', '%78')],
    ['a POST', 'POST', PATH],
  ])('with %s is not looked up', async (_, method, path) => {
    const challenges = openChallenges();
    await using plain = await redirectServerWith({}, { challenges });
    expect((await ask(plain.port, path, HOST, method)).status).toBe(404);
    expect(challenges.asked).toEqual([]);
  });

  it('for an unknown token is treated as an ordinary request', async () => {
    await using origin = await echoOrigin();
    const routes = { [HOST]: route(origin.url) };
    const path = PATH.replace('e', 'f');
    await using edge = await edgeWith(routes, { challenges: openChallenges() });
    await using plain = await redirectServerWith(routes, { challenges: openChallenges() });
    expect(JSON.parse((await ask(edge.port, path)).body)).toMatchObject({ url: path });
    expect(await ask(plain.port, path)).toMatchObject({
      status: 308,
      headers: { location: `https://${HOST}${path}` },
    });
  });

  it('gets 503 if the lookup fails', async () => {
    await using edge = await edgeWith({}, { challenges: brokenChallenges });
    expect((await ask(edge.port, PATH)).status).toBe(503);
    await edge.collected();
    expect(edge.failures).toMatchObject([{ of: 'challenge' }]);
  });
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('a TLS-ALPN-01 challenge over %s', (maxVersion) => {
  const acme = { maxVersion, ALPNProtocols: ['acme-tls/1'] };

  it.each([
    ['before there is a certificate', []],
    ['beside an existing certificate', [HOST]],
  ])('is answered %s, and then the connection ends', async (_, hostnames) => {
    const tls = { certificates: certificatesFor(ca, ...hostnames), challenges: openChallenges() };
    await using edge = await edgeWith({}, { tls });
    using visitor = await handshake(edge.port, HOST, acme);
    expect(visitor).toMatchObject({
      error: null,
      protocol: maxVersion,
      alpn: 'acme-tls/1',
      certificate: { subject: { CN: 'self' }, subjectaltname: `DNS:${HOST}` },
    });
    expect(await askOver(visitor.socket, '')).toBe('');
  });

  it('is answered only to clients that offer acme-tls/1', async () => {
    const tls = { certificates: certificatesFor(ca, HOST), challenges: openChallenges() };
    await using edge = await edgeWith({}, { tls });
    for (const ALPNProtocols of [['h2', 'http/1.1'], ['http/1.1'], undefined]) {
      using visitor = await handshake(edge.port, HOST, {
        maxVersion,
        ca: ca.certificate,
        ...(ALPNProtocols ? { ALPNProtocols } : {}),
      });
      expect(visitor.error).toBeNull();
    }
  });

  it.each([
    ['without an open challenge', 'jobs.acme.com', ['acme-tls/1']],
    ['beside another protocol', HOST, ['acme-tls/1', 'http/1.1']],
  ])('fails %s', async (_, hostname, ALPNProtocols) => {
    const tls = {
      certificates: certificatesFor(ca, HOST, 'jobs.acme.com'),
      challenges: openChallenges(),
    };
    await using edge = await edgeWith({}, { tls });
    using visitor = await handshake(edge.port, hostname, { maxVersion, ALPNProtocols });
    expect(visitor.error).not.toBeNull();
  });

  it('fails if the edge has no challenges', async () => {
    await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) } });
    using visitor = await handshake(edge.port, HOST, acme);
    expect(visitor.error).not.toBeNull();
  });

  it('does not delay visitors with a certificate, even if its lookup hangs', async () => {
    const failures: HandshakeFailure[] = [];
    const tls = {
      certificates: certificatesFor(ca, HOST),
      challenges: brokenChallenges,
      onFailure: (failure: HandshakeFailure) => failures.push(failure),
    };
    await using edge = await edgeWith({}, { tls, limits: { challenge_wait_ms: 20 } });
    using visitor = await handshake(edge.port, HOST, { maxVersion, ca: ca.certificate });
    expect(visitor.error).toBeNull();
  });
});

it('the edge shows a TLS 1.2 visitor the certificate that arrived during a slow lookup of challenges', async () => {
  const certificates = certificatesFor(ca, HOST);
  const looked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<null>();
  const challenges: ChallengeSource = {
    findKeyAuthorization: async () => null,
    findChallengeCertificate() {
      looked.resolve();
      return found.promise;
    },
  };
  const tls = { certificates, challenges };
  await using edge = await edgeWith({}, { tls, limits: { challenge_wait_ms: 60_000 } });
  using before = await handshake(edge.port, HOST, { maxVersion: 'TLSv1.3', ca: ca.certificate });
  expect(before.error).toBeNull();
  const visit = handshake(edge.port, HOST, { maxVersion: 'TLSv1.2', ca: ca.certificate });
  await looked.promise;
  certificates.byName.set(HOST, certificateFor(ca, HOST));
  await edge.edge.certificateChanged(HOST);
  // Another visitor makes the edge load the new certificate and close the old one.
  using other = await handshake(edge.port, HOST, { maxVersion: 'TLSv1.3', ca: ca.certificate });
  expect(other.error).toBeNull();
  found.resolve(null);
  using visitor = await visit;
  expect(visitor).toMatchObject({ error: null, protocol: 'TLSv1.2' });
});
