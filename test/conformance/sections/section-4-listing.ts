import { describe, expect, test } from 'vitest';
import { addDomain, client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { API_KEYS, CREATED_API_KEY, DOMAINS, EVENTS } from '../resources.ts';

/** Tests list endpoints, their pages and their filters (`docs/api.md#operations`). */
export const listing: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);

  /** Adds domains `d0.acme.com`, `d1.acme.com` …: `together` of them at the same time, then `later` more, one each second. */
  async function addDomains(together: number, later: number): Promise<void> {
    for (let number = 0; number < together + later; number++) {
      if (number >= together) await driver().advance('1s');
      await addDomain(live(), `d${number}.acme.com`);
    }
  }

  const LISTS = [
    { path: '/v1/domains', shape: DOMAINS },
    { path: '/v1/events', shape: EVENTS },
    { path: '/v1/keys', shape: API_KEYS },
  ] as const;

  async function addMany(path: string): Promise<void> {
    if (path !== '/v1/keys') return addDomains(7, 2);
    for (let number = 0; number < 7; number++) await live().post('/v1/keys', { name: 'CI', mode: 'test' });
    await driver().advance('1s');
    await live().post('/v1/keys', { name: 'CI', mode: 'test' });
  }

  describe.each(LISTS)('GET $path', ({ path, shape }) => {
    const read = async (query: string) => (await live().get(`${path}?${query}`)).as(200, shape);

    test.each([1, 2, 3, 100])('4: pages of %i return every item once, newest first', async (limit) => {
      await addMany(path);
      const all = (await read('')).data;
      expect(all.length).toBeGreaterThanOrEqual(9);
      const times = all.map(({ created_at }) => Date.parse(created_at));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      const walked: unknown[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < 20; pages++) {
        const page: { data: readonly unknown[]; next_cursor: string | null } = await read(
          `limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        expect(page.data.length).toBe(page.next_cursor === null ? page.data.length : limit);
        expect(page.next_cursor?.length ?? 0).toBeLessThanOrEqual(200);
        walked.push(...page.data);
        cursor = page.next_cursor;
      }
      expect(walked).toEqual(all);
    });

    test('4: the last page has no next_cursor, even when it is full', async () => {
      await addMany(path);
      const { length } = (await read('')).data;
      expect((await read(`limit=${length}`)).next_cursor).toBeNull();
      expect((await read(`limit=${length - 1}`)).next_cursor).not.toBeNull();
    });

    test('4: an item added during paging neither repeats nor hides another', async () => {
      await addMany(path);
      const all = (await read('')).data.map(({ id }) => id);
      const first = await read('limit=4');
      await driver().advance('1ms');
      await addDomain(live(), 'later.acme.com');
      await live().post('/v1/keys', { name: 'Later', mode: 'test' });
      const rest = await read(`limit=100&cursor=${first.next_cursor}`);
      expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(all);
    });

    test.each(['0', '101', '-1', '1.5', 'abc', '', '1e1', '0x10', '%2010', '9999999999'])(
      '4: a limit of "%s" is validation_failed',
      async (limit) => {
        expect((await live().get(`${path}?limit=${limit}`)).faults()).toEqual(['limit']);
      },
    );

    test('4: a cursor is valid only for the list, app and mode that it came from', async () => {
      await addMany(path);
      const { next_cursor } = await read('limit=1');
      const cursor = encodeURIComponent(next_cursor ?? '');
      const other = await driver().createApp({ name: 'Other' });
      const elsewhere = LISTS.filter((each) => each.path !== path).map((each) =>
        live().get(`${each.path}?cursor=${cursor}`),
      );
      const strangers = [testMode(), client(driver(), other.live_key)].map((api) =>
        api.get(`${path}?cursor=${cursor}`),
      );
      for (const answer of await Promise.all([...elsewhere, ...strangers])) {
        expect(answer.faults()).toEqual(['cursor']);
      }
      expect((await read(`cursor=${cursor}`)).data.length).toBeGreaterThan(0);
    });

    test.each([
      '',
      'x',
      'null',
      '%00',
      '-1',
      '%F0%9F%98%80',
      'x'.repeat(200),
      'x'.repeat(201),
      'x'.repeat(5000),
    ])('4: a cursor such as "%s" is validation_failed', async (cursor) => {
      expect((await live().get(`${path}?cursor=${cursor}`)).faults()).toEqual(['cursor']);
    });

    test('4: a modified cursor is validation_failed', async () => {
      await addMany(path);
      const cursor = (await read('limit=1')).next_cursor ?? '';
      for (const changed of [
        cursor.slice(0, -1),
        `${cursor}A`,
        cursor.toLowerCase(),
        `A${cursor.slice(1)}`,
      ]) {
        if (changed === cursor) continue;
        expect((await live().get(`${path}?cursor=${encodeURIComponent(changed)}`)).faults()).toEqual([
          'cursor',
        ]);
      }
    });

    test('4: a parameter given twice is validation_failed', async () => {
      expect((await live().get(`${path}?limit=1&limit=2`)).faults()).toEqual(['limit']);
    });
  });

  test('4: a page has 50 items by default', async () => {
    await Promise.all(Array.from({ length: 51 }, (_, number) => addDomain(live(), `d${number}.acme.com`)));
    const page = (await live().get('/v1/domains')).as(200, DOMAINS);
    expect(page.data).toHaveLength(50);
    expect(page.next_cursor).not.toBeNull();
    expect((await live().get('/v1/domains?limit=100')).as(200, DOMAINS).data).toHaveLength(51);
    expect((await live().get('/v1/events')).as(200, EVENTS).data).toHaveLength(50);
  });

  test('4.2: revoking the key at the end of a page does not break paging', async () => {
    const made = (await live().post('/v1/keys', { name: 'CI', mode: 'test' })).as(201, CREATED_API_KEY);
    const page = (await live().get('/v1/keys?limit=1')).as(200, API_KEYS);
    await live().delete(`/v1/keys/${made.id}`);
    expect((await live().get(`/v1/keys?cursor=${page.next_cursor}`)).status).toBe(200);
  });

  describe('filters of domains', () => {
    const found = async (query: string) =>
      (await live().get(`/v1/domains?${query}`))
        .as(200, DOMAINS)
        .data.map(({ hostname }) => hostname)
        .sort();

    test('4.3: status', async () => {
      const { id } = await addDomain(live(), 'a.acme.com');
      await addDomain(live(), 'b.acme.com');
      await driver().trigger(id, 'dns_confirmed');
      expect(await found('status=issuing')).toEqual(['a.acme.com']);
      expect(await found('status=pending_dns')).toEqual(['b.acme.com']);
      await live().delete(`/v1/domains/${id}`);
      for (const status of ['issuing', 'deleted', 'held'])
        expect(await found(`status=${status}`)).toEqual([]);
      for (const status of ['', 'live', 'ACTIVE']) {
        expect((await live().get(`/v1/domains?status=${status}`)).faults()).toEqual(['status']);
      }
    });

    test('4.3: hostname is a prefix, in upper or lower case', async () => {
      for (const hostname of ['jobs.acme.com', 'jobs-eu.acme.com', 'my.jobs.acme.com', 'xn--bcher-kva.de']) {
        await addDomain(live(), hostname);
      }
      expect(await found('hostname=jobs')).toEqual(['jobs-eu.acme.com', 'jobs.acme.com']);
      expect(await found('hostname=JOBS.')).toEqual(['jobs.acme.com']);
      expect(await found('hostname=jobs.acme.com')).toEqual(['jobs.acme.com']);
      expect(await found('hostname=obs')).toEqual([]);
      expect(await found('hostname=xn--')).toEqual(['xn--bcher-kva.de']);
      expect(await found(`hostname=${'a'.repeat(253)}`)).toEqual([]);
    });

    test.each(['%25', '_', 'b%C3%BCcher', 'a%20b', '*', 'a/b', '%00', 'a'.repeat(254)])(
      '4.3: a hostname filter may not be "%s"',
      async (hostname) => {
        expect((await live().get(`/v1/domains?hostname=${hostname}`)).faults()).toEqual(['hostname']);
      },
    );

    test('4: an empty filter is refused, and an empty id finds nothing', async () => {
      expect((await live().get('/v1/domains?hostname=')).faults()).toEqual(['hostname']);
      expect((await live().get('/v1/events?domain_id=')).faults()).toEqual(['domain_id']);
      for (const path of ['/v1/domains/', '/v1/events/', '/v1/domains//certificates'])
        (await live().get(path)).refused('not_found');
    });

    test('4.3: metadata filters compare top-level keys as strings', async () => {
      await addDomain(live(), 'a.acme.com', {
        metadata: { team: 'red', tier: '1', n: 1, nested: { team: 'blue' } },
      });
      await addDomain(live(), 'b.acme.com', { metadata: { team: 'red', tier: '2' } });
      await addDomain(live(), 'c.acme.com', { metadata: { team: 'RED' } });
      await addDomain(live(), 'd.acme.com');
      expect(await found('metadata.team=red')).toEqual(['a.acme.com', 'b.acme.com']);
      expect(await found('metadata.team=red&metadata.tier=1')).toEqual(['a.acme.com']);
      expect(await found('metadata.team=blue')).toEqual([]);
      expect(await found('metadata.n=1')).toEqual([]);
      expect(await found('metadata.nested=')).toEqual([]);
      expect(await found('metadata.team=re')).toEqual([]);
      expect(await found('metadata.team=red&hostname=b&status=pending_dns')).toEqual(['b.acme.com']);
    });

    test('4.3: metadata keys and values may be any text', async () => {
      const odd = ['__proto__', 'constructor', 'a.b', "a'b", '😀', 'a=b&c', ' ', '%', '$.x', 'x'.repeat(500)];
      for (const [number, key] of odd.entries()) {
        const metadata = JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(key)}}`) as object;
        await addDomain(live(), `d${number}.acme.com`, { metadata });
      }
      for (const [number, key] of odd.entries()) {
        const name = encodeURIComponent(key);
        expect(await found(`metadata.${name}=${name}`)).toEqual([`d${number}.acme.com`]);
        expect(await found(`metadata.${name}=other`)).toEqual([]);
      }
    });

    test('4.3: metadata filters follow a change', async () => {
      const { id } = await addDomain(live(), 'a.acme.com', { metadata: { team: 'red' } });
      await live().patch(`/v1/domains/${id}`, { metadata: { team: 'blue' } });
      expect([await found('metadata.team=red'), await found('metadata.team=blue')]).toEqual([
        [],
        ['a.acme.com'],
      ]);
    });

    test('4.3: accepts up to five metadata filters, and no key twice', async () => {
      const filters = (count: number) =>
        Array.from({ length: count }, (_, n) => `metadata.k${n}=v`).join('&');
      expect(await found(filters(5))).toEqual([]);
      expect((await live().get(`/v1/domains?${filters(6)}`)).faults()).toEqual(['metadata']);
      expect((await live().get('/v1/domains?metadata.a=1&metadata.a=2')).faults()).toEqual(['metadata.a']);
      expect((await live().get('/v1/domains?metadata.=1')).faults()).toEqual(['metadata.']);
    });

    test('4.3: metadata[<key>] equals metadata.<key>, since generated clients write it', async () => {
      await addDomain(live(), 'a.acme.com', { metadata: { team: 'red', tier: '1', 'a]b': 'x' } });
      await addDomain(live(), 'b.acme.com', { metadata: { team: 'blue', tier: '1' } });
      expect(await found('metadata[team]=red')).toEqual(['a.acme.com']);
      expect(await found('metadata%5Bteam%5D=blue&metadata.tier=1')).toEqual(['b.acme.com']);
      expect(await found('metadata%5Ba%5Db%5D=x')).toEqual(['a.acme.com']);
    });

    test('4.3: both forms of a filter count towards the same limit', async () => {
      const filters = (count: number) =>
        Array.from({ length: count }, (_, n) => (n % 2 ? `metadata.k${n}=v` : `metadata[k${n}]=v`)).join('&');
      expect(await found(filters(5))).toEqual([]);
      expect((await live().get(`/v1/domains?${filters(6)}`)).faults()).toEqual(['metadata']);
      expect((await live().get('/v1/domains?metadata[a]=1&metadata.a=2')).faults()).toEqual(['metadata.a']);
    });

    test.each([
      'metadata.<key>=red',
      'metadata.%3Ckey%3E=red',
      'metadata.%253Ckey%253E=red',
      'metadata[<key>]=red',
      'metadata[]=red',
      'metadata[team=red',
      'metadata[team][name]=red',
      'metadata=[object%20Object]',
    ])('4.3: the filter %s names no key of metadata: validation_failed', async (query) => {
      await addDomain(live(), 'a.acme.com', { metadata: { team: 'red' } });
      const name = decodeURIComponent(query.slice(0, query.indexOf('=')));
      expect((await live().get(`/v1/domains?${query}`)).faults()).toEqual([name]);
    });

    test('4.3: a filtered list has its own pages', async () => {
      await addDomains(4, 0);
      await addDomain(live(), 'other.acme.com');
      const page = (await live().get('/v1/domains?hostname=d&limit=3')).as(200, DOMAINS);
      const next = (await live().get(`/v1/domains?hostname=d&cursor=${page.next_cursor}`)).as(200, DOMAINS);
      expect([...page.data, ...next.data]).toHaveLength(4);
    });
  });
};
