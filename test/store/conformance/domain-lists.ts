import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { COUNTED_MAX } from '../../../shared/core/limits.ts';
import { countByStatus } from '../../../shared/store/accounts/app-overview.ts';
import { type DomainFilter, selectDomains } from '../../../shared/store/domains/domain-list.ts';
import { writeMetadata } from '../../../shared/store/domains/domain-metadata.ts';
import { saveDomain } from '../../../shared/store/domains/domains.ts';
import type { Scope } from '../../../shared/store/scope.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { allPages } from '../pages.ts';
import { aDomain, NOW, newId, scopeOf } from '../rows.ts';
import { insertDomain } from '../writes.ts';

/** Cases: a domain's metadata as JSON, a metadata filter, and whether the filter matches. */
const METADATA: [metadata: string, filter: Record<string, string>, matches: boolean][] = [
  ['{"plan": "pro"}', { plan: 'pro' }, true],
  ['{"plan": "pro"}', { plan: 'Pro' }, false],
  ['{"plan": "pro"}', { Plan: 'pro' }, false],
  ['{"plan": "pro"}', { plan: 'pro ' }, false],
  ['{"plan": "pro"}', { plan: '' }, false],
  ['{"plan": ""}', { plan: '' }, true],
  ['{"": "x"}', { '': 'x' }, true],
  ['{"a": "1", "b": "2"}', { a: '1', b: '2' }, true],
  ['{"a": "1", "b": "2"}', { a: '1', b: '3' }, false],
  ['{"a": "1"}', { a: '1', b: '2' }, false],
  ['{"a": "b"}', { b: 'a' }, false],
  ['{"a": 1}', { a: '1' }, false],
  ['{"a": true}', { a: 'true' }, false],
  ['{"a": null}', { a: 'null' }, false],
  ['{"a": ["x"]}', { a: '["x"]' }, false],
  ['{"a": ["x"]}', { a: 'x' }, false],
  ['{"a": {"b": "x"}}', { 'a.b': 'x' }, false],
  ['{"a": {"b": "x"}}', { b: 'x' }, false],
  ['{"a.b": "x"}', { 'a.b': 'x' }, true],
  ['{"a": "100%"}', { a: '100%' }, true],
  ['{"a": "1000"}', { a: '100%' }, false],
  ['{"a": "x_y"}', { a: 'x_y' }, true],
  ['{"a": "xzy"}', { a: 'x_y' }, false],
  ['{"%": "x"}', { _: 'x' }, false],
  [`{"it's": "O'Reilly"}`, { "it's": "O'Reilly" }, true],
  [`{"a": "x"}`, { a: "x' or '1'='1" }, false],
  [`{"a": "x"}`, { "a' or '1'='1": 'x' }, false],
  ['{"q\\"": "\\\\"}', { 'q"': '\\' }, true],
  ['{"a": "b\\",\\"c"}', { 'a","b': 'c' }, false],
  ['{"$.a": "x"}', { '$.a': 'x' }, true],
  ['{"__proto__": "x"}', JSON.parse('{"__proto__": "x"}'), true],
  ['{"a": "x"}', JSON.parse('{"__proto__": "x"}'), false],
  ['{"constructor": "x"}', { constructor: 'x' }, true],
  ['{"a": "x"}', { toString: 'x' }, false],
  ['{"ключ": "🦔"}', { ключ: '🦔' }, true],
  ['{"a": "e\\u0301"}', { a: '\u00e9' }, false],
  ['{"a": "x"}', { a: 'x\0' }, false],
];

