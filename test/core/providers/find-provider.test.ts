import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../shared/core/connect-texts/catalog.ts';
import { isParked } from '../../../shared/core/dns/findings/zone.ts';
import { findProvider, inNameServerZone, PROVIDERS } from '../../../shared/core/providers/providers.ts';

describe('the list of DNS providers is consistent', () => {
  test('is sorted by id', () => {
    const ids = PROVIDERS.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
  });

  test('has the documented number of providers', () => {
    expect(PROVIDERS.length).toBeGreaterThanOrEqual(35);
  });

  test('has no duplicate id or name', () => {
    for (const key of ['id', 'name'] as const) {
      const all = PROVIDERS.map((provider) => provider[key]);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test('has no zone inside another zone, and no zone of a parking service', () => {
    const zones = PROVIDERS.flatMap(({ name_servers }) => name_servers);
    const inAnother = zones.filter((zone, index) => {
      const sample = zone.replaceAll('N', '7');
      return isParked([sample]) || zones.some((other, at) => at !== index && inNameServerZone(sample, other));
    });
    expect(inAnother).toEqual([]);
  });
});

describe.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
  'the DNS provider %s is described completely',
  (id, provider) => {
    test('is found by a name server in each of its zones', () => {
      for (const zone of provider.name_servers)
        expect(findProvider([`ns1.${zone.replaceAll('N', '42')}`])?.id).toBe(id);
    });

    test('has valid name servers, a valid panel URL and labels without surrounding spaces', () => {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(provider.name_servers.length).toBeGreaterThan(0);
      for (const zone of provider.name_servers) expect(zone).toMatch(/^[a-zN0-9-]+(\.[a-zN0-9-]+)+$/);
      if (provider.panel_url !== null) expect(new URL(provider.panel_url).protocol).toBe('https:');
      const { type, name, value, valueByType } = provider.fields;
      for (const label of [type, name, value, ...Object.values(valueByType ?? {})])
        expect(label).toMatch(/^\S.*\S$/);
    });

    test('has steps and cautions that the catalog knows, with all the names that they need', () => {
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

describe('the search by name servers finds the DNS provider of a zone', () => {
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
  ])('finds the provider %s by %j', (id, nameServers) => {
    expect(findProvider(nameServers)?.id).toBe(id);
  });

  test.each([
    ['no server at all', []],
    ['a name that only shares an ending', ['ns1.notcloudflare.com', 'ns1.notns.cloudflare.com']],
    ['a name that only shares a beginning', ['dana.ns.cloudflare.com.evil.example']],
    ["a provider's own site", ['ns3.cloudflare.com']],
    ['another character instead of a dot', ['danaxnsxcloudflare.com']],
    ['an invalid number', ['ns-1.awsdns-.com', 'ns-1.awsdns-aa.com']],
    ['a number with something around it', ['ns-1.xawsdns-1.com', 'ns-1.awsdns-1x.com']],
    ['two providers', ['dana.ns.cloudflare.com', 'kip.ns.cloudflare.com', 'ns73.domaincontrol.com']],
    ['a provider and an unknown one', ['dana.ns.cloudflare.com', 'ns1.acme.com']],
    ['servers that several providers share', ['dns1.p01.nsone.net', 'dns2.p01.nsone.net']],
    ['a parking service', ['ns1.sedoparking.com', 'ns2.sedoparking.com']],
    ['odd names', ['', '.', ' dana.ns.cloudflare.com ', 'dana.ns.cloudflare.com\n']],
  ])('finds no provider by %s', (_, nameServers) => {
    expect(findProvider(nameServers)).toBeNull();
  });
});

describe('a zone is detected as parked', () => {
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
