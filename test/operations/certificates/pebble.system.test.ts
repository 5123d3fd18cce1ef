import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { createAcmeCa } from '../../../service/acme/acme-ca.ts';
import { createEdgeProbe } from '../../../service/edge/edge-probe.ts';
import { systemClock } from '../../../shared/adapters/system.ts';
import { USUAL_LIMITS } from '../../../shared/core/certificates/ca.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { pause } from '../../../shared/ports/system.ts';
import {
  findCertificateById,
  findNewestCertificate,
  setRenewal,
} from '../../../shared/store/certificates/certificates.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { scheduleJob } from '../../../shared/store/jobs/jobs.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { edgeWith } from '../../edge/edge-under-test.ts';
import { redirectServerWith } from '../../edge/listeners/redirect-server-under-test.ts';
import { describePebble, startPebble } from '../../fixtures/acme/pebble.ts';
import { dnsServer } from '../../fixtures/dns/dns-server.ts';
import { jobWorld } from '../../jobs/job-world.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { certificateSource, challengeSource } from '../edge/stored-values.ts';
import { rightDns } from './right-dns.ts';

const HOST = 'careers.acme.com';

/**
 * Starts a worker, an edge with TLS, an edge without TLS, and Pebble, which validates at the edge without TLS. Nothing in between is
 * mocked.
 */
async function worldWithPebble({ caa, alwaysValid = false }: { caa?: string; alwaysValid?: boolean } = {}) {
  const world = await jobWorld(systemClock);
  const { context } = world;
  const sources = { challenges: challengeSource(context), certificates: certificateSource(context) };
  const plain = await redirectServerWith({}, { challenges: sources.challenges });
  const edge = await edgeWith({}, { tls: sources });
  const dns = await dnsServer({
    zones: {
      'acme.com': ['acme.com', HOST, 'www.acme.com'].map((name) => [name, 'A', '127.0.0.1']),
    },
    recursion: true,
  });
  const pebble = await startPebble({
    httpPort: plain.port,
    httpsPort: edge.port,
    dnsServer: dns.address,
    alwaysValid,
  });
  const authority = createAcmeCa(
    {
      name: 'pebble',
      directory_url: pebble.directory_url,
      caa_issuers: ['pebble.letsencrypt.org'],
      contacts: ['mailto:ops@example.net'],
      eab: null,
      profile: null,
      limits: USUAL_LIMITS,
    },
    { roots: [pebble.apiRoot], clock: systemClock, userAgent: 'nameplate-test' },
  );
  context.settings = { ...context.settings, timerForLive: false };
  context.dns = rightDns({ caa: caa ?? null });
  context.issuance = {
    authorities: [authority],
    edge: createEdgeProbe({ addresses: ['127.0.0.1'], httpPort: plain.port, httpsPort: edge.port }),
    oldHosts: context.outbound,
  };
  context.notices.subscribe((notice) => {
    if (notice.kind === 'route') edge.edge.certificateChanged(notice.hostname);
  });
  const { issue, renew, retry } = COMMON_HANDLERS;
  const runner = createRunner(context, {
    handlers: { ...(issue && { issue }), ...(renew && { renew }), ...(retry && { retry }) },
    limits: { inFlightMax: 4, inFlightPerAccountMax: 4 },
    pollMs: 1000,
  });
  runner.start();
  const caller = { ...(await world.addApp('acme')), mode: 'live' } as const;

  return {
    world,
    edge,
    pebble,
    async addIssuing(hostname: string): Promise<DomainId> {
      const { body } = await createDomain(context, caller, {
        body: { hostname, ...(hostname === 'acme.com' ? { apex_redirect: 'www' } : {}) },
      });
      const domain = await findDomainById(context.store, body.id as DomainId);
      if (domain === null) throw new Error('no domain');
      await causeTransition(context, domain, { name: 'dns_confirmed', routed_through: 'target' });
      return domain.id;
    },
    /** Polls until the condition holds, for at most 20 seconds. */
    async until(isSo: () => Promise<boolean>): Promise<void> {
      for (let looks = 0; looks < 400; looks++) {
        if (await isSo()) return;
        await pause(50);
      }
      throw new Error(`it never came: ${world.logged.join('; ')}`);
    },
    statusOf: async (id: DomainId) => (await findDomainById(context.store, id))?.status,
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await authority.close();
      await pebble[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
      await edge[Symbol.asyncDispose]();
      await plain[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Makes a handshake that trusts only Pebble's root and otherwise verifies as a browser does. Returns the names of the certificate. */
async function subjectAltName(port: number, servername: string, root: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ port, host: '127.0.0.1', servername, ca: root, ALPNProtocols: ['http/1.1'] });
  socket.once('secureConnect', () => {
    resolve(socket.getPeerCertificate().subjectaltname ?? '');
    socket.destroy();
  });
  socket.once('error', reject);
  return promise;
}

describePebble('the service gets its certificates from Pebble', () => {
  test.each([
    ['http-01', undefined],
    ['tls-alpn-01', '0 issue "pebble.letsencrypt.org; validationmethods=tls-alpn-01"'],
  ])(
    'serves a certificate obtained by %s at the edge, and a client accepts the certificate',
    async (_, caa) => {
      await using under = await worldWithPebble(caa === undefined ? {} : { caa });
      const id = await under.addIssuing(HOST);
      await under.until(async () => (await under.statusOf(id)) === 'active');
      expect(await subjectAltName(under.edge.port, HOST, under.pebble.root)).toBe(`DNS:${HOST}`);
    },
  );

  test('issues one certificate for an apex and its www', async () => {
    await using under = await worldWithPebble();
    const id = await under.addIssuing('acme.com');
    await under.until(async () => (await under.statusOf(id)) === 'active');
    for (const name of ['acme.com', 'www.acme.com']) {
      expect(await subjectAltName(under.edge.port, name, under.pebble.root)).toBe(
        'DNS:acme.com, DNS:www.acme.com',
      );
    }
  });

  test('replaces the certificate on the edge at a renewal', async () => {
    await using under = await worldWithPebble();
    const { store } = under.world.context;
    const id = await under.addIssuing(HOST);
    await under.until(async () => (await under.statusOf(id)) === 'active');
    const before = await findNewestCertificate(store, id);
    if (before === null) throw new Error('no certificate');
    await setRenewal(autocommit(store), { ...before, renews_at: 0 });
    await scheduleJob(autocommit(store), { kind: 'renew', subject_id: id, app_id: null, due_at: 0 });
    under.world.context.notices.publish({ kind: 'work' });
    const probe = under.world.context.issuance?.edge;
    await under.until(async () => {
      const now = await findNewestCertificate(store, id);
      return (
        now !== null &&
        now.serial !== before.serial &&
        (await probe?.showsCertificate(HOST, now.serial)) === true
      );
    });
    await under.until(async () => (await findCertificateById(store, before.id)) === null);
    expect(await under.statusOf(id)).toBe('active');
    const now = await findNewestCertificate(store, id);
    const key = (chain = '') => new X509Certificate(chain).publicKey.export({ format: 'jwk' });
    expect(key(now?.chain)).not.toEqual(key(before.chain));
  });
});
