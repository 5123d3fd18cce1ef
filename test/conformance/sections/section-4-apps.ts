import { describe, expect, test } from 'vitest';
import { addDomain, client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { startReceiver } from '../receiver.ts';
import { APP, CHANGED_DOMAIN } from '../resources.ts';

/** Tests reads and changes of the app (`docs/api.md#apps`). */
export const apps: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const getApp = async () => (await live().get('/v1/apps/current')).as(200, APP);
  const change = async (body: object) => (await live().patch('/v1/apps/current', body)).as(200, APP);
  const faults = async (body: unknown) => (await live().patch('/v1/apps/current', body)).faults();

  test('4.1: every field is optional, and omitted fields stay', async () => {
    const before = await getApp();
    expect(await change({})).toEqual(before);
    expect(await change({ name: 'Acme' })).toEqual({ ...before, name: 'Acme' });
    expect(await change({ apex_redirect_default: 'www' })).toEqual({
      ...before,
      name: 'Acme',
      apex_redirect_default: 'www',
    });
    expect(await getApp()).toEqual({ ...before, name: 'Acme', apex_redirect_default: 'www' });
  });

  const NAMES = ['x', 'x'.repeat(80), '漢'.repeat(80), '😀'.repeat(80), ' ', '<b>&"\'\\'];

  test.each(NAMES)('4.1: accepts the name %j of 1 to 80 characters unchanged', async (name) => {
    expect((await change({ name })).name).toBe(name);
    expect((await getApp()).name).toBe(name);
  });

  const BAD: [string, unknown][] = [
    ['name', ''],
    ['name', 'x'.repeat(81)],
    ['name', '😀'.repeat(81)],
    ['name', 'a\u0000b'],
    ['name', 'a\ud800b'],
    ['name', null],
    ['name', 1],
    ['name', ['x']],
    ...['\u0000', '\u001b[2J', '\u009b31m', '\u202e', '\u2066', '\ud800'].flatMap(
      (text): [string, unknown][] => [
        ['support_url', `https://acme.com/${text}`],
        ['support_url', `mailto:help@acme.com${text}`],
        ['return_url', `https://acme.com/${text}`],
      ],
    ),
    ['origin_url', 1],
    ['origin_url', null],
    ['origin_url', {}],
    ['origin_url', ''],
    ['origin_url', `https://acme.com/${'x'.repeat(2032)}`],
    ['webhook_url', 1],
    ['webhook_url', ''],
    ['webhook_url', true],
    ['webhook_url', `https://acme.com/${'x'.repeat(2032)}`],
    ['webhook_url', 'http://acme.com/hook'],
    ['webhook_url', 'ftp://acme.com/hook'],
    ['webhook_url', 'acme.com/hook'],
    ['webhook_url', 'https://user:secret@acme.com/hook'],
    ['webhook_url', 'https://acme.com/hook#fragment'],
    ['webhook_url', 'https://10.0.0.1/hook'],
    ['webhook_url', 'https://169.254.169.254/latest'],
    ['webhook_url', 'https://[fd00::1]/hook'],
    ['webhook_url', 'https://0xa9fea9fe/hook'],
    ['webhook_url', 'https://acme.com/a\r\nX-Evil: 1'],
    ['webhook_url', 'https:acme.com'],
    ['webhook_url', 'https://service.internal/hook'],
    ['whitelabel_host', 1],
    ['whitelabel_host', ''],
    ['whitelabel_host', `${'a.'.repeat(126)}com`],
    ['whitelabel_host', 'not a host'],
    ['whitelabel_host', '*.acme.com'],
    ['whitelabel_host', 'com'],
    ['apex_redirect_default', 'apex'],
    ['apex_redirect_default', null],
    ['apex_redirect_default', true],
    ['brand_color', 'red'],
    ['brand_color', '#ffcc00'],
    ['brand_logo', 'https://acme.com/logo.png'],
    ['brand_logo', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['brand_logo', 'data:image/png;base64,AAAA'],
    ['support_url', 'javascript:alert(1)'],
    ['support_url', 'http://acme.com/help'],
    ['return_url', 'mailto:help@acme.com'],
    ['allow_proxied', null],
    ['allow_proxied', 'yes'],
  ];

  test.each(BAD)('4.1: %s may not be %j', async (field, value) => {
    const before = await getApp();
    expect(await faults({ [field]: value })).toContain(field);
    expect(await getApp()).toEqual(before);
  });

  test('4.1: the message lists every wrong field, and no part of the change is saved', async () => {
    const before = await getApp();
    const body = { name: '', apex_redirect_default: 1, webhook_url: 7 };
    const { message } = (await live().patch('/v1/apps/current', body)).refused('validation_failed');
    for (const field of Object.keys(body)) expect(message).toContain(field);
    expect(await faults(body)).toEqual(Object.keys(body).sort());
    expect(await faults({ name: 'Kept out', webhook_url: 'http://acme.com' })).toEqual(['webhook_url']);
    expect(await getApp()).toEqual(before);
  });

  test('4.1: webhook_url is kept as given, up to 2048 characters, and null turns webhooks off', async () => {
    await using receiver = await startReceiver();
    const path = `/hooks?secret=${'x'.repeat(2048 - receiver.url.length - '/hooks?secret='.length)}`;
    expect((await change({ webhook_url: receiver.url + path })).webhook_url).toHaveLength(2048);
    expect((await change({ name: 'Acme' })).webhook_url).toBe(receiver.url + path);
    expect((await change({ webhook_url: null })).webhook_url).toBeNull();
  });

  test('4.1: apex_redirect_default applies to apex domains added from then on', async () => {
    const before = await addDomain(live(), 'before.com');
    await change({ apex_redirect_default: 'www' });
    const after = await addDomain(live(), 'after.com');
    const below = await addDomain(live(), 'careers.after.com');
    const given = await addDomain(live(), 'given.com', { apex_redirect: 'none' });
    const redirects = [before, after, below, given].map(({ apex_redirect }) => apex_redirect);
    expect(redirects).toEqual(['none', 'www', 'none', 'none']);
  });

  test('4.1: a test key may change an app without live domains, and gets 403 once it has one', async () => {
    await addDomain(testMode(), 'test.acme.com');
    expect((await testMode().patch('/v1/apps/current', { name: 'By a test key' })).as(200, APP).name).toBe(
      'By a test key',
    );
    const { id } = await addDomain(live(), 'live.acme.com');
    (await testMode().patch('/v1/apps/current', { name: 'No' })).refused('forbidden');
    // The API checks the permission before the syntax and the fields.
    (await testMode().patch('/v1/apps/current', { name: 7 })).refused('forbidden');
    (await testMode().send('PATCH', '/v1/apps/current', { body: '{' })).refused('forbidden');
    expect((await change({ name: 'By a live key' })).name).toBe('By a live key');
    (await live().delete(`/v1/domains/${id}`)).empty();
    expect((await testMode().patch('/v1/apps/current', { name: 'Again' })).status).toBe(200);
  });

  describe('origin_url', () => {
    const REFUSED = [
      'http://acme.com',
      'ftp://acme.com',
      'acme.com',
      'https:acme.com',
      'https:\\\\acme.com',
      'https://acme.com/path',
      'https://acme.com/?query',
      'https://acme.com/#fragment',
      'https://user@acme.com',
      'https://user:secret@acme.com',
      'https://acme.com:0',
      'https://acme.com:65536',
      'https://acme.com\r\nX-Evil: 1',
      'https://93.184.216.34',
      'https://[2606:2800:220:1::1]',
      'https://10.0.0.1',
      'https://172.16.0.1',
      'https://192.168.0.1',
      'https://169.254.169.254',
      'https://100.64.0.1',
      'https://198.18.0.1',
      'https://224.0.0.1',
      'https://240.0.0.1',
      'https://0.0.0.0',
      'https://0xa000001',
      'https://[::]',
      'https://[fe80::1]',
      'https://[fc00::1]',
      'https://[::ffff:10.0.0.1]',
      'https://[64:ff9b::a00:1]',
      'https://[2002:a00:1::]',
      'https://acme',
      'https://com',
      'https://co.uk',
      'https://acme.internal',
      'https://printer.local',
    ];

    test.each(REFUSED)('4.1: may not be %j', async (originUrl) => {
      (await live().patch('/v1/apps/current', { origin_url: originUrl })).refused('origin_not_allowed');
      expect((await getApp()).origin_url).toBeNull();
    });

    test('4.1: may not be a host of the service', async () => {
      const { whitelabel_target } = await getApp();
      const originUrl = `https://${whitelabel_target}`;
      (await live().patch('/v1/apps/current', { origin_url: originUrl })).refused('origin_not_allowed');
    });

    const HOST = 'origin.localhost';

    test('4.1: may not be a domain of another app that has proven to own the hostname', async () => {
      const theirs = client(driver(), (await driver().createApp({ name: 'Other' })).live_key);
      const { id } = await addDomain(theirs, HOST);
      const originUrl = `https://${HOST}`;
      // A domain does not prove ownership when it is added, so it does not block another app.
      expect((await live().patch('/v1/apps/current', { origin_url: originUrl })).status).toBe(200);
      const mine = await live().post('/v1/domains', { hostname: 'one.acme.com', origin: originUrl });
      expect(mine.as(201, CHANGED_DOMAIN).origin).toBe(originUrl);

      await driver().trigger(id, 'dns_confirmed');
      (await live().patch('/v1/apps/current', { origin_url: originUrl })).refused('origin_not_allowed');
      const refused = await live().post('/v1/domains', { hostname: 'two.acme.com', origin: originUrl });
      refused.refused('origin_not_allowed');
      expect((await theirs.patch('/v1/apps/current', { origin_url: originUrl })).status).toBe(200);

      (await theirs.delete(`/v1/domains/${id}`)).empty();
      expect((await live().patch('/v1/apps/current', { origin_url: originUrl })).status).toBe(200);
    });
  });
};