export function domainListTests(store: () => Tx): void {
  const insert = async (...domains: Domain[]) => {
    for (const domain of domains) expect(await insertDomain(store(), domain)).toBe(true);
  };
  const listed = async (domain: Scope, filter: DomainFilter = {}) =>
    (await selectDomains(store(), scopeOf(domain), filter, { limit: 50, after: null })).rows;

  test('lists the domains of the app and mode that are not deleted, newest first', async () => {
    const appId = newId('app');
    const old = aDomain({ app_id: appId, created_at: NOW - 1 });
    const young = aDomain({ app_id: appId, created_at: NOW + 1 });
    const middle = aDomain({ app_id: appId });
    const inTest = aDomain({ app_id: appId, mode: 'test' });
    const foreign = aDomain();
    await insert(old, young, middle, inTest, foreign, aDomain({ app_id: appId, status: 'deleted' }));
    expect(await listed(old)).toEqual([young, middle, old]);
    expect(await listed(inTest)).toEqual([inTest]);
    expect(await listed(foreign)).toEqual([foreign]);
    expect(await listed(aDomain())).toEqual([]);
  });

  test('an overview counts the domains of each status, up to 1 000', async () => {
    const appId = newId('app');
    const live = aDomain({ app_id: appId, status: 'active' });
    await inTransaction(store(), async (tx) => {
      for (let n = 0; n < COUNTED_MAX; n++)
        await insertDomain(tx, aDomain({ app_id: appId, status: 'active' }));
    });
    const others = [{ status: 'held' }, { status: 'deleted' }, { mode: 'test' }] as const;
    await insert(live, ...others.map((each) => aDomain({ ...each, app_id: appId })), aDomain());
    expect(await countByStatus(store(), appId, 'live')).toEqual({ active: COUNTED_MAX, held: 1 });
  });

  test('pages have no gap or repetition, also among domains of one millisecond', async () => {
    const appId = newId('app');
    const domains = Array.from({ length: 9 }, (_, i) =>
      aDomain({ app_id: appId, created_at: NOW + (i < 2 ? 0 : i < 7 ? 1 : 2) }),
    );
    const first = domains[0] ?? aDomain();
    await insert(...domains);
    for (const limit of [1, 2, 3, 4, 8, 9, 100]) {
      const pages = await allPages((after) => selectDomains(store(), scopeOf(first), {}, { limit, after }));
      expect(pages.flat()).toEqual(domains.toReversed());
      expect(pages).toHaveLength(Math.ceil(9 / limit));
    }
  });

  test('continues a page where the last one ended, after any changes', async () => {
    const appId = newId('app');
    const [a, b, c] = [0, 1, 2].map((i) => aDomain({ app_id: appId, created_at: NOW + i })) as [
      Domain & Scope,
      Domain,
      Domain,
    ];
    await insert(a, b, c);
    const page = await selectDomains(store(), scopeOf(a), {}, { limit: 1, after: null });
    expect(page).toEqual({ rows: [c], next: { created_at: c.created_at, id: c.id } });
    await insert(aDomain({ app_id: appId, created_at: NOW + 3 }));
    await saveDomain(store(), { ...c, status: 'deleted' });
    const rest = await selectDomains(store(), scopeOf(a), {}, { limit: 9, after: page.next });
    expect(rest).toEqual({ rows: [b, a], next: null });
  });

  test.each(STATUSES)('finds only %s domains by status, and no deleted ones', async (status) => {
    const appId = newId('app');
    const domains = STATUSES.map((each) => aDomain({ app_id: appId, status: each }));
    await insert(...domains);
    const first = domains[0] ?? aDomain();
    const found = domains.filter((domain) => domain.status === status && status !== 'deleted');
    expect(await listed(first, { status })).toEqual(found);
  });

  test.each([
    ['', ['a-b.com', 'a.com', 'a.com.au', 'a0.com', 'b.com', 'xn--a.com']],
    ['a', ['a-b.com', 'a.com', 'a.com.au', 'a0.com']],
    ['a.', ['a.com', 'a.com.au']],
    ['a.com', ['a.com', 'a.com.au']],
    ['a.com.', ['a.com.au']],
    ['a-', ['a-b.com']],
    ['x', ['xn--a.com']],
    ['z', []],
    ['.com', []],
    ['-', []],
  ])('finds %j by the prefix "%s"', async (hostnamePrefix, found) => {
    const appId = newId('app');
    const names = ['a-b.com', 'a.com', 'a.com.au', 'a0.com', 'b.com', 'xn--a.com'];
    const domains = names.map((hostname) => aDomain({ app_id: appId, hostname }));
    await insert(...domains, aDomain({ hostname: 'a.com' }));
    const rows = await listed(domains[0] ?? aDomain(), { hostnamePrefix });
    expect(rows.map(({ hostname }) => hostname).sort()).toEqual(found);
  });

  test.each(METADATA)('metadata %s by the filter %j: %s', async (metadata, filter, matches) => {
    const domain = aDomain({ metadata: JSON.parse(metadata) });
    await insert(domain, aDomain({ app_id: domain.app_id }));
    const ids = (await listed(domain, { metadata: filter })).map(({ id }) => id);
    expect(ids).toEqual(matches ? [domain.id] : []);
  });

  test('stores and finds a metadata value of the maximum length', async () => {
    // The text is random, because Postgres compresses regular text.
    const long = randomBytes(3000).toString('base64');
    const domain = aDomain({ metadata: { long } });
    const other = aDomain({ app_id: domain.app_id, metadata: { [long]: 'key' } });
    await insert(domain, other);
    expect(await listed(domain, { metadata: { long } })).toEqual([domain]);
    expect(await listed(domain, { metadata: { [long]: 'key' } })).toEqual([other]);
  });

  test('finds replaced metadata by its new value', async () => {
    const domain = aDomain({ metadata: { a: '1', b: '2' } });
    await insert(domain);
    for (const metadata of [{ b: '2', c: '3' }, null, { a: '1' }]) {
      const changed = { ...domain, metadata };
      await saveDomain(store(), changed);
      await writeMetadata(store(), changed);
      const found = async (key: string, value: string) =>
        (await listed(domain, { metadata: { [key]: value } })).length === 1;
      expect(await found('a', '1')).toBe(metadata !== null && 'a' in metadata);
      expect(await found('b', '2')).toBe(metadata !== null && 'b' in metadata);
      expect(await found('c', '3')).toBe(metadata !== null && 'c' in metadata);
    }
  });

  test('combines filters with each other and with pages', async () => {
    const appId = newId('app');
    const match = { app_id: appId, status: 'active', metadata: { team: 'x', tier: '1' } } as const;
    const matching = [0, 1, 2].map((i) => aDomain({ ...match, hostname: `a${i}.com` }));
    const first = matching[0] ?? aDomain();
    await insert(
      ...matching,
      aDomain({ ...match, hostname: 'b.com' }),
      aDomain({ ...match, hostname: 'a3.com', status: 'held' }),
      aDomain({ ...match, hostname: 'a4.com', metadata: { team: 'x' } }),
    );
    const filter = { status: 'active', hostnamePrefix: 'a', metadata: { team: 'x', tier: '1' } } as const;
    const pages = await allPages((after) =>
      selectDomains(store(), scopeOf(first), filter, { limit: 2, after }),
    );
    expect(pages).toEqual([[matching[2], matching[1]], [matching[0]]]);
  });
}
