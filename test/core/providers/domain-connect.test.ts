import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dnsRecords } from '../../../shared/core/dns/dns-records.ts';
import {
  type ApplyTarget,
  applyRequest,
  applyUrl,
  DNS_PROVIDER_HOSTS,
  publicKeyRecords,
  readSigningKey,
  type ServiceProvider,
  templateUrl,
} from '../../../shared/core/providers/domain-connect.ts';
import { domainConnectTemplates } from '../../../shared/core/providers/domain-connect-templates.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SERVICE: ServiceProvider = {
  provider_id: 'nameplate.example',
  provider_name: 'Nameplate',
  key_domain: 'nameplate.example',
  keyHost: '_dck1',
  private_key: privateKey,
  allow: DNS_PROVIDER_HOSTS,
};
const EDGE = {
  edgeZone: 'edge.nameplate.example',
  edgeIpv4: ['192.0.2.1', '192.0.2.2'],
  edgeIpv6: ['2001:db8::1'],
  txtLabel: '_service',
};

function target(changes: Partial<ApplyTarget> & { cname_target?: string } = {}): ApplyTarget {
  const { hostname = 'careers.acme.com', zone = 'acme.com', cname_target } = changes;
  const dns = dnsRecords({
    is_apex: hostname === 'acme.com',
    relativeName: hostname.replace('.acme.com', ''),
    cname_target: cname_target ?? 'k4x.edge.nameplate.example',
    apex_a: EDGE.edgeIpv4,
    apex_aaaa: EDGE.edgeIpv6,
    txt_value: 'q3T8',
    txtLabel: EDGE.txtLabel,
    redirectsWww: false,
  });
  return { hostname, zone, dns, edgeZone: EDGE.edgeZone };
}

/** Verifies the signature of a link as a DNS provider does: over the query as it arrived, with the key from TXT records in any order. */
function isSigned(url: string, txt: readonly string[]): boolean {
  const parts = txt.map((record) => /^p=(\d+),a=RS256,d=(.+)$/.exec(record) ?? []);
  const spki = parts.toSorted(([, a], [, b]) => Number(a) - Number(b)).map(([, , d]) => d ?? '');
  const key = createPublicKey({ key: Buffer.from(spki.join(''), 'base64'), format: 'der', type: 'spki' });
  const [query = '', rest = ''] = (url.split('?')[1] ?? '').split('&key=');
  const sig = new URLSearchParams(rest).get('sig') ?? '';
  return verify('sha256', Buffer.from(query), key, Buffer.from(sig, 'base64'));
}

describe('a Domain Connect request contains the values of the template', () => {
  test('the request for a subdomain has the zone, the name in the zone, and the label of the app', () => {
    expect(applyRequest(target())).toEqual({
      service_id: 'subdomain',
      domain: 'acme.com',
      host: 'careers',
      variables: { target: 'k4x' },
    });
  });

  test('the name is relative to the zone, even if the zone is not the registrable domain', () => {
    const request = applyRequest(target({ hostname: 'jobs.eu.acme.com', zone: 'eu.acme.com' }));
    expect(request).toMatchObject({ domain: 'eu.acme.com', host: 'jobs' });
  });

  test('the request for an apex has the value of the TXT record, and no host', () => {
    expect(applyRequest(target({ hostname: 'acme.com' }))).toEqual({
      service_id: 'apex',
      domain: 'acme.com',
      host: null,
      variables: { proof: 'q3T8' },
    });
  });

  test.each([
    ['a CNAME at the zone itself', { zone: 'careers.acme.com' }],
    ['an apex below the zone', { hostname: 'acme.com', zone: 'com' }],
    ['another zone', { zone: 'acme.org' }],
    ['a zone that only shares an ending', { hostname: 'careers.acme.com', zone: 'me.com' }],
    ['no zone', { zone: '' }],
    ['a white-label host', { cname_target: 'domains.ourapp.example' }],
    ['a target that only shares an ending', { cname_target: 'evil-edge.nameplate.example' }],
    ['the edge zone itself', { cname_target: 'edge.nameplate.example' }],
    ['two labels', { cname_target: 'a.b.edge.nameplate.example' }],
    ['no label', { cname_target: '.edge.nameplate.example' }],
  ])('no request is made for %s', (_, changes) => {
    expect(applyRequest(target(changes))).toBeNull();
  });
});

