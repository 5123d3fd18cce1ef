import { expect, test } from 'vitest';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { findDomainById, lockDomainById } from '../../../shared/store/domains/domains.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { closeStore, inTransaction } from '../../../shared/store/store.ts';
import { createDatabase, describePostgres } from '../../fixtures/postgres/postgres.ts';
import { openDatabase } from '../../store/open-postgres.ts';
import { dnsWorld } from '../dns/dns-world.ts';
import { causeTransition } from './cause-transition.ts';

const HOSTNAME = 'careers.acme.com';
const APPS = 4;
const ROUNDS = 10;

describePostgres('Domains of one hostname that are confirmed at once compete for the hostname', () => {
  test('take turns without a deadlock, and leave the hostname to one of them', async () => {
    await using database = await createDatabase();
    const errors: unknown[] = [];
    const note = (error: unknown) => errors.push(error);
    const { store } = openPostgresStore({
      connectionString: database.url,
      onIdleError: note,
      onQueryError: note,
    });
    await using stack = new AsyncDisposableStack();
    stack.defer(() => closeStore(store));
    const world = stack.use(await dnsWorld(store));
    const { context } = world;
    const ids: DomainId[] = [];
    for (let n = 0; n < APPS; n++) {
      const caller = await world.addLiveApp(`App ${n}`);
      const { body } = await createDomain(context, caller, { body: { hostname: HOSTNAME } });
      ids.push(body.id as DomainId);
    }
    for (let round = 0; round < ROUNDS; round++) {
      const inTurn = [...ids.slice(round % APPS), ...ids.slice(0, round % APPS)];
      await Promise.all(inTurn.map((id) => triggerDomain(context, id, 'dns_confirmed')));
      const domains = await Promise.all(ids.map((id) => findDomainById(context.store, id)));
      const holders = domains.filter((domain) => domain?.status === 'issuing');
      expect(holders.map((domain) => domain?.id)).toEqual([await findRouteOwner(context.store, HOSTNAME)]);
    }
    expect(errors).toEqual([]);
  });

  test('do not wait for a test domain of the hostname, which has no route', async () => {
    await using opened = await openDatabase();
    await using world = await dnsWorld(opened.store);
    const { context } = world;
    const other = { ...(await world.addLiveApp('Other')), mode: 'test' } as const;
    const { body } = await createDomain(context, other, { body: { hostname: HOSTNAME } });
    const live = await createDomain(context, await world.addLiveApp('App'), { body: { hostname: HOSTNAME } });
    const claimed = await inTransaction(context.store, async (tx) => {
      await lockDomainById(tx, body.id as DomainId);
      const domain = await findDomainById(context.store, live.body.id as DomainId);
      if (domain === null) throw new Error('the domain is missing');
      return causeTransition(context, domain, { name: 'dns_confirmed', routed_through: 'target' });
    });
    expect(claimed.status).toBe('issuing');
  });
});
