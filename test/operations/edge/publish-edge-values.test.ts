import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { changeAppAccount as changeEmulated } from '../../../emulator/state/default-account.ts';
import { edgeKey } from '../../../shared/core/edge/edge-value.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import { rotateSigningSecret } from '../../../shared/operations/apps/rotate-signing-secret.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import { sealCertificateKey } from '../../../shared/operations/certificates/certificate-keys.ts';
import { type Caller, type Context, transact } from '../../../shared/operations/context.ts';
import { holdHostname, releaseHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { deleteDomain, updateDomain } from '../../../shared/operations/domains/update-domain.ts';
import { drainEdge, undrainEdge } from '../../../shared/operations/edge/edge-nodes.ts';
import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import { updateApp } from '../../../shared/store/accounts/apps.ts';
import { insertCertificate } from '../../../shared/store/certificates/certificates.ts';
import { findEdgeValues } from '../../../shared/store/edge/edge-values.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { START } from '../../jobs/job-world.ts';
import { addActiveDomain } from '../../service/acme/live-domain.ts';
import { aCertificate } from '../../store/rows.ts';
import { activeWorld, addActive, HOST, storedValue, versionsOf, writtenBy } from './published-values.ts';
import { storedReader } from './stored-values.ts';

type Change = (context: Context, caller: Caller, id: DomainId) => Promise<unknown>;
const HOST_KEY = edgeKey('host', HOST);
const HOLD_KEY = edgeKey('hold', HOST);

/** Changes of the service, each with the values that it writes for edges. */
const CHANGES: Record<string, { change: Change; writes: (caller: Caller) => string[] }> = {
  'of a status that makes no difference to visitors': {
    change: (context, _, id) => triggerDomain(context, id, 'dns_gone'),
    writes: () => [],
  },
  'of the origin headers of the domain': {
    change: (context, caller, id) =>
      updateDomain(context, caller, { params: { id }, body: { origin_headers: { 'X-Tenant': 'acme' } } }),
    writes: () => [HOST_KEY],
  },
  'of the origin of the app': {
    change: (context, caller) =>
      updateCurrentApp(context, caller, { body: { origin_url: 'https://other.example' } }),
    writes: (caller) => [edgeKey('app', caller.app_id)],
  },
  'of the signing secret': {
    change: (context, caller) => rotateSigningSecret(context, caller),
    writes: (caller) => [edgeKey('app', caller.app_id)],
  },
  'to a plan that includes other features': {
    change: (context, caller) => changeAccount(context, 'ada', caller.account_id, { plan: 'free' }),
    writes: (caller) => [edgeKey('app', caller.app_id)],
  },
  'to a plan that includes the same features': {
    change: (context, caller) => changeAccount(context, 'ada', caller.account_id, { plan: 'enterprise' }),
    writes: () => [],
  },
  'of the plan by the controls of the emulator': {
    change: (context, caller) =>
      transact(context, (tx) => changeEmulated(tx, caller.app_id, { plan: 'free' })),
    writes: (caller) => [edgeKey('app', caller.app_id)],
  },
  'that holds the hostname': {
    change: (context) => holdHostname(context, HOST, null),
    writes: () => [HOLD_KEY, HOST_KEY],
  },
  'that deletes the domain': {
    change: (context, caller, id) => deleteDomain(context, caller, { params: { id } }),
    writes: () => [HOST_KEY],
  },
  'of the name of a white-label host, which no edge asks for': {
    change: (context, caller) => updateCurrentApp(context, caller, { body: { whitelabel_host: null } }),
    writes: () => [],
  },
};

test.each(Object.entries(CHANGES))('a change %s writes exactly the values it changes', async (_, each) => {
  await using active = await activeWorld();
  const { context, caller, id } = active;
  const written = await writtenBy(context, () => each.change(context, caller, id));
  expect(written).toEqual(each.writes(caller));
});

describe('the values of edges', () => {
  const ca = createThrowawayCa();
  afterAll(() => ca[Symbol.dispose]());

  test('a hostname has no value until it has a certificate, and then its app has one too', async () => {
    await using active = await activeWorld();
    const { world, context, caller } = active;
    const other = { ...(await world.addApp('other')), mode: 'live' } as const;
    const added = await writtenBy(context, () => world.addDomain(other, 'jobs.acme.com'));
    expect(added).toEqual([]);
    const served = await writtenBy(context, () => addActive(world, other, 'shop.acme.com'));
    expect(served).toEqual([edgeKey('app', other.app_id), edgeKey('host', 'shop.acme.com')]);
    const second = await writtenBy(context, () => addActive(world, caller, 'second.acme.com'));
    expect(second).toEqual([edgeKey('host', 'second.acme.com')]);
  });

  test('a wildcard hold is a value until the hold ends, even if no domain has such a name', async () => {
    await using active = await activeWorld();
    const { context } = active;
    const key = edgeKey('hold', '*.acme.org');
    expect(await writtenBy(context, () => holdHostname(context, '*.acme.org', null))).toEqual([key]);
    expect(await storedValue(context, 'hold', '*.acme.org')).toEqual({});
    expect(await writtenBy(context, () => releaseHostname(context, '*.acme.org'))).toEqual([key]);
    expect(await storedValue(context, 'hold', '*.acme.org')).toBeNull();
  });

  test('a drain is a value until it ends, and a second drain of the same machine changes nothing', async () => {
    await using active = await activeWorld();
    const { context } = active;
    const key = edgeKey('drain', 'fra-1');
    expect(await writtenBy(context, () => drainEdge(context, 'ada', 'fra-1'))).toEqual([key]);
    expect(await storedValue(context, 'drain', 'fra-1')).toEqual({});
    expect(await writtenBy(context, () => drainEdge(context, 'bob', 'fra-1'))).toEqual([]);
    expect(await writtenBy(context, () => undrainEdge(context, 'ada', 'fra-1'))).toEqual([key]);
    expect(await storedValue(context, 'drain', 'fra-1')).toBeNull();
  });

  test('a value that is the same after a change is not written again', async () => {
    await using active = await activeWorld();
    const { context, caller } = active;
    const again = () =>
      transact(context, async ({ notices }) => {
        notices.publish({ kind: 'route', hostname: HOST });
        notices.publish({ kind: 'route', hostname: 'unknown.example' });
        notices.publish({ kind: 'routes', app_id: caller.app_id });
      });
    expect(await writtenBy(context, again)).toEqual([]);
    expect([...(await versionsOf(context)).keys()]).not.toContain('host.unknown.example');
  });

  test('the number of a key rises with each change, and goes on after a deletion', async () => {
    await using active = await activeWorld();
    const { world, context, caller, id } = active;
    const first = (await versionsOf(context)).get(HOST_KEY) ?? 0;
    const number = async () => ((await versionsOf(context)).get(HOST_KEY) ?? 0) - first + 1;
    expect(await number()).toBe(1);
    const body = { origin_headers: { 'X-Tenant': 'acme' } };
    await updateDomain(context, caller, { params: { id }, body });
    expect(await number()).toBe(2);
    await deleteDomain(context, caller, { params: { id } });
    expect(await number()).toBe(3);
    expect(await storedValue(context, 'host', HOST)).toBeNull();
    const next = await addActive(world, caller, HOST);
    expect(await number()).toBe(4);
    expect(await storedValue(context, 'host', HOST)).toMatchObject({ domain_id: next });
  });

  test('a number that a rolled back disk has lost is not used again', async () => {
    await using active = await activeWorld();
    const { world, context, caller } = active;
    const move = async (url: string) => {
      world.clock.move(1_000);
      await updateCurrentApp(context, caller, { body: { origin_url: url } });
      const key = edgeKey('app', caller.app_id);
      return (await findEdgeValues(context.store, [key])).get(key)?.number ?? 0;
    };
    await move('https://one.example');
    await sql`create table disk as select * from edge_values`.execute(context.store.db);
    const lost = await move('https://two.example');
    await sql`delete from edge_values`.execute(context.store.db);
    await sql`insert into edge_values select * from disk`.execute(context.store.db);
    expect(await move('https://three.example')).toBeGreaterThan(lost);
  });

  test('a transaction that is rolled back writes no value', async () => {
    await using active = await activeWorld();
    const { context, caller } = active;
    const undone = await writtenBy(context, () =>
      transact(context, async (tx) => {
        await rotateSigningSecret(tx, caller);
        throw new Error('undone');
      }).catch(() => undefined),
    );
    expect(undone).toEqual([]);
  });

  test('a program whose edge reads the same store publishes no values', async () => {
    await using active = await activeWorld();
    const { context, caller } = active;
    const alone = { ...context, edges: null };
    expect(await writtenBy(context, () => rotateSigningSecret(alone, caller))).toEqual([]);
  });

  test('a host value has the certificate as soon as it is stored, before the domain has it', async () => {
    await using active = await activeWorld();
    const { world, context, caller } = active;
    const hostname = 'jobs.acme.com';
    const id = await world.addDomain(caller, hostname);
    await triggerDomain(context, id, 'dns_confirmed');
    expect(await storedValue(context, 'host', hostname)).toBeNull();
    const { key, cert } = ca.issue(`DNS:${hostname}`);
    await transact(context, async (tx) => {
      const issued = aCertificate({
        domain_id: id,
        names: [hostname],
        serial: 's1',
        not_after: START + DAY_MS,
      });
      const sealed = sealCertificateKey(tx, issued, key);
      await insertCertificate(tx.store, { ...issued, ...sealed, chain: `${cert}${ca.certificate}` });
      tx.notices.publish({ kind: 'route', hostname });
    });
    const value = await storedValue(context, 'host', hostname);
    expect(value).toMatchObject({ domain_id: id, not_before: 0, not_after: 0 });
    expect(value?.certificate).toMatchObject({ serial: 's1', names: [hostname], private_key: key });
    const chain = await storedValue(context, 'chain', value?.certificate?.issuers ?? '');
    expect(`${value?.certificate?.leaf}${chain?.chain}`).toBe(`${cert}${ca.certificate}`);
    const reader = await storedReader(context);
    // Authorities and our own probes see the certificate, but visitors have no route yet.
    expect(await reader.certificates.findCertificate(hostname)).toMatchObject({ serial: 's1' });
    expect(reader.findRoute(hostname)).toBeNull();
  });

  test('an app whose secret this process cannot open keeps its value, and other apps get theirs', async () => {
    await using active = await activeWorld();
    const { world, context, caller } = active;
    const other = { ...(await world.addApp('other')), mode: 'live' } as const;
    await addActive(world, other, 'shop.acme.com');
    await updateApp(autocommit(context.store), caller.app_id, { signing_secret: 'sealed under a lost key' });
    for (const each of [caller, other])
      await updateCurrentApp(context, each, { body: { origin_url: 'https://two.example' } });
    const reader = await storedReader(context);
    expect(reader.findRoute(HOST)).toMatchObject({ hostname: HOST });
    expect(reader.findRoute('shop.acme.com')).toMatchObject({ origin: { url: 'https://two.example' } });
    expect(world.logged).toContain('a secret for edges cannot be opened');
  });

  test('a hostname whose private key this process cannot open keeps its value', async () => {
    await using active = await activeWorld();
    const { world, context, caller } = active;
    const hostname = 'jobs.acme.com';
    const id = await addActiveDomain(context, caller, ca, { hostname });
    const before = await storedValue(context, 'host', hostname);
    await sql`update certificates set private_key = 'lost' where domain_id = ${id}`.execute(context.store.db);
    await updateDomain(context, caller, { params: { id }, body: { origin_headers: { 'X-Tenant': 'acme' } } });
    expect(await storedValue(context, 'host', hostname)).toEqual(before);
    expect(before).toHaveProperty('certificate.serial');
    expect(world.logged).toContain('a secret for edges cannot be opened');
  });

  test('the value of an app signs with the previous secret until the overlap ends, without another write', async () => {
    await using active = await activeWorld();
    const { world, context, caller } = active;
    const { secret } = (await storedValue(context, 'app', caller.app_id)) ?? {};
    const { body } = await rotateSigningSecret(context, caller);
    const until = Date.parse(body.previous_valid_until);
    expect(await storedValue(context, 'app', caller.app_id)).toMatchObject({
      secret: body.signing_secret,
      previous: { secret, until },
    });
    const reader = await storedReader(context);
    const signedWith = () => reader.findRoute(HOST);
    expect(signedWith()).toMatchObject({ signing_secret: secret, until });
    world.clock.move(until - START - 1);
    expect(signedWith()).toMatchObject({ signing_secret: secret });
    world.clock.move(1);
    expect(signedWith()).toMatchObject({ signing_secret: body.signing_secret });
  });

  test('the value of an app has the features of its plan before and after the end of a trial', async () => {
    await using active = await activeWorld();
    const { world, context } = active;
    const { plans } = context.settings;
    context.settings.plans = { ...plans, growth: { ...plans.growth, per_domain_origin: true } };
    const endsAt = START + DAY_MS;
    const terms = { trial_ends_at: endsAt, card_on_file: true, created_at: START - DAY_MS };
    const { app, account } = await createAccount(context, { name: 'trial', terms });
    const caller = { ...active.caller, app_id: app.id, account_id: account.id };
    await updateCurrentApp(context, caller, { body: { origin_url: 'https://app.example' } });
    const id = await addActive(world, caller, 'trial.example.com');
    await updateDomain(context, caller, { params: { id }, body: { origin: 'https://own.example' } });
    expect(await storedValue(context, 'app', app.id)).toMatchObject({
      domain_origins: { before: true, changes_at: endsAt, after: false },
    });
    const reader = await storedReader(context);
    const origin = () => reader.findRoute('trial.example.com');
    expect(origin()).toMatchObject({ origin: { url: 'https://own.example' }, until: endsAt });
    world.clock.move(DAY_MS - 1);
    expect(origin()).toMatchObject({ origin: { url: 'https://own.example' } });
    world.clock.move(1);
    expect(origin()).toMatchObject({ origin: { url: 'https://app.example' } });
  });
});
