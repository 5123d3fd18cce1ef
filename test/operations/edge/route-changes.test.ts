import { expect, test } from 'vitest';
import { changeAppAccount as changeEmulated } from '../../../emulator/state/default-account.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { rotateSigningSecret } from '../../../shared/operations/apps/rotate-signing-secret.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import { type Caller, type Context, transact } from '../../../shared/operations/context.ts';
import { holdHostname, releaseHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { deleteDomain, updateDomain } from '../../../shared/operations/domains/update-domain.ts';
import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import { currentMark } from '../../../shared/store/commit-order.ts';
import { listRouteChanges } from '../../../shared/store/domains/route-changes.ts';
import { jobWorld, status } from '../../jobs/job-world.ts';

const HOST = 'careers.acme.com';

type Change = (context: Context, caller: Caller, id: DomainId) => Promise<unknown>;

/**
 * Changes that can affect a hostname's route, each with what edges then read again: the hostname, all hostnames of the app, or nothing.
 */
const CHANGES: Record<string, { change: Change; told: 'hostname' | 'app' | 'nothing' }> = {
  'the status': {
    change: (context, _, id) => triggerDomain(context, id, 'dns_gone'),
    told: 'hostname',
  },
  'the origin headers of the domain': {
    change: (context, caller, id) =>
      updateDomain(context, caller, { params: { id }, body: { origin_headers: { 'X-Tenant': 'acme' } } }),
    told: 'hostname',
  },
  'the origin of the app': {
    change: (context, caller) =>
      updateCurrentApp(context, caller, { body: { origin_url: 'https://other.example' } }),
    told: 'app',
  },
  'the signing secret': { change: (context, caller) => rotateSigningSecret(context, caller), told: 'app' },
  'the plan': {
    change: (context, caller) => changeAccount(context, 'ada', caller.account_id, { plan: 'scale' }),
    told: 'app',
  },
  'the plan, by the controls of the emulator': {
    change: (context, caller) =>
      transact(context, (tx) => changeEmulated(tx, caller.app_id, { plan: 'free' })),
    told: 'app',
  },
  holds: { change: (context) => holdHostname(context, HOST, null), told: 'hostname' },
  'the status, by a deletion': {
    change: (context, caller, id) => deleteDomain(context, caller, { params: { id } }),
    told: 'hostname',
  },
  'the name of a white-label host, which no edge asks for': {
    change: (context, caller) => updateCurrentApp(context, caller, { body: { whitelabel_host: null } }),
    told: 'nothing',
  },
};

async function activeWorld() {
  const world = await jobWorld();
  const { context } = world;
  context.outbound = { ...context.outbound, send: async () => status(200) };
  const caller: Caller = { ...(await world.addApp('acme')), mode: 'live' };
  const id = await world.addDomain(caller, HOST);
  for (const trigger of ['dns_confirmed', 'certificate_issued'] as const) {
    await triggerDomain(context, id, trigger);
  }
  return { world, context, caller, id };
}

async function changesOf({ store }: Context, work: () => Promise<unknown>) {
  const since = await currentMark(store, 'route_changes');
  await work();
  return (await listRouteChanges(store, since, 100)).rows;
}

test.each(Object.entries(CHANGES))(
  'the feed of route changes makes edges read the right routes again after %s',
  async (_, { change, told }) => {
    const { world, context, caller, id } = await activeWorld();
    await using _world = world;
    const changes = await changesOf(context, () => change(context, caller, id));
    const topics = new Set(changes.map(({ hostname, app_id }) => hostname ?? app_id));
    const expected = { hostname: [HOST], app: [caller.app_id], nothing: [] }[told];
    expect([...topics]).toEqual(expected);
  },
);

test('the feed of route changes contains the end of a hold, even if no domain has the name', async () => {
  const { world, context } = await activeWorld();
  await using _world = world;
  await holdHostname(context, '*.acme.org', null);
  const changes = await changesOf(context, () => releaseHostname(context, '*.acme.org'));
  expect(changes).toMatchObject([{ hostname: '*.acme.org' }]);
});

test('the feed of route changes contains no change that was rolled back, and nothing if no other process caches routes', async () => {
  const { world, context, caller } = await activeWorld();
  await using _world = world;
  const undone = await changesOf(context, () =>
    transact(context, async (tx) => {
      await rotateSigningSecret(tx, caller);
      throw new Error('undone');
    }).catch(() => undefined),
  );
  expect(undone).toEqual([]);
  const alone = { ...context, settings: { ...context.settings, singleProcess: true } };
  expect(await changesOf(context, () => rotateSigningSecret(alone, caller))).toEqual([]);
});
