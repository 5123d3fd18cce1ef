import { X509Certificate } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createEdgeCertificates } from '../../../service/edge/edge-certificates.ts';
import { ownedChallenges } from '../../../service/edge/edge-challenges.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import type { Context } from '../../../shared/operations/context.ts';
import {
  findNewestCertificate,
  type StoredCertificate,
} from '../../../shared/store/certificates/certificates.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import type { Store } from '../../../shared/store/store.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { jobWorld } from '../../jobs/job-world.ts';
import { addActiveDomain } from '../acme/live-domain.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const HOST = 'careers.acme.com';
const OTHER = 'jobs.acme.com';

/** Creates two domains with certificates. Only one certificate fits in memory. A test can make the database unavailable. */
async function world() {
  const made = await jobWorld({ now: Date.now });
  const { context } = made;
  const caller = { ...(await made.addApp('acme')), mode: 'live' as const };
  const ids = [
    await addActiveDomain(context, caller, ca, { hostname: HOST }),
    await addActiveDomain(context, caller, ca, { hostname: OTHER }),
  ];
  const stored = await Promise.all(ids.map((id) => findNewestCertificate(context.store, id)));
  const { store } = context;
  const table = new RouteTable();
  for (const hostname of [HOST, OTHER]) {
    table.set(hostname, { route: null, redirectsWww: false, changesAt: null });
  }
  const certificates = createEdgeCertificates(context, table, 1);
  for (const [index, hostname] of [HOST, OTHER].entries()) {
    certificates.remember(hostname, stored[index] ?? null);
  }
  return {
    context,
    table,
    certificates,
    takeDatabase() {
      context.store = AWAY;
    },
    async [Symbol.asyncDispose]() {
      context.store = store;
      await made[Symbol.asyncDispose]();
    },
  };
}

async function newestOf({ store }: Context, hostname: string): Promise<StoredCertificate | null> {
  const id = await findRouteOwner(store, hostname);
  return id === null ? null : findNewestCertificate(store, id);
}

const AWAY = new Proxy({} as Store, {
  get() {
    throw new Error('the database is away');
  },
});

test("the edge's certificate cache returns a certificate from memory in full, with its key, without a query", async () => {
  await using under = await world();
  under.takeDatabase();
  const served = await under.certificates.findCertificate(HOST);
  const leaf = new X509Certificate(served?.chain ?? '');
  expect(leaf.checkHost(HOST)).toBe(HOST);
  expect(served?.chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(served?.chain.trimEnd().endsWith(ca.certificate.trimEnd())).toBe(true);
  expect(leaf.serialNumber.toLowerCase()).toContain(served?.serial);
  expect(served?.private_key).toMatch(/PRIVATE KEY/);
});

test("the edge's certificate cache reads a certificate from the database if it is not in memory", async () => {
  await using under = await world();
  expect(await under.certificates.findCertificate(OTHER)).not.toBeNull();
  under.takeDatabase();
  await expect(under.certificates.findCertificate(OTHER)).rejects.toThrow('away');
  under.certificates.remember(HOST, null);
  await expect(under.certificates.findCertificate(HOST)).rejects.toThrow('away');
});

test("the edge's certificate cache has room again once the certificates of some hostnames are removed", async () => {
  await using under = await world();
  const { certificates } = under;
  expect(certificates.wants(OTHER)).toBe(false);
  certificates.remember(HOST, null);
  expect(certificates.wants(OTHER)).toBe(true);
  const newest = await newestOf(under.context, HOST);
  certificates.remember(HOST, newest);
  certificates.keepOnly((hostname) => hostname === HOST);
  expect(certificates.wants(OTHER)).toBe(false);
  certificates.keepOnly((hostname) => hostname === OTHER);
  expect(certificates.wants(OTHER)).toBe(true);
});

test("the edge's certificate cache makes no query for a hostname that no domain has", async () => {
  await using under = await world();
  under.takeDatabase();
  const challenges = ownedChallenges(under.context, under.table);
  for (const hostname of ['unknown.acme.com', `www.${HOST}`, 'acme.com']) {
    expect(await under.certificates.findCertificate(hostname)).toBeNull();
    expect(await challenges.findChallengeCertificate(hostname)).toBeNull();
    expect(await challenges.findKeyAuthorization(hostname, 'a'.repeat(43))).toBeNull();
  }
});
