import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { askDnsProvider, type DomainConnectLookups } from '../../shared/adapters/domain-connect.ts';
import {
  type ApplyTarget,
  DNS_PROVIDER_HOSTS,
  type OneClickOffer,
  type ServiceProvider,
} from '../../shared/core/providers/domain-connect.ts';

const SERVICE: ServiceProvider = {
  provider_id: 'nameplate.example',
  provider_name: 'Nameplate',
  key_domain: 'nameplate.example',
  keyHost: '_dck1',
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  allow: DNS_PROVIDER_HOSTS,
};
const TARGET: ApplyTarget = {
  hostname: 'careers.acme.com',
  zone: 'acme.com',
  dns: { cname: { name: 'careers', value: 'k4x.edge.nameplate.example' }, apex: null },
  edgeZone: 'edge.nameplate.example',
};
const SETTINGS_URL = 'https://api.cloudflare.com/client/v4/dns/domainconnect/v2/acme.com/settings';
const TEMPLATE_URL =
  'https://api.cloudflare.com/client/v4/dns/domainconnect/v2/domainTemplates/providers/nameplate.example/services/subdomain';
const SETTINGS = JSON.stringify({
  urlSyncUX: 'https://dash.cloudflare.com/domainconnect',
  urlAPI: 'https://api.cloudflare.com/client/v4/dns/domainconnect',
});

type Answer = { status_code: number; body: string } | null;

/** Creates a DNS provider that has our template, and records the requests that the provider received. */
function world({
  txt,
  answers = {},
}: {
  txt?: readonly string[] | null;
  answers?: Record<string, Answer>;
} = {}) {
  const asked: string[] = [];
  const given: Record<string, Answer> = {
    [SETTINGS_URL]: { status_code: 200, body: SETTINGS },
    [TEMPLATE_URL]: { status_code: 200, body: '' },
    ...answers,
  };
  const lookups: DomainConnectLookups = {
    async txt(name) {
      asked.push(name);
      return txt === undefined ? ['api.cloudflare.com/client/v4/dns/domainconnect'] : txt;
    },
    async get(url) {
      asked.push(url);
      return given[url] ?? null;
    },
  };
  return { asked, lookups };
}

test('Domain Connect offers the setup after three requests if the provider has the template', async () => {
  const { asked, lookups } = world();
  expect(await askDnsProvider(SERVICE, lookups, TARGET)).toEqual({
    outcome: 'offered',
    provider_name: 'Cloudflare',
    sync_ux_url: 'https://dash.cloudflare.com/domainconnect',
  });
  expect(asked).toEqual(['_domainconnect.acme.com', SETTINGS_URL, TEMPLATE_URL]);
});

test('if the TXT lookup failed, the support for Domain Connect is unknown, and no request is sent', async () => {
  const { asked, lookups } = world({ txt: null });
  expect(await askDnsProvider(SERVICE, lookups, TARGET)).toEqual({ outcome: 'unknown' });
  expect(asked).toEqual(['_domainconnect.acme.com']);
});

test('Domain Connect makes no request to a host that is not on the list', async () => {
  for (const txt of [[], ['metadata.internal'], ['127.0.0.1:4502'], ['api.cloudflare.com']]) {
    const { asked, lookups } = world({ txt });
    expect(await askDnsProvider(SERVICE, lookups, TARGET)).toEqual({ outcome: 'not_offered' });
    expect(asked).toEqual(['_domainconnect.acme.com']);
  }
});

test('Domain Connect sends no request if no template fits the target', async () => {
  const { asked, lookups } = world();
  expect(await askDnsProvider(SERVICE, lookups, { ...TARGET, zone: 'careers.acme.com' })).toEqual({
    outcome: 'not_offered',
  });
  expect(asked).toEqual([]);
});

test.each<[string, Answer, OneClickOffer['outcome']]>([
  ['do not arrive', null, 'unknown'],
  ['fail', { status_code: 503, body: '' }, 'unknown'],
  ['redirect to another site', { status_code: 301, body: SETTINGS }, 'not_offered'],
  ['do not exist', { status_code: 404, body: SETTINGS }, 'not_offered'],
  ['are cut off', { status_code: 200, body: SETTINGS.slice(0, -1) }, 'not_offered'],
  [
    'name another host',
    { status_code: 200, body: SETTINGS.replaceAll('api.cloudflare.com', 'metadata.internal') },
    'not_offered',
  ],
])('Domain Connect makes no further request if the settings %s', async (_, answer, outcome) => {
  const { asked, lookups } = world({ answers: { [SETTINGS_URL]: answer } });
  expect(await askDnsProvider(SERVICE, lookups, TARGET)).toEqual({ outcome });
  expect(asked).toHaveLength(2);
});

test.each<[string, Answer, OneClickOffer['outcome']]>([
  ['does not have the template', { status_code: 404, body: '' }, 'not_offered'],
  ['does not respond', null, 'unknown'],
  ['asks to wait', { status_code: 429, body: '' }, 'unknown'],
  ['sends elsewhere', { status_code: 302, body: '' }, 'not_offered'],
])('Domain Connect does not offer the setup if the provider %s', async (_, answer, outcome) => {
  const { lookups } = world({ answers: { [TEMPLATE_URL]: answer } });
  expect(await askDnsProvider(SERVICE, lookups, TARGET)).toEqual({ outcome });
});
