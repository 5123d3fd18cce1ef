import { expect, test } from 'vitest';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import { readDomainCounts } from '../../../shared/store/domains/domain-counts.ts';
import {
  findDomain,
  findDomainByConnectToken,
  findDomainById,
  hasLiveDomain,
  lockDomain,
  lockDomainById,
  saveDomain,
} from '../../../shared/store/domains/domains.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { aDomain, anApp, insertCounted, NOW, newId, scopeOf } from '../rows.ts';
import { insertDomain } from '../writes.ts';

/** A domain with a value in every field, to test that the store loses none of them. */
const WHOLE: Omit<Domain, 'id' | 'app_id' | 'mode' | 'connect_token'> = {
  hostname: 'xn--caf-dma.example.com',
  is_apex: true,
  status: 'held',
  status_since: NOW + 1,
  status_before_hold: 'active',
  reason_before_hold: 'dns_record_missing',
  status_reason: 'dns_record_missing',
  status_detail: { expected: 'a', found: null, hint: 'say "b"' },
  origin: 'https://origin.example.com',
  apex_redirect: 'www',
  txt_value: 'another proof',
  retired_at: NOW - 1,
  routed_through: 'label.edge.example',
  certificate: { issuer: 'Test CA', not_before: NOW, not_after: NOW + 90, renews_at: NOW + 60 },
  metadata: { text: 'ü 🦔 \\ "', number: 1.5, list: [null, true, { deep: [] }], empty: {} },
  origin_headers: { 'X-One': '1', 'x-two': ' a b ' },
  created_at: NOW - 5,
  updated_at: NOW + 2,
  window_opened_at: NOW + 3,
  last_checked_at: NOW + 4,
  next_check_at: NOW + 5,
  event_seq: 17,
  last_event_at: NOW + 6,
};

export function domainTests(store: () => Tx): void {
  const insert = async (...domains: Domain[]) => {
    for (const domain of domains) expect(await insertDomain(store(), domain)).toBe(true);
  };

  test.each([aDomain(), aDomain({ mode: 'test', ...WHOLE })])(
    'reads a domain as it was written: %j',
    async (domain) => {
      await insert(domain, aDomain());
      expect(await findDomain(store(), scopeOf(domain), domain.id)).toEqual(domain);
      expect(await lockDomain(store(), scopeOf(domain), domain.id)).toEqual(domain);
      expect(await findDomainById(store(), domain.id)).toEqual(domain);
      expect(await lockDomainById(store(), domain.id)).toEqual(domain);
      expect(await findDomainByConnectToken(store(), domain.connect_token)).toEqual(domain);
    },
  );

  test('does not find a domain of another app, in the other mode, or by another id', async () => {
    const domain = aDomain();
    await insert(domain);
    const { app_id, mode, id } = domain;
    for (const [scope, asked] of [
      [{ app_id: newId('app'), mode }, id],
      [{ app_id, mode: 'test' }, id],
      [{ app_id, mode }, newId('dom')],
      [{ app_id, mode }, `${id}' or '1'='1`],
    ] as const) {
      expect(await findDomain(store(), scope, asked)).toBeNull();
      expect(await lockDomain(store(), scope, asked)).toBeNull();
    }
    expect(await findDomainById(store(), newId('dom'))).toBeNull();
    expect(await findDomainByConnectToken(store(), 'no token')).toBeNull();
  });

  test('finds a deleted domain by its id and token only, for what is shown afterwards', async () => {
    const domain = aDomain({ status: 'deleted' });
    await insert(domain);
    expect(await findDomain(store(), scopeOf(domain), domain.id)).toBeNull();
    expect(await lockDomain(store(), scopeOf(domain), domain.id)).toBeNull();
    expect(await lockDomainById(store(), domain.id)).toBeNull();
    expect(await findDomainById(store(), domain.id)).toEqual(domain);
    expect(await findDomainByConnectToken(store(), domain.connect_token)).toEqual(domain);
  });

  test('saves every field of one domain only', async () => {
    const domain = aDomain();
    const other = aDomain();
    await insert(domain, other);
    const changed = { ...domain, ...WHOLE };
    await saveDomain(store(), changed);
    expect(await findDomainById(store(), domain.id)).toEqual(changed);
    expect(await findDomainById(store(), other.id)).toEqual(other);
    await saveDomain(store(), domain);
    expect(await findDomainById(store(), domain.id)).toEqual(domain);
  });

  test('keeps a metadata key named __proto__', async () => {
    const metadata = JSON.parse('{"__proto__": "own", "constructor": {"__proto__": 1}}');
    const domain = aDomain({ metadata });
    await insert(domain);
    expect(JSON.stringify((await findDomainById(store(), domain.id))?.metadata)).toBe(
      JSON.stringify(metadata),
    );
  });

  test.each(['scope', 'id'] as const)(
    '20 that count an event with the domain locked by %s lose none',
    async (by) => {
      const domain = aDomain();
      await insert(domain);
      const count = () =>
        inTransaction(store(), async (tx) => {
          const locked =
            by === 'id'
              ? await lockDomainById(tx, domain.id)
              : await lockDomain(tx, scopeOf(domain), domain.id);
          if (locked === null) throw new Error('The domain is gone');
          await saveDomain(tx, { ...locked, event_seq: locked.event_seq + 1 });
          return locked.event_seq;
        });
      const seen = await Promise.all(Array.from({ length: 20 }, count));
      expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    },
  );

  test.each(STATUSES)(
    'an app with a live domain that is %s has a live domain, unless it is deleted',
    async (status) => {
      const domain = aDomain({ status });
      await insert(
        domain,
        aDomain({ app_id: newId('app') }),
        aDomain({ app_id: domain.app_id, mode: 'test' }),
      );
      expect(await hasLiveDomain(store(), domain.app_id)).toBe(status !== 'deleted');
    },
  );

  test('an app with test domains only has no live domain', async () => {
    const domain = aDomain({ mode: 'test' });
    await insert(domain, aDomain());
    expect(await hasLiveDomain(store(), domain.app_id)).toBe(false);
  });

  test("the cap counts live domains of all the account's apps that are neither expired nor deleted", async () => {
    const accountId = newId('acc');
    const apps = [anApp({ account_id: accountId }), anApp({ account_id: accountId }), anApp()] as const;
    for (const app of apps) await insertApp(store(), app);
    const [one, two, foreign] = apps;
    expect(await readDomainCounts(store(), accountId)).toEqual({ used: 0, added: 0, tests: 0 });
    const domains = [
      ...STATUSES.map((status) => aDomain({ app_id: one.id, status })),
      aDomain({ app_id: two.id }),
      aDomain({ app_id: two.id, mode: 'test' }),
      aDomain({ app_id: foreign.id }),
    ];
    for (const domain of domains) expect(await insertCounted(store(), domain)).toBe(true);
    expect(await readDomainCounts(store(), accountId)).toEqual({ used: 8, added: 10, tests: 1 });
    expect(await readDomainCounts(store(), foreign.account_id)).toEqual({ used: 1, added: 1, tests: 0 });
    expect(await readDomainCounts(store(), newId('acc'))).toEqual({ used: 0, added: 0, tests: 0 });
  });
}
