import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { createEdgeProbe } from '../../../service/edge/edge-probe.ts';
import { challengeCertificate } from '../../../shared/core/certificates/acme-challenge.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { makePrivateKey } from '../../../shared/operations/certificates/certificate-keys.ts';
import type { ChallengeSource, ServedCertificate } from '../../../shared/ports/certificates.ts';
import { edgeWith, HOST } from '../../edge/edge-under-test.ts';
import { redirectServerWith } from '../../edge/listeners/redirect-server-under-test.ts';
import { certificatesFor } from '../../edge/tls/certificates-under-test.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { rawServer } from '../../fixtures/raw-server.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA';
const AUTHORIZATION = `${TOKEN}.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI`;
const challenge = {
  hostname: HOST,
  domain_id: 'dom_1' as DomainId,
  token: TOKEN,
  key_authorization: AUTHORIZATION,
};

async function challengesFor(keyAuthorization: string): Promise<ChallengeSource> {
  const privateKey = await makePrivateKey();
  const chain = challengeCertificate(HOST, keyAuthorization, createPrivateKey(privateKey), Date.now());
  const certificate: ServedCertificate = { chain, private_key: privateKey, serial: 'challenge' };
  return {
    findKeyAuthorization: async (hostname, token) =>
      hostname === HOST && token === TOKEN ? keyAuthorization : null,
    findChallengeCertificate: async (hostname) => (hostname === HOST ? certificate : null),
  };
}

async function withEdge(keyAuthorization: string) {
  const challenges = await challengesFor(keyAuthorization);
  const certificates = certificatesFor(ca, HOST);
  const plain = await redirectServerWith({}, { challenges });
  const edge = await edgeWith({}, { tls: { certificates, challenges } });
  return {
    httpPort: plain.port,
    probe: (addresses: string[], timeoutMs = 2_000) =>
      createEdgeProbe({ addresses, httpPort: plain.port, httpsPort: edge.port, timeoutMs }),
    async [Symbol.asyncDispose]() {
      await edge[Symbol.asyncDispose]();
      await plain[Symbol.asyncDispose]();
    },
  };
}

describe.each(['http-01', 'tls-alpn-01'] as const)(
  'the probe checks the response to a challenge at the edge by %s',
  (method) => {
    it('passes if the edge has the response', async () => {
      await using under = await withEdge(AUTHORIZATION);
      expect(await under.probe(['127.0.0.1']).answersChallenge({ ...challenge, method })).toBe(true);
    });

    it('fails if the edge has another response, or none for the hostname', async () => {
      await using under = await withEdge(`${TOKEN}.another`);
      const probe = under.probe(['127.0.0.1']);
      expect(await probe.answersChallenge({ ...challenge, method })).toBe(false);
      expect(await probe.answersChallenge({ ...challenge, method, hostname: 'jobs.acme.com' })).toBe(false);
    });

    it('fails if no address responds, but ignores one silent address', async () => {
      await using under = await withEdge(AUTHORIZATION);
      // Nothing listens on 127.0.0.2.
      expect(await under.probe(['127.0.0.2']).answersChallenge({ ...challenge, method })).toEqual({
        unreachable: ['127.0.0.2'],
      });
      const both = under.probe(['127.0.0.1', '127.0.0.2']);
      expect(await both.answersChallenge({ ...challenge, method })).toBe(true);
    });
  },
);

describe('the probe checks the certificate at the edge', () => {
  it('passes only if the edge presents the expected certificate', async () => {
    const certificates = certificatesFor(ca, HOST);
    const served = certificates.byName.get(HOST);
    if (served === undefined || served instanceof Error) throw new Error('no certificate');
    const serial = new X509Certificate(served.chain).serialNumber.toLowerCase();
    await using edge = await edgeWith({}, { tls: { certificates } });
    const probe = createEdgeProbe({ addresses: ['127.0.0.1'], httpPort: 1, httpsPort: edge.port });
    expect(await probe.showsCertificate(HOST, serial)).toBe(true);
    expect(await probe.showsCertificate(HOST, '01')).toBe(false);
    expect(await probe.showsCertificate('jobs.acme.com', serial)).toBe(false);
  });
});

describe('the probe checks an edge with two addresses', () => {
  /** Starts a second server on the same port, at 127.0.0.2. */
  async function beside(port: number, answer: RequestListener): Promise<AsyncDisposable> {
    const server = createServer(answer).listen(port, '127.0.0.2');
    await once(server, 'listening');
    return {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      },
    };
  }

  const asked = { ...challenge, method: 'http-01' } as const;

  it('does not wait for an address that hangs', async () => {
    await using under = await withEdge(AUTHORIZATION);
    await using _ = await beside(under.httpPort, () => undefined);
    // The probe's timeout is longer than the timeout of this test.
    const probe = under.probe(['127.0.0.2', '127.0.0.1'], 600_000);
    expect(await probe.answersChallenge(asked)).toBe(true);
  });

  it('ignores an address that cannot look the challenge up at the moment', async () => {
    await using under = await withEdge(AUTHORIZATION);
    await using _ = await beside(under.httpPort, (_request, response) => response.writeHead(503).end());
    expect(await under.probe(['127.0.0.2', '127.0.0.1']).answersChallenge(asked)).toBe(true);
    expect(await under.probe(['127.0.0.2']).answersChallenge(asked)).toBe(false);
  });

  it('fails if one address has another response', async () => {
    await using under = await withEdge(AUTHORIZATION);
    await using _ = await beside(under.httpPort, (_request, response) => response.writeHead(404).end());
    expect(await under.probe(['127.0.0.2', '127.0.0.1']).answersChallenge(asked)).toBe(false);
  });
});

it('the probe of the edge follows a challenge redirect to the host that the redirect names', async () => {
  await using under = await withEdge(AUTHORIZATION);
  const asked = { ...challenge, hostname: 'old.acme.com', method: 'http-01' } as const;
  const probe = under.probe(['127.0.0.1']);
  expect(await probe.answersChallenge({ ...asked, redirected_to: HOST })).toBe(true);
  expect(await probe.answersChallenge(asked)).toBe(false);
});

it('the probe of the edge treats an invalid response as wrong, and an endless response as wrong or missing', async () => {
  await using noise = await rawServer({
    request: (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'.padEnd(5000, 'x')),
  });
  await using mute = await rawServer({});
  const options = { addresses: ['127.0.0.1'], timeout_ms: 300 };
  for (const { port } of [noise, mute]) {
    const probe = createEdgeProbe({ ...options, httpPort: port, httpsPort: port });
    expect(await probe.answersChallenge({ ...challenge, method: 'http-01' })).not.toBe(true);
    expect(await probe.showsCertificate(HOST, '01')).not.toBe(true);
  }
});
