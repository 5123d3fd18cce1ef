import { expect, test } from 'vitest';
import { newOrder, restartedOrder } from '../../../shared/core/certificates/certificate-order.ts';
import type { Status } from '../../../shared/core/domains/status.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import {
  findAcmeAccount,
  forgetAccountUrl,
  insertAcmeAccount,
  setAccountUrl,
} from '../../../shared/store/certificates/acme-accounts.ts';
import {
  deleteCertificateOrder,
  findCertificateOrder,
  saveCertificateOrder,
} from '../../../shared/store/certificates/certificate-orders.ts';
import {
  deleteCertificates,
  findCertificateById,
  findNewestCertificate,
  insertCertificate,
  selectCertificates,
  setRenewal,
  soonestEnd,
} from '../../../shared/store/certificates/certificates.ts';
import {
  type Challenge,
  deleteChallenges,
  findDnsChallenges,
  findEdgeChallenges,
  saveChallenge,
} from '../../../shared/store/certificates/challenges.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { prune } from '../../../shared/store/prune.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { aCertificate, aDomain, anApp, NOTHING, NOW, newId } from '../rows.ts';
import { insertDomain } from '../writes.ts';

export function certificateTests(store: () => Tx): void {
  test('finds the newest certificate of a domain, and deletes the ones it replaced', async () => {
    const domainId = newId('dom');
    const older = aCertificate({ domain_id: domainId });
    const newer = aCertificate({
      domain_id: domainId,
      created_at: NOW + 1,
      window: { start: NOW, end: NOW + 5 },
    });
    await insertCertificate(store(), newer);
    await insertCertificate(store(), older);
    expect(await findNewestCertificate(store(), domainId)).toEqual(newer);
    await deleteCertificates(store(), domainId, newer.id);
    expect(await findCertificateById(store(), older.id)).toBeNull();
    expect(await findCertificateById(store(), newer.id)).toEqual(newer);
    await deleteCertificates(store(), domainId);
    expect(await findNewestCertificate(store(), domainId)).toBeNull();
  });

  test('moves a renewal with its window', async () => {
    const certificate = aCertificate();
    await insertCertificate(store(), certificate);
    const moved = { renews_at: NOW + 7, window: { start: NOW + 6, end: NOW + 8 } };
    await setRenewal(store(), { id: certificate.id, ...moved });
    expect(await findCertificateById(store(), certificate.id)).toEqual({ ...certificate, ...moved });
  });

  test('the list of served certificates is sorted by their expiry', async () => {
    const domainId = newId('dom');
    const replaced = aCertificate({ domain_id: domainId, not_after: NOW - 9 * DAY_MS });
    const second = aCertificate({ domain_id: domainId, created_at: NOW + 1, not_after: NOW - 2 * DAY_MS });
    const first = aCertificate({ not_after: NOW - 3 * DAY_MS });
    for (const each of [replaced, second, first]) await insertCertificate(store(), each);
    const ended = await selectCertificates(store(), { limit: 10, before: NOW - DAY_MS });
    expect(ended).toEqual([first, second]);
    expect(await selectCertificates(store(), { limit: 1 })).toEqual([first]);
    for (const each of [second, first]) await deleteCertificates(store(), each.domain_id);
  });

  test('finds the earliest expiry among domains whose certificate should be renewed', async () => {
    const certificateOf = async (status: Status, notAfter: number) => {
      const domain = aDomain({ status });
      await insertDomain(store(), domain);
      await insertCertificate(store(), aCertificate({ domain_id: domain.id, not_after: notAfter }));
    };
    await certificateOf('dns_broken', NOW - 90 * DAY_MS);
    await certificateOf('active', NOW - 50 * DAY_MS);
    await certificateOf('cert_failed', NOW - 60 * DAY_MS);
    expect(await soonestEnd(store())).toBe(NOW - 60 * DAY_MS);
  });

  test('deletes certificates that expired long ago', async () => {
    const ended = aCertificate({ not_after: NOW - 101 * DAY_MS });
    const later = aCertificate({ not_after: NOW - 99 * DAY_MS });
    await insertCertificate(store(), ended);
    await insertCertificate(store(), later);
    await prune(store(), { ...NOTHING, certificates: NOW - 100 * DAY_MS });
    expect(await findCertificateById(store(), ended.id)).toBeNull();
    expect(await findCertificateById(store(), later.id)).toEqual(later);
    await deleteCertificates(store(), later.domain_id);
  });

  test('stores every field of an order, and deletes it', async () => {
    const order = newOrder(newId('dom'), 'renew', NOW);
    await saveCertificateOrder(store(), order);
    expect(await findCertificateOrder(store(), order.domain_id)).toEqual(order);
    const further = {
      ...order,
      failures: 2,
      without_www: true,
      tried: ['first'],
      problem: { reason: 'ca_unavailable' as const, found: 'out', at: null, until: NOW },
      unchecked_since: NOW - 2,
      unshown_since: NOW - 1,
      failing_since: NOW - 3,
      ca: 'second',
      names: ['acme.com'],
      methods: ['tls-alpn-01' as const],
      order_url: 'https://ca.example/order/1',
      answered_times: 2,
      answer_again_at: NOW + 1,
      private_key: 'sealed',
      certificate_id: newId('crt'),
    };
    await saveCertificateOrder(store(), further);
    expect(await findCertificateOrder(store(), order.domain_id)).toEqual(further);
    await saveCertificateOrder(store(), restartedOrder(further, NOW + 2));
    expect(await findCertificateOrder(store(), order.domain_id)).toMatchObject({
      failures: 2,
      tried: ['first'],
      ca: null,
      private_key: null,
    });
    await deleteCertificateOrder(store(), order.domain_id);
    expect(await findCertificateOrder(store(), order.domain_id)).toBeNull();
  });

  test('concurrent nodes create one account', async () => {
    const directoryUrl = `https://ca.example/${newId('aud')}`;
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((privateKey) =>
        insertAcmeAccount(store(), {
          directory_url: directoryUrl,
          account_url: null,
          private_key: privateKey,
          created_at: NOW,
        }),
      ),
    );
    expect(new Set(made.map(({ private_key }) => private_key)).size).toBe(1);
    await setAccountUrl(store(), directoryUrl, 'https://ca.example/acct/1');
    const url = async () => (await findAcmeAccount(store(), directoryUrl))?.account_url;
    expect(await url()).toBe('https://ca.example/acct/1');
    await forgetAccountUrl(store(), directoryUrl, 'https://ca.example/acct/0');
    expect(await url()).toBe('https://ca.example/acct/1');
    await forgetAccountUrl(store(), directoryUrl, 'https://ca.example/acct/1');
    expect(await url()).toBeNull();
  });

  async function domainOfApp() {
    const app = anApp();
    const domain = aDomain({ app_id: app.id });
    await insertApp(store(), app);
    await insertDomain(store(), domain);
    const { id, hostname } = domain;
    const challenge = (change: Partial<Challenge> = {}): Challenge => ({
      hostname,
      token: 't',
      domain_id: id,
      method: 'http-01',
      key_authorization: 't.k',
      ...change,
    });
    return { app, id, hostname, challenge };
  }

  const placeOf = ({ hostname, token, domain_id }: Challenge) => ({ hostname, token, domain_id });

  test('finds a challenge by its place with the label of its app, and again without a method after its deletion', async () => {
    const { app, id, challenge } = await domainOfApp();
    await saveChallenge(store(), challenge());
    await saveChallenge(store(), challenge({ key_authorization: 't.l' }));
    const at = placeOf(challenge());
    const missing = { ...at, token: 'u' };
    const found = { at, method: 'http-01', key_authorization: 't.l', target_label: app.target_label };
    const closed = { method: null, key_authorization: null, target_label: app.target_label, is_held: false };
    const find = () => findEdgeChallenges(store(), [at, missing], []);
    expect((await find()).toSorted(byToken)).toEqual([
      { ...found, is_held: false },
      { ...closed, at: missing },
    ]);
    expect(await deleteChallenges(store(), id)).toEqual([at]);
    expect((await find()).toSorted(byToken)).toEqual([
      { ...closed, at },
      { ...closed, at: missing },
    ]);
    expect(await deleteChallenges(store(), id)).toEqual([]);
  });

  test('finds the open challenges of hostnames and of their `www.` names, each once', async () => {
    const { id, hostname, challenge } = await domainOfApp();
    const www = challenge({ hostname: `www.${hostname}`, token: 'u', method: 'tls-alpn-01' });
    for (const each of [challenge(), www, challenge({ hostname: `x.${hostname}`, token: 'v' })])
      await saveChallenge(store(), each);
    const tokens = async (places: ReturnType<typeof placeOf>[], names: string[]) =>
      (await findEdgeChallenges(store(), places, names)).map(({ at }) => at.token).toSorted();
    expect(await tokens([], [hostname])).toEqual(['t', 'u']);
    expect(await tokens([placeOf(challenge())], [hostname])).toEqual(['t', 'u']);
    expect(await tokens([], [`www.${hostname}`])).toEqual(['u']);
    expect(await tokens([], ['other.example.com'])).toEqual([]);
    await deleteChallenges(store(), id);
    expect(await tokens([], [hostname])).toEqual([]);
  });

  test('a challenge is held while its domain has the route of the hostname, or of the apex without `www.`', async () => {
    const { id, hostname, challenge } = await domainOfApp();
    const www = challenge({ hostname: `www.${hostname}`, token: 'u' });
    for (const each of [challenge(), www]) await saveChallenge(store(), each);
    const held = async () =>
      (await findEdgeChallenges(store(), [], [hostname])).toSorted(byToken).map(({ is_held }) => is_held);
    expect(await held()).toEqual([false, false]);
    await takeRoute(store(), hostname, id, true);
    expect(await held()).toEqual([true, true]);
    await takeRoute(store(), www.hostname, newId('dom'), true);
    expect(await held()).toEqual([true, false]);
    await takeRoute(store(), hostname, newId('dom'), true);
    expect(await held()).toEqual([false, false]);
  });

  test('the search for DNS-01 challenges finds only open challenges of the given domains', async () => {
    const { id, hostname, challenge } = await domainOfApp();
    const other = newId('dom');
    const list = (...domains: DomainId[]) => findDnsChallenges(store(), domains);
    const www = challenge({
      hostname: `www.${hostname}`,
      token: 'u',
      method: 'dns-01',
      key_authorization: 'u.k',
    });
    for (const each of [challenge(), www]) await saveChallenge(store(), each);
    const found = { domain_id: id, key_authorization: 'u.k' };
    expect(await list(id, other)).toEqual([found]);
    expect(await list(other)).toEqual([]);
    await saveChallenge(store(), { ...www, domain_id: other });
    expect(await list(id, other)).toHaveLength(2);
    await deleteChallenges(store(), other);
    expect(await list(id, other)).toEqual([found]);
    await deleteChallenges(store(), id);
    expect(await list(id)).toEqual([]);
  });
}

function byToken(one: { at: { token: string } }, other: { at: { token: string } }): number {
  return one.at.token < other.at.token ? -1 : 1;
}
