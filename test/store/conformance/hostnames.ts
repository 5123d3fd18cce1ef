import { expect, test } from 'vitest';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { MODES, STATUSES } from '../../../shared/core/domains/status.ts';
import { selectDomains } from '../../../shared/store/domains/domain-list.ts';
import {
  findDomainById,
  findDomainOfApp,
  findDomainsRoutedThrough,
  saveDomain,
} from '../../../shared/store/domains/domains.ts';
import { lockDomainsUnderHold } from '../../../shared/store/domains/domains-of-hostname.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { aDomain, newId, scopeOf } from '../rows.ts';
import { insertDomain } from '../writes.ts';

const HOSTNAME = 'careers.acme.com';

export function hostnameTests(store: () => Tx): void {
  const insert = async (...domains: Domain[]) => {
    for (const domain of domains) expect(await insertDomain(store(), domain)).toBe(true);
  };
  const underHold = (held: string, limit = 9, after: Domain | null = null) =>
    inTransaction(store(), (tx) => lockDomainsUnderHold(tx, held, limit, after));

  test.each(MODES)(
    'an app has a hostname once: a second one in mode %s writes nothing, not even metadata',
    async (mode) => {
      const first = aDomain({ hostname: HOSTNAME, metadata: { of: 'first' } });
      const second = aDomain({ app_id: first.app_id, mode, hostname: HOSTNAME, metadata: { of: 'second' } });
      await insert(first);
      expect(await insertDomain(store(), second)).toBe(false);
      expect(await findDomainById(store(), second.id)).toBeNull();
      expect(await findDomainById(store(), first.id)).toEqual(first);
      const filter = { metadata: { of: 'second' } };
      for (const scope of [scopeOf(first), scopeOf(second)]) {
        expect((await selectDomains(store(), scope, filter, { limit: 9, after: null })).rows).toEqual([]);
      }
    },
  );

  test('other apps can have the same hostname', async () => {
    await insert(aDomain({ hostname: HOSTNAME }), aDomain({ hostname: HOSTNAME }));
  });

  test('a deleted hostname can be added again, repeatedly', async () => {
    const appId = newId('app');
    for (let round = 0; round < 3; round++) {
      const domain = aDomain({ app_id: appId, hostname: HOSTNAME });
      await insert(domain);
      expect(await findDomainOfApp(store(), appId, HOSTNAME)).toEqual(domain);
      await saveDomain(store(), { ...domain, status: 'deleted' });
      expect(await findDomainOfApp(store(), appId, HOSTNAME)).toBeNull();
    }
  });

  test.each(STATUSES.filter((status) => status !== 'deleted'))(
    'a hostname that is %s is taken',
    async (status) => {
      const domain = aDomain({ hostname: HOSTNAME, status });
      await insert(domain);
      expect(await insertDomain(store(), aDomain({ app_id: domain.app_id, hostname: HOSTNAME }))).toBe(false);
    },
  );

  test('exactly one of 50 concurrent inserts of a hostname succeeds', async () => {
    const appId = newId('app');
    const domains = Array.from({ length: 50 }, (_, i) =>
      aDomain({
        app_id: appId,
        hostname: HOSTNAME,
        mode: i % 2 === 0 ? 'live' : 'test',
        metadata: { i: String(i) },
      }),
    );
    const inserted = await Promise.all(domains.map((domain) => insertDomain(store(), domain)));
    const winners = domains.filter((_, i) => inserted[i]);
    expect(winners).toHaveLength(1);
    expect(await findDomainOfApp(store(), appId, HOSTNAME)).toEqual(winners[0]);
  });

  test("finds an app's domain of a hostname in either mode", async () => {
    const domain = aDomain({ hostname: HOSTNAME, mode: 'test' });
    await insert(domain, aDomain({ hostname: HOSTNAME }));
    expect(await findDomainOfApp(store(), domain.app_id, HOSTNAME)).toEqual(domain);
    expect(await findDomainOfApp(store(), domain.app_id, 'acme.com')).toBeNull();
  });

  test('a hold covers its own name or, with *., all names below it but not the name itself, in every app and mode', async () => {
    const at = (hostname: string, change: Parameters<typeof aDomain>[0] = {}) =>
      aDomain({ hostname, ...change });
    const domains = {
      itself: at('acme.com'),
      other_app: at('acme.com', { mode: 'test' }),
      below: at('www.acme.com'),
      deeper: at('a.b.acme.com', { mode: 'test' }),
      gone: at('old.acme.com', { status: 'deleted' }),
      gone_itself: at('acme.com', { status: 'deleted' }),
      beside: at('notacme.com'),
      longer: at('acme.com.br'),
      lookalike: at('www.acmexcom.org'),
    };
    await insert(...Object.values(domains));
    const { itself, other_app, below, deeper } = domains;
    expect(await underHold('acme.com')).toEqual([itself, other_app]);
    expect(await underHold('*.acme.com')).toEqual([deeper, below]);
    expect(await underHold('*.b.acme.com')).toEqual([deeper]);
    expect(await underHold('*.example.com')).toEqual([]);
    expect(await underHold('com')).toEqual([]);
  });

  test('reads the domains under a hold in batches, each once', async () => {
    const names = [
      'a.acme.com',
      'a.b.acme.com',
      'a-b.acme.com',
      'b.acme.com',
      'b.acme.com',
      'xn--a.acme.com',
    ];
    const domains = names.map((hostname) => aDomain({ hostname }));
    await insert(...domains, aDomain({ hostname: 'acme.com' }));
    for (const limit of [1, 2, 4]) {
      const read: Domain[] = [];
      for (let batch: Domain[] = []; read.length === 0 || batch.length > 0; read.push(...batch)) {
        batch = await underHold('*.acme.com', limit, read.at(-1) ?? null);
        expect(batch.length).toBeLessThanOrEqual(limit);
        if (read.length > domains.length) throw new Error('The batches do not end');
      }
      expect(read.map(({ id }) => id).sort()).toEqual(domains.map(({ id }) => id));
    }
  });

  test('finds domains routed through a name in both modes of that app', async () => {
    const appId = newId('app');
    const through = { app_id: appId, routed_through: 'edge.acme.com' };
    const domains = [aDomain(through), aDomain({ ...through, mode: 'test' })];
    await insert(
      ...domains,
      aDomain({ app_id: appId }),
      aDomain({ app_id: appId, routed_through: 'edge.acme.co' }),
      aDomain({ routed_through: 'edge.acme.com' }),
    );
    const ids = domains.map(({ id }) => id);
    const { status } = aDomain(through);
    const found = (limit: number) =>
      findDomainsRoutedThrough(store(), appId, 'edge.acme.com', [status], limit);
    expect(await found(10)).toEqual(ids);
    expect(await found(1)).toEqual(ids.slice(0, 1));
    expect(await findDomainsRoutedThrough(store(), appId, 'edge.acme.com', ['held'], 10)).toEqual([]);
  });
}