describe('a Domain Connect link is signed', () => {
  const url = applyUrl(
    SERVICE,
    'https://dash.cloudflare.com/domainconnect',
    {
      service_id: 'subdomain',
      domain: 'acme.com',
      host: 'careers',
      variables: { target: 'k4x' },
    },
    'https://api.example/connect/token?notice=a',
  );

  test('has the form of the draft: sorted names, then the key and the signature', () => {
    expect(url.replace(/sig=.*/, 'sig=')).toBe(
      'https://dash.cloudflare.com/domainconnect/v2/domainTemplates/providers/nameplate.example/services/subdomain/apply?domain=acme.com&host=careers&redirect_uri=https%3A%2F%2Fapi.example%2Fconnect%2Ftoken%3Fnotice%3Da&target=k4x&key=_dck1&sig=',
    );
    expect(url).not.toMatch(/[+ ]/);
  });

  test('is signed with the key that the TXT records publish', () => {
    expect(isSigned(url, publicKeyRecords(privateKey).toReversed())).toBe(true);
  });

  test.each([
    ['another domain', 'domain=acme.com', 'domain=acme.org'],
    ['another target', 'target=k4x', 'target=k4y'],
    ['another page to return to', 'api.example', 'evil.example'],
    ['one more variable', '&key=', '&proof=1&key='],
  ])('does not verify with %s', (_, from, to) => {
    expect(url).toContain(from);
    expect(isSigned(url.replace(from, to), publicKeyRecords(privateKey))).toBe(false);
  });

  test('does not verify with another key', () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(isSigned(url, publicKeyRecords(other))).toBe(false);
  });

  test('escapes all but unreserved characters, so that no value can end its parameter', () => {
    const odd = applyUrl(
      SERVICE,
      'https://dash.cloudflare.com',
      {
        service_id: 'apex',
        domain: 'acme.com',
        host: null,
        variables: { proof: "a&b=c d+é'(!*)~" },
      },
      'https://api.example/',
    );
    expect(odd).toContain(
      '?domain=acme.com&proof=a%26b%3Dc%20d%2B%C3%A9%27%28%21%2A%29~&redirect_uri=https%3A%2F%2Fapi.example%2F&key=',
    );
    expect(isSigned(odd, publicKeyRecords(privateKey))).toBe(true);
  });

  test('has the same path as the URL that checks for the template', () => {
    expect(templateUrl(SERVICE, 'https://api.example', 'apex')).toBe(
      'https://api.example/v2/domainTemplates/providers/nameplate.example/services/apex',
    );
  });
});

describe('the Domain Connect key is validated', () => {
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

  test('is published in parts that fit one string of a TXT record', () => {
    const records = publicKeyRecords(privateKey);
    expect(records.map((record) => record.slice(0, 14))).toEqual(['p=1,a=RS256,d=', 'p=2,a=RS256,d=']);
    for (const record of records) expect(record.length).toBeLessThanOrEqual(255);
  });

  test('is read from PEM', () => {
    expect(publicKeyRecords(readSigningKey(pem(privateKey)))).toEqual(publicKeyRecords(privateKey));
  });

  test.each([
    ['nothing', ''],
    ['not PEM', 'hunter2'],
    ['a short key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)],
    ['another kind of key', pem(generateKeyPairSync('ed25519').privateKey)],
    ['a public key', createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()],
  ])('is refused if it is %s, and the error does not contain it', (_, text) => {
    expect(() => readSigningKey(text)).toThrow(
      new RangeError('must be an RSA private key in PEM, of at least 2048 bits'),
    );
  });
});

describe('the Domain Connect templates match our requests', () => {
  const templates = domainConnectTemplates({ ...SERVICE, ...EDGE, version: 3 });

  test('contain a CNAME for a subdomain, and A, AAAA and TXT for an apex', () => {
    expect(
      templates.map(({ serviceId, hostRequired, records }) => [serviceId, hostRequired, records]),
    ).toEqual([
      [
        'subdomain',
        true,
        [{ type: 'CNAME', host: '@', pointsTo: '%target%.edge.nameplate.example', ttl: 300 }],
      ],
      [
        'apex',
        false,
        [
          { type: 'A', host: '@', pointsTo: '192.0.2.1', ttl: 300 },
          { type: 'A', host: '@', pointsTo: '192.0.2.2', ttl: 300 },
          { type: 'AAAA', host: '@', pointsTo: '2001:db8::1', ttl: 300 },
          {
            type: 'TXT',
            host: '_service',
            data: '%proof%',
            ttl: 300,
            txtConflictMatchingMode: 'All',
            essential: 'OnApply',
          },
        ],
      ],
    ]);
  });

  test('require a signature instead of a warning', () => {
    for (const template of templates) {
      expect(template).toMatchObject({
        providerId: 'nameplate.example',
        version: 3,
        syncPubKeyDomain: 'nameplate.example',
      });
      expect(template).not.toHaveProperty('warnPhishing');
    }
  });

  test('have only the variables that a request sets', () => {
    for (const hostname of ['careers.acme.com', 'acme.com']) {
      const request = applyRequest(target({ hostname }));
      const template = templates.find(({ serviceId }) => serviceId === request?.service_id);
      const open = [...JSON.stringify(template?.records).matchAll(/%(\w+)%/g)].map(([, name]) => name);
      expect(open).toEqual(Object.keys(request?.variables ?? {}));
    }
  });
});
