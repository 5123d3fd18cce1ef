import { expect, test } from 'vitest';
import { client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { closedPort, type ReceiverAnswer, startReceiver } from '../receiver.ts';
import { APP } from '../resources.ts';

/** Tests that the service probes an origin before it saves the origin, and every 15 minutes (sections 2.1 and 4.1). */
export const originProbes: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const getApp = async () => (await live().get('/v1/apps/current')).as(200, APP);
  const setOrigin = async (originUrl: string) =>
    (await live().patch('/v1/apps/current', { origin_url: originUrl })).as(200, APP);

  test('2.1: an origin that responds is reachable, and its latency is shown', async () => {
    await using origin = await startReceiver();
    const app = await setOrigin(`${origin.url}/`);
    expect(app).toMatchObject({
      origin_url: origin.url,
      origin_reachable: true,
      origin_status_reason: null,
      origin_unreachable: false,
    });
    expect(app.origin_latency_ms).toBeGreaterThanOrEqual(0);
    expect(Date.parse(app.origin_checked_at ?? '')).toBe(await driver().now());
    expect(origin.requests.map(({ method, path }) => [method, path])).toEqual([['GET', '/']]);
  });

  test.each([200, 204, 400, 401, 404, 429, 499])(
    '2.1: an origin that responds with %i is reachable',
    async (status) => {
      await using origin = await startReceiver(() => status);
      expect((await setOrigin(origin.url)).origin_reachable).toBe(true);
    },
  );

  test.each([500, 502, 503, 599])(
    '2.1: an origin that responds with %i is saved with origin_http_error',
    async (status) => {
      await using origin = await startReceiver(() => status);
      expect(await setOrigin(origin.url)).toMatchObject({
        origin_url: origin.url,
        origin_reachable: false,
        origin_latency_ms: null,
        origin_status_reason: 'origin_http_error',
        origin_unreachable: false,
      });
    },
  );

  test('2.1: an origin on which nothing listens is saved with origin_connection_failed', async () => {
    const originUrl = `http://127.0.0.1:${await closedPort()}`;
    expect(await setOrigin(originUrl)).toMatchObject({
      origin_url: originUrl,
      origin_reachable: false,
      origin_status_reason: 'origin_connection_failed',
    });
  });

  test('2.1: an https origin that does not speak TLS has origin_tls_error', async () => {
    await using origin = await startReceiver();
    const { origin_status_reason } = await setOrigin(`https://127.0.0.1:${origin.port}`);
    expect(origin_status_reason).toBe('origin_tls_error');
  });

  /** Returns a response function that redirects `times` times, then responds with 200. */
  const redirecting = (times: number) => {
    let left = times;
    return (): ReceiverAnswer => {
      left -= 1;
      return left >= 0 ? { status: 302, headers: { location: `/${left}` } } : 200;
    };
  };

  test('2.1: five redirects are followed, and the sixth is origin_too_many_redirects', async () => {
    await using origin = await startReceiver(redirecting(5));
    expect((await setOrigin(origin.url)).origin_reachable).toBe(true);
    expect(origin.requests).toHaveLength(6);
    origin.answer = redirecting(6);
    expect((await setOrigin(origin.url)).origin_status_reason).toBe('origin_too_many_redirects');
    expect(origin.requests).toHaveLength(12);
  });

  const BAD_REDIRECTS: Record<string, string>[] = [
    {},
    { location: 'http://acme.com/' },
    { location: 'javascript:alert(1)' },
    { location: 'file:///etc/passwd' },
    { location: 'https://' },
    { location: 'https://user:secret@acme.com/' },
  ];

  test.each(BAD_REDIRECTS)('2.1: a redirect with %j is origin_bad_redirect', async (headers) => {
    await using origin = await startReceiver(() => ({ status: 301, headers }));
    expect((await setOrigin(origin.url)).origin_status_reason).toBe('origin_bad_redirect');
  });

  test.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[fd00::1]/',
    'https://0xa000001/',
  ])('4.1: an origin that redirects to %s is refused and not saved', async (location) => {
    await using origin = await startReceiver(() => ({ status: 307, headers: { location } }));
    (await live().patch('/v1/apps/current', { origin_url: origin.url })).refused('origin_not_allowed');
    expect((await getApp()).origin_url).toBeNull();
  });

  test('2.1: an origin is probed again every 15 minutes, and unreachable after 3 failures in a row', async () => {
    await using origin = await startReceiver();
    await setOrigin(origin.url);
    origin.answer = () => 503;
    const unreachable: boolean[] = [];
    for (let probes = 0; probes < 3; probes++) {
      await driver().advance('14m59s');
      expect((await getApp()).origin_checked_at).not.toBe(new Date(await driver().now()).toISOString());
      await driver().advance('1s');
      const app = await getApp();
      expect(Date.parse(app.origin_checked_at ?? '')).toBe(await driver().now());
      unreachable.push(app.origin_unreachable);
    }
    expect(unreachable).toEqual([false, false, true]);
    expect(origin.requests).toHaveLength(4);
    // `origin_latency_ms` is still the latency of the latest successful probe.
    expect((await getApp()).origin_latency_ms).toBeGreaterThanOrEqual(0);
    origin.answer = () => 200;
    await driver().advance('15m');
    expect(await getApp()).toMatchObject({
      origin_reachable: true,
      origin_unreachable: false,
      origin_status_reason: null,
    });
  });

  test('2.1: a success resets the count of failures, and a new origin starts at zero', async () => {
    await using origin = await startReceiver(() => 500);
    await setOrigin(origin.url);
    await driver().advance('15m');
    origin.answer = () => 200;
    await driver().advance('15m');
    origin.answer = () => 500;
    await driver().advance('30m');
    expect((await getApp()).origin_unreachable).toBe(false);
    await driver().advance('15m');
    expect((await getApp()).origin_unreachable).toBe(true);
    await using other = await startReceiver(() => 500);
    expect((await setOrigin(other.url)).origin_unreachable).toBe(false);
  });

  test('2.1: sending the URL of an unreachable origin again is one more probe of it', async () => {
    await using origin = await startReceiver();
    await setOrigin(origin.url);
    const { origin_latency_ms } = await getApp();
    origin.answer = () => 500;
    await driver().advance('45m');
    expect((await getApp()).origin_unreachable).toBe(true);
    expect(await setOrigin(origin.url)).toMatchObject({ origin_unreachable: true, origin_latency_ms });
    origin.answer = () => 200;
    expect((await setOrigin(origin.url)).origin_unreachable).toBe(false);
  });
};
