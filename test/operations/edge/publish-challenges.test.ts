import { expect, test } from 'vitest';
import { cnameTarget } from '../../../shared/core/apps/app.ts';
import {
  type ChallengeMethod,
  challengeText,
  delegationLabel,
} from '../../../shared/core/certificates/acme-challenge.ts';
import { dnsChallengeKey, httpChallengeKey, tlsChallengeKey } from '../../../shared/core/edge/edge-value.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { closeChallenges, openChallenge } from '../../../shared/operations/certificates/open-challenges.ts';
import { type Context, transact } from '../../../shared/operations/context.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { newId } from '../../store/rows.ts';
import { activeWorld, HOST, versionsOf, writtenBy } from './published-values.ts';
import { challengeSource, storedReader } from './stored-values.ts';

async function challengeWorld() {
  const active = await activeWorld();
  const { context, caller, id } = active;
  const target = cnameTarget(await getApp(context.store, caller.app_id), context.settings.edgeZone);
  const challenges = challengeSource(context);
  const open = (hostname: string, token: string, method: ChallengeMethod, domainId: DomainId = id) =>
    transact(context, (tx) =>
      openChallenge(tx, { hostname, token, domain_id: domainId, method, key_authorization: `${token}.k` }),
    );
  const close = (domainId: DomainId = id) => transact(context, (tx) => closeChallenges(tx, domainId));
  return { ...active, target, challenges, open, close };
}

const routeTo = (context: Context, hostname: string, domainId: DomainId) =>
  transact(context, async (tx) => {
    await takeRoute(tx.store, hostname, domainId, true);
    tx.notices.publish({ kind: 'route', hostname });
  });

test('an HTTP-01 challenge is a value at its hostname and at the CNAME target of its app, until it is closed', async () => {
  const { context, target, challenges, open, close, ...active } = await challengeWorld();
  await using _active = active;
  const keys = [httpChallengeKey(HOST, 't'), httpChallengeKey(target, 't')].sort();
  expect(await writtenBy(context, () => open(HOST, 't', 'http-01'))).toEqual(keys);
  const found = () =>
    Promise.all([HOST, target, 'other.acme.com'].map((host) => challenges.findKeyAuthorization(host, 't')));
  expect(await found()).toEqual(['t.k', 't.k', null]);
  expect(await challenges.findKeyAuthorization(HOST, 'u')).toBeNull();
  expect(await challenges.findChallengeCertificate(HOST)).toBeNull();
  expect(await writtenBy(context, () => open(HOST, 't', 'http-01'))).toEqual([]);
  expect(await writtenBy(context, close)).toEqual(keys);
  expect(await found()).toEqual([null, null, null]);
});

test('a TLS-ALPN-01 challenge is a value of its hostname only, until it is closed', async () => {
  const { context, challenges, open, close, ...active } = await challengeWorld();
  await using _active = active;
  const keys = [tlsChallengeKey(HOST)];
  expect(await writtenBy(context, () => open(HOST, 't', 'tls-alpn-01'))).toEqual(keys);
  expect(await challenges.findChallengeCertificate(HOST)).toMatchObject({ serial: 'challenge t.k' });
  expect(await challenges.findChallengeCertificate(`www.${HOST}`)).toBeNull();
  expect(await challenges.findKeyAuthorization(HOST, 't')).toBeNull();
  expect(await writtenBy(context, close)).toEqual(keys);
  expect(await challenges.findChallengeCertificate(HOST)).toBeNull();
});

test('the DNS-01 challenges of a domain are one value with a text for each, until they are closed', async () => {
  const { context, open, close, id, ...active } = await challengeWorld();
  await using _active = active;
  const found = async (domainId = id) =>
    (await storedReader(context)).findDnsTexts(delegationLabel(domainId));
  const keys = [dnsChallengeKey(id)];
  expect(await writtenBy(context, () => open(HOST, 't', 'dns-01'))).toEqual(keys);
  expect(await found()).toEqual([challengeText('t.k')]);
  expect(await writtenBy(context, () => open(`www.${HOST}`, 'u', 'dns-01'))).toEqual(keys);
  expect([...(await found())].sort()).toEqual([challengeText('t.k'), challengeText('u.k')].sort());
  expect(await writtenBy(context, () => open(HOST, 't', 'dns-01'))).toEqual([]);
  expect(await found(newId('dom'))).toEqual([]);
  expect(await writtenBy(context, close)).toEqual(keys);
  expect(await found()).toEqual([]);
});

