import { describe, expect, it } from 'vitest';
import type { KnownRoute } from '../../../shared/core/edge/edge-route.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import { HOST, route } from '../edge-under-test.ts';

const [ONE, TWO] = [route('https://one.example'), route('https://two.example')];
const APEX = route('https://one.example', { hostname: 'acme.com' });

function known(to: KnownRoute['route'], more: Partial<KnownRoute> = {}): KnownRoute {
  return { route: to, redirectsWww: false, changesAt: null, ...more };
}

describe("the edge's table of routes has a route for each hostname", () => {
  it('finds routes that were loaded, and routes that were set later', () => {
    const table = new RouteTable();
    expect(table.find(HOST)).toBeNull();
    table.set(HOST, known(ONE));
    expect(table.find(HOST)).toEqual(ONE);
    table.set(HOST, known('held'));
    expect(table.find(HOST)).toBe('held');
    table.set(HOST, known(TWO));
    expect(table.find(HOST)).toEqual(TWO);
    table.set(HOST, null);
    expect(table.find(HOST)).toBeNull();
    expect(table.size).toBe(0);
  });

  it('serves all routes during a full read, and then forgets routes that were not read', () => {
    const table = new RouteTable();
    for (const hostname of [HOST, 'gone.com', 'unreadable.com']) table.set(hostname, known(ONE));
    table.set('unreadable.com', known('unreadable'));
    table.beginReading();
    table.set(HOST, known(TWO));
    expect(table.find('gone.com')).toEqual({ ...ONE, hostname: 'gone.com' });
    expect(table.unreadable).toBe(1);
    table.endReading();
    expect([HOST, 'gone.com', 'unreadable.com'].map(table.find)).toEqual([TWO, null, null]);
    expect([table.size, table.unreadable]).toEqual([1, 0]);
  });

  it('distinguishes routes that differ in one field, and shares equal routes', () => {
    const table = new RouteTable();
    const routes = [
      ONE,
      route('https://one.example', { hostname: 'a.com', signing_secret: 'other' }),
      route('https://one.example', { hostname: 'b.com', app_id: 'app_other' }),
      route('https://one.example', { hostname: 'c.com', origin_headers: { 'X-Tenant': '1' } }),
      route('https://one.example', {
        hostname: 'd.com',
        origin_headers: { 'X-Tenant': '1' },
        domain_id: 'dom_d',
      }),
      route('https://two.example', { hostname: 'e.com' }),
    ];
    for (const each of routes) table.set(each.hostname, known(each));
    table.set('b.com', null);
    for (const each of routes) {
      expect(table.find(each.hostname)).toEqual(each.hostname === 'b.com' ? null : each);
    }
  });

  it('knows the hostname of a domain without a route, but no unknown hostname', () => {
    const table = new RouteTable();
    table.set(HOST, known(null));
    expect(table.find(HOST)).toBeNull();
    expect(table.isOwned(HOST)).toBe(true);
    expect(table.isOwned(`www.${HOST}`)).toBe(false);
    expect(table.isOwned('acme.com')).toBe(false);
  });

  it('routes www to the apex that redirects it, unless a domain has the hostname www', () => {
    const table = new RouteTable();
    table.set('acme.com', known(APEX, { redirectsWww: true }));
    expect(table.find('www.acme.com')).toEqual({ ...APEX, redirectTo: 'acme.com' });
    expect(table.isOwned('www.acme.com')).toBe(true);
    table.set('www.acme.com', known(null));
    expect(table.find('www.acme.com')).toBeNull();
    table.set('www.acme.com', null);
    table.set('acme.com', known('held', { redirectsWww: true }));
    expect(table.find('www.acme.com')).toBe('held');
    table.set('acme.com', known(null, { redirectsWww: true }));
    expect(table.find('www.acme.com')).toBeNull();
    table.set('acme.com', known(APEX));
    expect(table.find('www.acme.com')).toBeNull();
  });

  it('neither forwards to an unreadable route nor treats it as absent', () => {
    const table = new RouteTable();
    table.set('acme.com', known('unreadable', { redirectsWww: true }));
    table.set(HOST, known(ONE));
    for (const hostname of ['acme.com', 'www.acme.com']) {
      expect(() => table.find(hostname)).toThrow('cannot be read');
      expect(table.leadsNowhere(hostname)).toBe(false);
    }
    expect(table.find(HOST)).toEqual(ONE);
    expect(table.unreadable).toBe(1);
    table.setHolds(['acme.com']);
    expect(table.find('acme.com')).toBe('held');
  });

  it('counts the unreadable routes while routes are added, replaced and removed', () => {
    const table = new RouteTable();
    table.set('a.com', known('unreadable'));
    table.set(HOST, known(ONE));
    expect(table.unreadable).toBe(1);
    for (const to of ['unreadable', 'unreadable', ONE] as const) table.set(HOST, known(to));
    expect(table.unreadable).toBe(1);
    table.set('a.com', null);
    table.set('a.com', null);
    expect(table.unreadable).toBe(0);
    table.set(HOST, known('unreadable'));
    table.set(HOST, null);
    expect(table.unreadable).toBe(0);
  });

  it('has no route for a hostname without a certificate, held or not', () => {
    const table = new RouteTable();
    table.set('acme.com', known(APEX, { redirectsWww: true }));
    expect(table.leadsNowhere('www.acme.com')).toBe(false);
    table.setHolds(['*.com']);
    table.set('acme.com', known(null, { redirectsWww: true }));
    for (const hostname of ['acme.com', 'www.acme.com', HOST]) {
      expect(table.leadsNowhere(hostname)).toBe(true);
    }
  });

  it('gives a hold precedence over the route of a domain', () => {
    const table = new RouteTable();
    table.set('acme.com', known(APEX, { redirectsWww: true }));
    table.set(HOST, known(ONE));
    table.setHolds(['*.acme.com', 'evil.example']);
    expect(table.find('www.acme.com')).toBe('held');
    expect(table.find('a.b.acme.com')).toBe('held');
    expect(table.find('evil.example')).toBe('held');
    expect(table.find('www.evil.example')).toBeNull();
    expect(table.find(HOST)).toBe('held');
    // A hold of `*.acme.com` covers only the names below acme.com.
    expect(table.find('acme.com')).toEqual(APEX);
    table.setHold('*.acme.com', false);
    expect(table.find(HOST)).toEqual(ONE);
    table.setHold(HOST, true);
    expect(table.find(HOST)).toBe('held');
    table.setHolds([]);
    expect(table.find(HOST)).toEqual(ONE);
    expect(table.find('www.acme.com')).toMatchObject({ redirectTo: 'acme.com' });
  });

  it('lists routes that change by time, and keeps them until they are read again', () => {
    const table = new RouteTable();
    table.set(HOST, known(ONE, { changesAt: 1000 }));
    expect(table.due(999)).toEqual([]);
    expect(table.due(1000)).toEqual([HOST]);
    expect(table.find(HOST)).toEqual(ONE);
    expect(table.due(1001)).toEqual([HOST]);
    table.set(HOST, known(TWO));
    expect(table.due(5000)).toEqual([]);
    table.set(HOST, known(ONE, { changesAt: 6000 }));
    table.set('jobs.acme.com', known(TWO, { changesAt: 7000 }));
    expect([5999, 6000, 7000].map((now) => table.due(now).length)).toEqual([0, 1, 2]);
  });
});
