import { describe, expect, test } from 'vitest';
import {
  DNS_PROVIDER_HOSTS,
  dnsProviderHost,
  readDnsProviderSettings,
} from '../../../shared/core/providers/domain-connect.ts';

describe('the hosts of Domain Connect providers are fixed', () => {
  test('each provider has a settings value of its own, and a plain host name', () => {
    const settings = DNS_PROVIDER_HOSTS.map((each) => each.settings);
    expect(new Set(settings).size).toBe(settings.length);
    for (const { settings, hosts } of DNS_PROVIDER_HOSTS) {
      expect(settings).toMatch(/^[a-z0-9.-]+\.[a-z]+(\/[a-z0-9/.-]+[a-z0-9])?$/);
      expect(hosts).toContain(settings.split('/')[0]);
    }
  });

  test("a provider is found only if the TXT record equals the provider's settings value exactly", () => {
    const [cloudflare] = DNS_PROVIDER_HOSTS;
    const named = (...txt: string[]) => dnsProviderHost(txt, DNS_PROVIDER_HOSTS)?.provider_name;
    expect(named('v=spf1 -all', cloudflare?.settings ?? '')).toBe('Cloudflare');
    for (const txt of [
      '',
      'api.cloudflare.com',
      'api.cloudflare.com/client/v4/dns/domainconnect/../../user',
      'api.cloudflare.com/client/v4/dns/domainconnect?x=',
      'x@domainconnect.vercel.com',
      'domainconnect.vercel.com:8443',
      'domainconnect.vercel.com.evil.example',
      'evil.example/domainconnect.vercel.com',
      '127.0.0.1',
      'localhost',
      '[::1]',
      '169.254.169.254/latest',
    ])
      expect(named(txt), txt).toBeUndefined();
  });
});

describe("a Domain Connect provider's settings are validated", () => {
  const VERCEL = dnsProviderHost(['domainconnect.vercel.com'], DNS_PROVIDER_HOSTS);
  const read = (body: string) => (VERCEL === null ? undefined : readDnsProviderSettings(body, VERCEL));
  const settings = (changes: Record<string, unknown>) =>
    JSON.stringify({
      providerId: 'vercel.com',
      urlSyncUX: 'https://vercel.com/domain-connect/',
      urlAPI: 'https://vercel.com/api/domain-connect',
      ...changes,
    });

  test('the settings contain two URLs', () => {
    expect(read(settings({}))).toEqual({
      sync_ux_url: 'https://vercel.com/domain-connect',
      api_url: 'https://vercel.com/api/domain-connect',
    });
  });

  test.each([
    'http://vercel.com/domain-connect',
    'https://evil.example/domain-connect',
    'https://vercel.com.evil.example/',
    'https://evil-vercel.com/',
    'https://vercel.com:8443/',
    'https://vercel.com@evil.example/',
    'https://user:password@vercel.com/',
    'https://vercel.com/?next=',
    'https://vercel.com/#x',
    'https://127.0.0.1/',
    'https://[::1]/',
    '//vercel.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
    `https://vercel.com/${'x'.repeat(2000)}`,
    null,
    7,
    {},
    ['https://vercel.com/'],
    undefined,
  ])('the settings are refused with the URL %j', (url) => {
    expect(read(settings({ urlSyncUX: url }))).toBeNull();
    expect(read(settings({ urlAPI: url }))).toBeNull();
  });

  test.each([
    ['nothing', ''],
    ['half of it', settings({}).slice(0, 60)],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"https://vercel.com/"'],
    ['a page', '<html>'],
    ['too much', settings({ padding: 'é'.repeat(9000) })],
    ['a deep list', '['.repeat(16_000)],
    [
      'an inherited property',
      '{"__proto__":{"urlSyncUX":"https://vercel.com","urlAPI":"https://vercel.com"}}',
    ],
  ])('the settings are refused if they are %s', (_, body) => {
    expect(read(body)).toBeNull();
  });
});
