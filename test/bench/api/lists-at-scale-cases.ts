import { encodeCursor } from '../../../shared/core/cursor.ts';
import { FIRST_AT, FLAPPING, idOf } from './lists-at-scale-fill.ts';

/** A request that lists resources of the large app, which has three tenths of all domains. */
export interface ListCase {
  name: string;
  list: 'domains' | 'events' | 'keys';
  query?: string;
  /** The mode of the API key that sends the request; by default live. */
  mode?: 'live' | 'test';
}

const FIVE = 'metadata.even=x&metadata.odd=x&metadata.pairs=x&metadata.fours=x&metadata.eights=x';

/** Filtered lists of the data of `fillLists`. A "rare" filter matches a few rows of the large app, and a "none" filter no row. */
export const LIST_CASES: readonly ListCase[] = [
  { name: 'keys', list: 'keys' },
  { name: 'keys of the test mode, behind 10 000 of the live mode', list: 'keys', mode: 'test' },
  { name: 'domains', list: 'domains' },
  { name: 'status, rare', list: 'domains', query: 'status=held' },
  { name: 'status, none', list: 'domains', query: 'status=expired' },
  { name: 'status, common', list: 'domains', query: 'status=active' },
  { name: 'hostname, rare', list: 'domains', query: 'hostname=shop-' },
  { name: 'hostname, none', list: 'domains', query: 'hostname=zoo-' },
  { name: 'hostname, many and old', list: 'domains', query: 'hostname=old-' },
  { name: 'hostname, common', list: 'domains', query: 'hostname=www-' },
  { name: 'metadata, rare', list: 'domains', query: 'metadata.rare=x' },
  { name: 'metadata, none', list: 'domains', query: 'metadata.rare=y' },
  { name: 'metadata, common', list: 'domains', query: 'metadata.even=x' },
  { name: 'status and hostname, both common', list: 'domains', query: 'status=active&hostname=www-' },
  { name: 'status and hostname, common and rare', list: 'domains', query: 'status=active&hostname=shop-' },
  { name: 'status and hostname, rare together', list: 'domains', query: 'status=dns_broken&hostname=old-' },
  { name: 'status and metadata, rare together', list: 'domains', query: 'status=dns_broken&metadata.even=x' },
  { name: 'two of metadata, rare together', list: 'domains', query: 'metadata.even=x&metadata.odd=x' },
  { name: 'five of metadata, rare together', list: 'domains', query: FIVE },
  {
    name: 'all filters at once, rare together',
    list: 'domains',
    query: `status=active&hostname=old-&${FIVE}`,
  },
  { name: 'events', list: 'events' },
  { name: 'type, rare', list: 'events', query: 'type=domain.held' },
  { name: 'type, none', list: 'events', query: 'type=domain.released' },
  { name: 'type, common', list: 'events', query: 'type=domain.active' },
  { name: 'delivery, rare', list: 'events', query: 'delivery=failed' },
  { name: 'delivery, none', list: 'events', query: 'delivery=pending' },
  { name: 'delivery, common', list: 'events', query: 'delivery=none' },
  { name: 'type and delivery, rare together', list: 'events', query: 'type=domain.active&delivery=none' },
  { name: 'domain_id', list: 'events', query: `domain_id=${idOf('dom', FLAPPING)}` },
  {
    name: 'domain_id of another app',
    list: 'events',
    query: `domain_id=${idOf('dom', 1_000_000)}`,
  },
  {
    name: 'domain_id and type, one rare',
    list: 'events',
    query: `domain_id=${idOf('dom', FLAPPING)}&type=domain.verified`,
  },
  {
    name: 'domain_id and type, rare together',
    list: 'events',
    query: `domain_id=${idOf('dom', FLAPPING)}&type=domain.dns_broken`,
  },
];

const PREFIXES = { domains: 'dom', events: 'evt', keys: 'key' };

/** Returns the path of a case's request. @param behind if set, requests the page just before this row, counted from the oldest. */
export function listPath({ list, query, mode = 'live' }: ListCase, appId: string, behind?: number): string {
  const position = { created_at: FIRST_AT + (behind ?? 0), id: idOf(PREFIXES[list], behind ?? 0) };
  const cursor = behind === undefined ? [] : [`cursor=${encodeCursor([list, appId, mode], position)}`];
  return `/v1/${list}?${[...(query === undefined ? [] : [query]), ...cursor].join('&')}`;
}