test('a challenge that changes its method is a value of its new method only', async () => {
  const { context, challenges, open, id, ...active } = await challengeWorld();
  await using _active = active;
  const found = async () => [
    await challenges.findKeyAuthorization(HOST, 't'),
    (await storedReader(context)).findDnsTexts(delegationLabel(id)).length,
  ];
  await open(HOST, 't', 'http-01');
  expect(await found()).toEqual(['t.k', 0]);
  await open(HOST, 't', 'dns-01');
  expect(await found()).toEqual([null, 1]);
  await open(HOST, 't', 'http-01');
  expect(await found()).toEqual(['t.k', 0]);
});

test('a domain that does not have the hostname answers challenges only at its CNAME target, and at the hostname once it has it', async () => {
  const { context, target, challenges, open, close, world, caller, ...active } = await challengeWorld();
  await using _active = active;
  const rival = { ...(await world.addApp('rival')), mode: 'live' } as const;
  const rivalId = await world.addDomain(rival, HOST);
  const rivalTarget = cnameTarget(await getApp(context.store, rival.app_id), context.settings.edgeZone);
  await open(HOST, 't', 'http-01', rivalId);
  const hosts = [HOST, target, rivalTarget];
  const found = () => Promise.all(hosts.map((host) => challenges.findKeyAuthorization(host, 't')));
  expect(await found()).toEqual([null, null, 't.k']);
  await routeTo(context, HOST, rivalId);
  expect(await found()).toEqual(['t.k', null, 't.k']);
  await routeTo(context, HOST, active.id);
  expect(await found()).toEqual([null, null, 't.k']);
  await close(rivalId);
  expect(await found()).toEqual([null, null, null]);
});

test('the challenge of a `www.` name follows the route of its apex', async () => {
  const { context, challenges, open, world, caller, ...active } = await challengeWorld();
  await using _active = active;
  const id = await world.addDomain(caller, 'acme.org');
  await open('www.acme.org', 't', 'http-01', id);
  const found = () => challenges.findKeyAuthorization('www.acme.org', 't');
  expect(await found()).toBeNull();
  await routeTo(context, 'acme.org', id);
  expect(await found()).toBe('t.k');
});

test('a hostname keeps its open TLS-ALPN-01 challenge when another of its challenges is closed', async () => {
  const { context, challenges, open, close, world, ...active } = await challengeWorld();
  await using _active = active;
  const rivalId = await world.addDomain({ ...(await world.addApp('rival')), mode: 'live' }, HOST);
  await open(HOST, 'rival', 'tls-alpn-01', rivalId);
  expect(await challenges.findChallengeCertificate(HOST)).toBeNull();
  await open(HOST, 't', 'tls-alpn-01');
  const version = (await versionsOf(context)).get(tlsChallengeKey(HOST));
  await close(rivalId);
  expect(await challenges.findChallengeCertificate(HOST)).toMatchObject({ serial: 'challenge t.k' });
  expect((await versionsOf(context)).get(tlsChallengeKey(HOST))).toBe(version);
});

test('a domain keeps its challenge when another domain opens one at the same hostname with the same token', async () => {
  const { context, target, challenges, open, close, world, ...active } = await challengeWorld();
  await using _active = active;
  const rivalId = await world.addDomain({ ...(await world.addApp('rival')), mode: 'live' }, HOST);
  // An authority may return the open order of one domain again when the same account orders for the other domain.
  await open(HOST, 't', 'http-01');
  await open(HOST, 't', 'http-01', rivalId);
  const found = () => Promise.all([HOST, target].map((host) => challenges.findKeyAuthorization(host, 't')));
  expect(await found()).toEqual(['t.k', 't.k']);
  await close(rivalId);
  expect(await found()).toEqual(['t.k', 't.k']);
  await close();
  expect(await found()).toEqual([null, null]);
});
