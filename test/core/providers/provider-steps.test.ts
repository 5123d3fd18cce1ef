import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../shared/core/connect-texts/catalog.ts';
import { LANGUAGE_TAGS } from '../../../shared/core/connect-texts/language.ts';
import type { DnsRecords } from '../../../shared/core/dns/dns-records.ts';
import type { Provider } from '../../../shared/core/providers/provider.ts';
import { providerSteps } from '../../../shared/core/providers/provider-steps.ts';
import { PROVIDERS } from '../../../shared/core/providers/providers.ts';

const { texts } = languageOf('en');
const [cloudflare, porkbun] = ['cloudflare', 'porkbun'].map((id) => {
  const found = PROVIDERS.find((provider) => provider.id === id);
  if (found === undefined) throw new RangeError(`There is no provider ${id}`);
  return found;
}) as [Provider, Provider];
const SUBDOMAIN: DnsRecords = {
  cname: { name: 'jobs.careers', value: 'k4x.edge.example.net' },
  apex: null,
};
const APEX: DnsRecords = {
  cname: null,
  apex: {
    a: ['192.0.2.1', '192.0.2.2'],
    aaaa: ['2001:db8::1'],
    txt: { name: '_service', value: 'q3T8' },
  },
};

describe("the provider's steps for a subdomain use the provider's words", () => {
  test("add one CNAME, in the provider's terms", () => {
    expect(providerSteps(cloudflare, SUBDOMAIN, 'jobs.careers.acme.com', texts)).toEqual({
      provider_name: 'Cloudflare',
      panel_url: 'https://dash.cloudflare.com/',
      steps: [
        'Sign in to Cloudflare and choose acme.com.',
        'Open DNS, then Records.',
        'Click Add record.',
        'Delete or edit any other record with the name jobs.careers: the CNAME must be the only one.',
        'Fill in the form with the CNAME record above, and save it. Leave other fields, such as the TTL, at their defaults.',
      ],
      records: [
        {
          type: 'CNAME',
          fields: [
            { label: 'Type', value: 'CNAME', copy: false },
            { label: 'Name', value: 'jobs.careers', copy: true },
            { label: 'Target', value: 'k4x.edge.example.net', copy: true },
          ],
        },
      ],
      caution: expect.stringContaining('the proxy status of each record is “DNS only” with a grey cloud'),
    });
  });

  test('suit most providers if the provider is unknown', () => {
    const { provider_name, panel_url, steps, records, caution } = providerSteps(
      null,
      SUBDOMAIN,
      'jobs.careers.acme.co.uk',
      texts,
    );
    expect({ provider_name, panel_url }).toEqual({ provider_name: null, panel_url: null });
    expect(steps[0]).toContain('where you manage the DNS of acme.co.uk');
    expect(records[0]?.fields.map(({ label }) => label)).toEqual(['Type', 'Name', 'Value']);
    expect(caution).toContain('acme.co.uk');
  });
});

describe("the provider's steps for an apex use the provider's words", () => {
  test('have a form for each address, and a form for the TXT record', () => {
    const { steps, records } = providerSteps(cloudflare, APEX, 'acme.com', texts);
    expect(steps.at(-1)).toContain('each of the 4 records');
    expect(records.map(({ type, fields }) => [type, ...fields.slice(1).flatMap(Object.values)])).toEqual([
      ['A', 'Name', '@', true, 'IPv4 address', '192.0.2.1', true],
      ['A', 'Name', '@', true, 'IPv4 address', '192.0.2.2', true],
      ['AAAA', 'Name', '@', true, 'IPv6 address', '2001:db8::1', true],
      ['TXT', 'Name', '_service', true, 'Content', 'q3T8', true],
    ]);
  });

  test('offer no copy button for a name that must be left empty', () => {
    const [first] = providerSteps(porkbun, APEX, 'acme.com', texts).records;
    expect(first?.fields[1]).toEqual({ label: 'Host', value: 'leave it empty', copy: false });
  });

  test('have a form for a redirected www, whose other records have to be deleted', () => {
    const www = { name: 'www', value: 'k4x.edge.example.net' };
    const apex = APEX.apex && { ...APEX.apex, www };
    const { steps, records } = providerSteps(cloudflare, { cname: null, apex }, 'acme.com', texts);
    expect(records.at(-1)?.fields.map(({ value }) => value)).toEqual([
      'CNAME',
      'www',
      'k4x.edge.example.net',
    ]);
    expect(steps.at(-2)).toContain('any other record that has the name www');
  });

  test('never ask to delete mail or name server records', () => {
    expect(providerSteps(null, APEX, 'acme.com', texts).steps.join(' ')).toContain(
      'Keep its MX, NS and TXT records',
    );
  });
});

test.each([null, ...PROVIDERS].flatMap((provider) => LANGUAGE_TAGS.map((tag) => [provider, tag] as const)))(
  "the provider's steps fill in every placeholder and give each record three fields, in every language (%#)",
  (provider, tag) => {
    for (const [dns, hostname] of [
      [SUBDOMAIN, 'jobs.careers.acme.com'],
      [APEX, 'acme.com'],
    ] as const) {
      const shown = providerSteps(provider, dns, hostname, languageOf(tag).texts);
      expect(JSON.stringify(shown)).not.toMatch(/\{\w+\}|undefined|\$&/);
      for (const { fields } of shown.records) expect(fields).toHaveLength(3);
      for (const step of shown.steps) expect(step.trim()).toBe(step);
    }
  },
);
