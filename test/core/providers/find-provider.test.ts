import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../shared/core/connect-texts/catalog.ts';
import { isParked } from '../../../shared/core/dns/findings/zone.ts';
import { findProvider, inNameServerZone, PROVIDERS } from '../../../shared/core/providers/providers.ts';

describe('the list of DNS providers is consistent', () => {
  test('the providers are sorted by id', () => {
    const ids = PROVIDERS.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
  });

  test('there are at least 35 providers, as documented', () => {
    expect(PROVIDERS.length).toBeGreaterThanOrEqual(35);
  });

  test('no two providers have the same id or name', () => {
    for (const key of ['id', 'name'] as const) {
      const all = PROVIDERS.map((provider) => provider[key]);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test('no zone is inside another zone or belongs to a parking service', () => {
    const zones = PROVIDERS.flatMap(({ name_servers }) => name_servers);
    const inAnother = zones.filter((zone, index) => {
      const sample = zone.replaceAll('N', '7');
      return isParked([sample]) || zones.some((other, at) => at !== index && inNameServerZone(sample, other));
    });
    expect(inAnother).toEqual([]);
  });
});

describe.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
  'the entry of the DNS provider %s is complete',
  (id, provider) => {
    test('a name server in any of the listed zones identifies this provider', () => {
      for (const zone of provider.name_servers)
        expect(findProvider([`ns1.${zone.replaceAll('N', '42')}`])?.id).toBe(id);
    });

    test('the name servers and the panel URL are valid, and no label has surrounding spaces', () => {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(provider.name_servers.length).toBeGreaterThan(0);
      for (const zone of provider.name_servers) expect(zone).toMatch(/^[a-zN0-9-]+(\.[a-zN0-9-]+)+$/);
      if (provider.panel_url !== null) expect(new URL(provider.panel_url).protocol).toBe('https:');
      const { type, name, value, valueByType } = provider.fields;
      for (const label of [type, name, value, ...Object.values(valueByType ?? {})])
        expect(label).toMatch(/^\S.*\S$/);
    });

    test('each step and caution has a text in the catalog, and fills all placeholders of this text', () => {
      expect(provider.steps.length).toBeGreaterThanOrEqual(2);
      const { guides, cautions } = languageOf('en').texts;
      const sentences = [
        ...provider.steps.map((step) => [step, guides[step.say]] as const),
        ...provider.cautions.map((caution) => [caution, cautions[caution.say]] as const),
      ];
      for (const [sentence, text] of sentences) {
        expect(text).toMatch(/^[A-Z{].*[^.]\.$/s);
        const needed = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        const given = [...Object.keys(sentence), 'domain', 'at'];
        expect(given).toEqual(expect.arrayContaining(needed));
        const names = Object.keys(sentence).filter((name) => name !== 'say');
        expect(needed).toEqual(expect.arrayContaining(names));
      }
    });
  },
);

describe("a zone's name servers determine its DNS provider", () => {
  test.each([
    ['cloudflare', ['dana.ns.cloudflare.com', 'kip.ns.cloudflare.com']],
    ['cloudflare', ['DANA.NS.CLOUDFLARE.COM.', 'kip.ns.cloudflare.com.']],
    ['cloudflare', ['blue.foundationdns.com', 'blue.foundationdns.net', 'blue.foundationdns.org']],
    ['godaddy', ['ns73.domaincontrol.com', 'ns74.domaincontrol.com']],
    ['route53', ['ns-2048.awsdns-64.com', 'ns-1.awsdns-00.co.uk', 'ns-9.awsdns-7.org', 'ns-8.awsdns-12.net']],
    ['ionos', ['ns1013.ui-dns.com', 'ns1085.ui-dns.de', 'ns1072.ui-dns.org', 'ns1023.ui-dns.biz']],
    ['dnsimple', ['ns1.dnsimple.com', 'ns2.dnsimple-edge.net', 'ns4.dnsimple-edge.org']],
    ['hostinger', ['ns1.dns-parking.com', 'ns2.dns-parking.com']],
    ['namesilo', ['ns1.dnsowl.com', 'ns2.dnsowl.com', 'ns3.dnsowl.com']],
  ])('the provider is %s for the name servers %j', (id, nameServers) => {
    expect(findProvider(nameServers)?.id).toBe(id);
  });

  test.each([
    ['an empty list', []],
    ['a name without a dot before the zone', ['ns1.notcloudflare.com', 'ns1.notns.cloudflare.com']],
    ['a name with more labels after the zone', ['dana.ns.cloudflare.com.evil.example']],
    ["a provider's own site", ['ns3.cloudflare.com']],
    ['a name with another character instead of a dot', ['danaxnsxcloudflare.com']],
    ['a name with an invalid number', ['ns-1.awsdns-.com', 'ns-1.awsdns-aa.com']],
    ['a name with something around the number', ['ns-1.xawsdns-1.com', 'ns-1.awsdns-1x.com']],
    [
      'servers of two providers',
      ['dana.ns.cloudflare.com', 'kip.ns.cloudflare.com', 'ns73.domaincontrol.com'],
    ],
    ['a server of a provider and an unknown server', ['dana.ns.cloudflare.com', 'ns1.acme.com']],
    ['servers that several providers share', ['dns1.p01.nsone.net', 'dns2.p01.nsone.net']],
    ['servers of a parking service', ['ns1.sedoparking.com', 'ns2.sedoparking.com']],
    ['odd names', ['', '.', ' dana.ns.cloudflare.com ', 'dana.ns.cloudflare.com\n']],
  ])('the provider is unknown for %s', (_, nameServers) => {
    expect(findProvider(nameServers)).toBeNull();
  });
});

describe('a zone is parked if all its name servers belong to parking services', () => {
  test.each([
    [['ns1.sedoparking.com', 'ns2.sedoparking.com']],
    [['NS1.BODIS.COM.', 'ns2.bodis.com']],
    [['ns1.above.com', 'ns1.dan.com']],
  ])('the name servers %j mean that the zone is parked', (nameServers) => {
    expect(isParked(nameServers)).toBe(true);
  });

  test.each([
    [[]],
    [['ns1.dns-parking.com', 'ns2.dns-parking.com']],
    [['ns1.jordan.com']],
    [['ns1.dan.com.evil.example']],
    [['ns1.sedoparking.com', 'dana.ns.cloudflare.com']],
  ])('the name servers %j do not mean that the zone is parked', (nameServers) => {
    expect(isParked(nameServers)).toBe(false);
  });
});
