import { describe, expect, it } from 'vitest';
import type { AppId } from '../../../shared/core/ids.ts';
import type { EdgeReader } from '../../../shared/operations/edge/edge-reader.ts';
import { APEX, edgeOfValues, HOST, NOW, ONE, TWO, WWW } from './edge-of-values.ts';

/** Returns the URL of the origin of a route, or the redirect of the route, or what the edge found in place of a route. */
function goal({ findRoute }: EdgeReader, hostname: string): unknown {
  const found = findRoute(hostname);
  if (found === null || found === 'held') return found;
  if (found.redirectTo !== null) return { redirectTo: found.redirectTo };
  return found.origin?.kind === 'app' ? found.origin.url : found.origin;
}

describe('the edge finds the route of a hostname in its values', () => {
  it('finds the newest route, and none for an unknown or deleted hostname', () => {
    const under = edgeOfValues();
    expect(goal(under, HOST)).toBeNull();
    under.setApp(ONE, 'https://one.example');
    under.setHost(HOST);
    expect(goal(under, HOST)).toBe('https://one.example');
    under.setHost(HOST, { is_held: true });
    expect(goal(under, HOST)).toBe('held');
    under.setHost(HOST, { origin: 'https://two.example' });
    expect(goal(under, HOST)).toBe('https://two.example');
    under.setHost(HOST, null);
    expect(goal(under, HOST)).toBeNull();
  });

  it('changes the origin and the secret of all hostnames of an app with one value, and of no other app', () => {
    const under = edgeOfValues();
    for (const [id, names] of [
      [ONE, ['a.com', 'b.com']],
      [TWO, ['c.com']],
    ] as const) {
      under.setApp(id, `https://${id}.example`);
      for (const name of names) under.setHost(name, { app_id: id, origin_headers: { 'X-Tenant': name } });
    }
    under.setApp(ONE, 'https://moved.example', { secret: 'rotated' });
    const found = ['a.com', 'b.com', 'c.com'].map((name) => under.findRoute(name));
    expect(found).toMatchObject([
      {
        origin: { url: 'https://moved.example' },
        signing_secret: 'rotated',
        origin_headers: { 'X-Tenant': 'a.com' },
      },
      {
        origin: { url: 'https://moved.example' },
        signing_secret: 'rotated',
        origin_headers: { 'X-Tenant': 'b.com' },
      },
      { origin: { url: 'https://app_2.example' }, signing_secret: 'secret of app_2', app_id: TWO },
    ]);
  });

  it('finds a route that begins, changes or ends with time, without another value', () => {
    const under = edgeOfValues();
    under.setApp(ONE, 'https://one.example', {
      domain_origins: { before: true, changes_at: NOW + 5_000, after: false },
    });
    under.setHost(HOST, { origin: 'https://own.example', not_before: NOW + 1_000 });
    const goals = [0, 1_000, 4_999, 5_000, 9_999, 10_000].map((ms) => {
      under.clock.at = NOW + ms;
      return goal(under, HOST);
    });
    const [own, app] = ['https://own.example', 'https://one.example'];
    expect(goals).toEqual([null, own, own, app, app, null]);
  });

  it('the edge redirects `www` to an apex with this setting, unless a domain with a valid certificate has the hostname `www`', () => {
    const under = edgeOfValues();
    under.setApp(ONE, 'https://one.example');
    under.setHost(APEX, { redirects_www: true });
    expect(goal(under, WWW)).toEqual({ redirectTo: APEX });
    expect(goal(under, `www.${HOST}`)).toBeNull();
    under.setHost(WWW, { origin: 'https://www.example' });
    expect(goal(under, WWW)).toBe('https://www.example');
    under.setHost(WWW, { not_before: NOW + 1 });
    expect(goal(under, WWW)).toEqual({ redirectTo: APEX });
    under.setHost(WWW, null);
    under.setHost(APEX, { redirects_www: true, is_held: true });
    expect(goal(under, WWW)).toBe('held');
    under.setHost(APEX, { redirects_www: true, not_after: NOW });
    expect(goal(under, WWW)).toBeNull();
    under.setHost(APEX);
    expect(goal(under, WWW)).toBeNull();
  });

  it('forwards no request if a value of the route is missing or cannot be opened, and serves all other hostnames', () => {
    const under = edgeOfValues();
    under.setApp(ONE, 'https://one.example');
    under.setHost(HOST);
    under.setHost(APEX, 'unreadable');
    under.setHost('lost.com', { app_id: TWO });
    under.setHost('sealed.com', { app_id: 'app_3' as AppId });
    under.set('app.app_3', 'unreadable');
    for (const name of [APEX, 'lost.com', 'sealed.com'])
      expect(() => under.findRoute(name), name).toThrow('cannot be read');
    expect(goal(under, HOST)).toBe('https://one.example');
    // An unreadable hostname is not gone, so that the edge refuses its handshakes for no longer than the fault lasts.
    expect([APEX, 'lost.com'].map((name) => under.certificates.isGone?.(name))).toEqual([false, false]);
    under.hold(APEX);
    expect(goal(under, APEX)).toBe('held');
  });

  it('gives a hold precedence over every route, and a wildcard hold covers only names below its name', () => {
    const under = edgeOfValues();
    under.setApp(ONE, 'https://one.example');
    under.setHost(APEX, { redirects_www: true });
    under.setHost(HOST);
    for (const name of ['*.acme.com', 'evil.example']) under.hold(name);
    const names = [WWW, 'a.b.acme.com', 'evil.example', 'www.evil.example', HOST, APEX];
    expect(names.map((name) => goal(under, name))).toEqual([
      'held',
      'held',
      'held',
      null,
      'held',
      'https://one.example',
    ]);
    under.hold('*.acme.com', false);
    expect([goal(under, HOST), goal(under, WWW)]).toEqual(['https://one.example', { redirectTo: APEX }]);
    under.hold(HOST);
    expect(goal(under, HOST)).toBe('held');
  });

  it('says that a hostname without a route is gone, held or not, so that its connections can be closed', () => {
    const under = edgeOfValues();
    const { isGone } = under.certificates;
    under.setApp(ONE, 'https://one.example');
    under.setHost(APEX, { redirects_www: true });
    expect([APEX, WWW].map((name) => isGone?.(name))).toEqual([false, false]);
    under.hold('*.com');
    under.setHost(APEX, { redirects_www: true, not_after: NOW });
    expect([APEX, WWW, HOST].map((name) => isGone?.(name))).toEqual([true, true, true]);
  });
});
