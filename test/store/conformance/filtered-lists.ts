import { beforeEach, expect, test } from 'vitest';
import { type DomainFilter, selectDomains } from '../../../shared/store/domains/domain-list.ts';
import { type EventFilter, selectEvents } from '../../../shared/store/events/events.ts';
import { LOOKUPS_MAX } from '../../../shared/store/ordered-walk.ts';
import type { Scope } from '../../../shared/store/scope.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { FLAPPING, fillLists, idOf } from '../../bench/api/lists-at-scale-fill.ts';
import { allPages } from '../pages.ts';
import { newId } from '../rows.ts';

/** The large app of `fillLists` has three tenths of these domains, which is more than one page of a list may examine. */
const DOMAINS = 8 * LOOKUPS_MAX;
const LARGE = DOMAINS * 0.3;
const HALF = LARGE / 2;
const LIMIT = 50;

/** Domain filters, each with a function that returns whether the n-th domain of the large app matches. */
const DOMAIN_FILTERS: [DomainFilter, (n: number) => boolean][] = [
  [{ status: 'active', metadata: { odd: 'x' } }, (n) => n > 3 && n < 7],
  [{ status: 'dns_broken', hostnamePrefix: 'www-' }, (n) => n % 2 === 1 && n > HALF],
  [{ hostnamePrefix: 'old-' }, (n) => n > 3 && n <= HALF],
  [{ hostnamePrefix: 'www-' }, (n) => n > HALF],
  [{ metadata: { even: 'x', odd: 'x' } }, (n) => n < 7 && n % 2 === 0],
  [{ metadata: { even: 'x', pairs: 'x', fours: 'x', eights: 'x' } }, (n) => n % 16 === 0],
  [
    { status: 'active', hostnamePrefix: 'www-', metadata: { even: 'x', pairs: 'x' } },
    (n) => n > HALF && n % 4 === 0,
  ],
  [{ status: 'held', hostnamePrefix: 'www-' }, () => false],
];

export function filteredListTests(store: () => Tx): void {
  const scope: Scope = { app_id: newId('app'), mode: 'live' };
  beforeEach(() => fillLists(store(), { app_id: scope.app_id, account_id: newId('acc') }, DOMAINS));

  test('a list of domains by several filters returns each match once and in order', async () => {
    for (const [filter, passes] of DOMAIN_FILTERS) {
      const pages = await allPages((after) => selectDomains(store(), scope, filter, { limit: LIMIT, after }));
      const expected = Array.from({ length: LARGE }, (_, i) => LARGE - i).filter(passes);
      expect(
        pages.flat().map(({ id }) => id),
        JSON.stringify(filter),
      ).toEqual(expected.map((n) => idOf('dom', n)));
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(LIMIT);
    }
  });

  test('a list of events by domain, type and delivery returns each match once and in order', async () => {
    const domainId = idOf('dom', FLAPPING);
    const read = (filter: EventFilter) =>
      allPages((after) => selectEvents(store(), scope, filter, { limit: LIMIT, after }));
    const ofDomain = (await read({ domain_id: domainId })).flat();
    expect(ofDomain.length).toBeGreaterThan(LIMIT);
    for (const type of ['domain.active', 'domain.verified', 'domain.dns_broken'] as const)
      expect((await read({ domain_id: domainId, type })).flat()).toEqual(
        ofDomain.filter((event) => event.type === type),
      );
    for (const delivery of ['delivered', 'failed', 'pending', 'none'] as const)
      expect((await read({ domain_id: domainId, delivery })).flat()).toEqual(
        ofDomain.filter((event) => event.delivery_status === delivery),
      );
    const ofApp = (await read({})).flat();
    expect((await read({ type: 'domain.active', delivery: 'none' })).flat()).toEqual(
      ofApp.filter(({ type, delivery_status: status }) => type === 'domain.active' && status === 'none'),
    );
  });

  test('an empty page has a next page that continues after the examined rows', async () => {
    const filter = { status: 'active', metadata: { odd: 'x' } } as const;
    const first = await selectDomains(store(), scope, filter, { limit: LIMIT, after: null });
    expect(first.rows).toEqual([]);
    expect(first.next).not.toBeNull();
    const pages = await allPages((after) => selectDomains(store(), scope, filter, { limit: LIMIT, after }));
    expect(pages.length).toBeLessThanOrEqual(LARGE / LOOKUPS_MAX + 1);
  });
}
