import { describe, expect, test } from 'vitest';
import { challengeUrl } from '../../../shared/core/certificates/acme-challenge.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { HOST, preparingWorld } from './preparing-world.ts';

describe('a redirect of challenge requests from the old host can lead to a certificate', () => {
  test('leads to a certificate by HTTP-01, which the switch uses', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    const target = await world.targetOf(under.caller);
    under.oldHosts.set(HOST, ({ pathname }) => `http://${target}${pathname}`);
    const validated: string[] = [];
    under.acme.first.validate = ({ type }) => {
      validated.push(type);
      return null;
    };
    await under.pass(2 * MINUTE_MS);
    expect(await world.isReady(id)).toBe(true);
    expect((await under.domain(id)).status).toBe('pending_dns');
    expect(validated).toEqual(['http-01']);
    const serial = await world.serialOf(id);
    under.right.add(HOST);
    await under.pass(2 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(await world.serialOf(id)).toBe(serial);
    expect(under.events).toEqual(['domain.created', 'domain.verified', 'domain.active']);
  });

  test('does not prove ownership: an apex still needs its TXT record', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add('acme.com');
    const target = await world.targetOf(under.caller);
    under.oldHosts.set('acme.com', ({ pathname }) => `http://${target}${pathname}`);
    await under.pass(2 * MINUTE_MS);
    expect(await world.isReady(id)).toBe(true);
    expect(await world.needsTxt(id)).toBe(true);
  });

  test('keeps the domain in pending_dns beyond 72 hours as long as the redirect exists', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    const target = await world.targetOf(under.caller);
    under.oldHosts.set(HOST, ({ pathname }) => `http://${target}${pathname}`);
    await world.passQuickly(10 * DAY_MS);
    expect((await under.domain(id)).status).toBe('pending_dns');
    under.oldHosts.clear();
    await world.passQuickly(4 * DAY_MS);
    expect((await under.domain(id)).status).toBe('expired');
  });

  test('leads to no certificate if it points to another app', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const rival = { ...(await under.world.addApp('rival')), mode: 'live' } as const;
    const target = await world.targetOf(under.caller);
    under.oldHosts.set(HOST, ({ pathname }) => `http://${target}${pathname}`);
    const theirs = await world.add(HOST, rival);
    await under.pass(HOUR_MS);
    expect(await world.isReady(theirs)).toBe(false);
    expect(under.acme.first.count('newOrder')).toBe(0);
  });

  test('leads to no certificate if it is on another hostname', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    const target = await world.targetOf(under.caller);
    under.oldHosts.set('jobs.acme.com', ({ pathname }) => `http://${target}${pathname}`);
    await under.pass(HOUR_MS);
    expect(await world.isReady(id)).toBe(false);
    expect(under.acme.first.count('newOrder')).toBe(0);
  });

  test.each<[string, (target: string, url: URL) => string]>([
    ['over HTTPS', (target, { pathname }) => `https://${target}${pathname}`],
    ['to another path', (target) => challengeUrl(target, 'a'.repeat(43))],
    ['to a port', (target, { pathname }) => `http://${target}:8080${pathname}`],
    ['with a query', (target, { pathname }) => `http://${target}${pathname}?from=old`],
    ['to a name below the target', (target, { pathname }) => `http://x.${target}${pathname}`],
    ['to a path of its own', (_, { pathname }) => pathname],
  ])('leads to no certificate as a redirect %s', async (_, redirect) => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    const target = await world.targetOf(under.caller);
    under.oldHosts.set(HOST, (url) => redirect(target, url));
    await under.pass(HOUR_MS);
    expect(await world.isReady(id)).toBe(false);
    expect(under.acme.first.count('newOrder')).toBe(0);
  });
});
