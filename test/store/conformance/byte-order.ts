import { expect, test } from 'vitest';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import { selectDomains } from '../../../shared/store/domains/domain-list.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { claimDue } from '../events/lane-claims.ts';
import { allPages } from '../pages.ts';
import { aDomain, NOW, newId, scopeOf } from '../rows.ts';
import { insertDomain, wakeLane } from '../writes.ts';

/** Texts in the order of their UTF-8 bytes. No language sorts these texts in this order. */
const IN_ORDER = [
  '-a',
  '.a',
  '0',
  'A',
  'A-b',
  'AB',
  'Z',
  '_',
  'a',
  'a-b',
  'a.b',
  'aB',
  'ab',
  'z',
  '~',
  'é',
  'ﬀ',
  '🦔',
];
/** The texts of `IN_ORDER` in a mixed order, which is the same in every run. */
const SHUFFLED = IN_ORDER.toSorted((a, b) => ((a.charCodeAt(0) * 7) % 13) - ((b.charCodeAt(0) * 7) % 13));

export function byteOrderTests(store: () => Tx): void {
  test('lists ids of one millisecond in byte order, across pages', async () => {
    const appId = newId('app');
    const domains = SHUFFLED.map((id) => aDomain({ id: id as DomainId, app_id: appId, connect_token: id }));
    for (const domain of domains) await insertDomain(store(), domain);
    for (const limit of [1, 4, 100]) {
      const scope = scopeOf(aDomain({ app_id: appId }));
      const pages = await allPages((after) => selectDomains(store(), scope, {}, { limit, after }));
      expect(pages.flat().map(({ id }) => id)).toEqual(IN_ORDER.toReversed());
    }
  });

  test('finds a prefix by bytes: neither in another case nor as a language would compare', async () => {
    const appId = newId('app');
    for (const hostname of SHUFFLED) await insertDomain(store(), aDomain({ app_id: appId, hostname }));
    const found = async (hostnamePrefix: string) => {
      const scope = scopeOf(aDomain({ app_id: appId }));
      const { rows } = await selectDomains(store(), scope, { hostnamePrefix }, { limit: 50, after: null });
      return rows.map(({ hostname }) => hostname).sort();
    };
    expect(await found('a')).toEqual(['a', 'a-b', 'a.b', 'aB', 'ab']);
    expect(await found('A')).toEqual(['A', 'A-b', 'AB']);
    expect(await found('a-')).toEqual(['a-b']);
    expect(await found('-')).toEqual(['-a']);
  });

  test('claims from apps in byte order, each once', async () => {
    for (const appId of SHUFFLED) await wakeLane(store(), newId('dom'), appId as AppId, NOW);
    const claimed = await claimDue(store(), NOW, { afterAppId: 'a' });
    const middle = IN_ORDER.indexOf('a') + 1;
    expect(claimed.map(({ app_id }) => app_id)).toEqual([
      ...IN_ORDER.slice(middle),
      ...IN_ORDER.slice(0, middle),
    ]);
  });
}
