import { describe, expect, test } from 'vitest';
import { type ChangeFormat, formatChanges } from '../../../cli/diagnose/format-changes.ts';
import type { RecordChange } from '../../../shared/core/dns/changes/record-change.ts';
import type { Diagnosis } from '../../../shared/schema/diagnosis.ts';

const POINTED: RecordChange = {
  action: 'replace',
  type: 'CNAME',
  zone: 'acme.com',
  name: 'careers',
  value: 'k3.edge.example.net',
  ttl: 300,
  of: { type: 'A', value: '93.184.215.14' },
};
const REMOVED: RecordChange = {
  ...POINTED,
  action: 'remove',
  type: 'AAAA',
  value: '2a00:1450::5',
  ttl: 60,
  of: null,
};
const PROVED: RecordChange = {
  ...POINTED,
  action: 'add',
  type: 'TXT',
  name: '_service',
  value: 'a "b" \\\\ c',
  of: null,
};
const ALLOWED: RecordChange = {
  ...PROVED,
  type: 'CAA',
  name: '@',
  value: '0 issue "letsencrypt.org"',
};

describe('the changes that a diagnosis suggests can be printed in several formats', () => {
  test('nsupdate first removes the records that prevent a CNAME, and then gets one update for each zone', () => {
    const sub = { ...ALLOWED, zone: 'jobs.acme.com' };
    expect(format('nsupdate', [REMOVED, POINTED, PROVED, sub])).toBe(`zone acme.com.
update delete careers.acme.com. AAAA 2a00:1450::5
update delete careers.acme.com. A 93.184.215.14
send
zone acme.com.
update add careers.acme.com. 300 CNAME k3.edge.example.net.
update add _service.acme.com. 300 TXT "a \\"b\\" \\\\ c"
send
zone jobs.acme.com.
update add jobs.acme.com. 300 CAA 0 issue "letsencrypt.org"
send`);
  });

  test('nsupdate replaces a CNAME by adding the new CNAME', () => {
    const renewed = { ...POINTED, of: { type: 'CNAME', value: 'old-host.example.net' } };
    expect(format('nsupdate', [renewed])).toBe(`zone acme.com.
update add careers.acme.com. 300 CNAME k3.edge.example.net.
send`);
  });

  test('nsupdate gets only a comment for a record at the registry', () => {
    const ds = { ...REMOVED, zone: 'com', name: 'acme', type: 'DS', value: '1 13 2 AB' };
    expect(format('nsupdate', [ds, ALLOWED])).toBe(`; At the registrar:
; delete acme.com. 60 IN DS 1 13 2 AB
zone acme.com.
update add acme.com. 300 CAA 0 issue "letsencrypt.org"
send`);
  });

  test('a zone file has the records to remove as comments', () => {
    expect(
      format('zone', [REMOVED, POINTED, ALLOWED]),
    ).toBe(`; delete careers.acme.com. 60 IN AAAA 2a00:1450::5
; delete careers.acme.com. 300 IN A 93.184.215.14
careers.acme.com. 300 IN CNAME k3.edge.example.net.
acme.com. 300 IN CAA 0 issue "letsencrypt.org"`);
  });

  test('the JSON equals the changes in the API', () => {
    expect(JSON.parse(format('json', [POINTED, REMOVED]))).toEqual([POINTED, REMOVED]);
  });

  test.each([
    ['cloudflare', 'cloudflare_dns_record', 'content = "k3.edge.example.net"'],
    ['route53', 'aws_route53_record', 'records = ["k3.edge.example.net"]'],
    ['google-cloud-dns', 'google_dns_record_set', 'rrdatas      = ["k3.edge.example.net."]'],
    ['hetzner', 'dns_cname_record', 'cname = "k3.edge.example.net."'],
  ])('Terraform gets a resource of the provider %s', (provider, resource, value) => {
    const text = format('terraform', [POINTED], provider);
    expect(text).toContain('# Remove the record careers A 93.184.215.14\n');
    expect(text).toContain(`resource "${resource}" "careers_cname" {\n`);
    expect(text.replace(/ +=/g, ' =')).toContain(value.replace(/ +=/g, ' ='));
  });

  test('Terraform gets no text that it would interpolate', () => {
    const hostile = { ...PROVED, value: `$\{file("/etc/passwd")}"\n}` };
    const text = format('terraform', [hostile], 'route53');
    expect(text).toContain('$${file(\\"/etc/passwd\\")}\\"');
    expect(text.split('\n').filter((line) => line.startsWith('}'))).toHaveLength(1);
  });

  test('Terraform gets a comment for a CAA record, because its provider for DNS UPDATE has no CAA resource', () => {
    expect(format('terraform', [ALLOWED], 'hetzner')).toBe(
      '# Add the record @ 300 CAA 0 issue "letsencrypt.org"',
    );
  });

  test('a change that two findings share is listed once', () => {
    expect(JSON.parse(format('json', [POINTED, POINTED]))).toEqual([POINTED]);
  });

  test.each<ChangeFormat>(['zone', 'nsupdate', 'terraform'])(
    'the format %s is an empty text if nothing has to change',
    (each) => {
      expect(format(each, [])).toBe('');
    },
  );

  test.each<ChangeFormat>(['zone', 'nsupdate'])(
    'the value of a record cannot add a command in the format %s',
    (each) => {
      const removed = { ...POINTED, action: 'remove', of: null } as const;
      const hostile = { ...removed, type: 'CNAME', value: 'x\nupdate delete acme.com. MX;"' };
      const lines = format(each, [hostile]).split('\n');
      expect(lines.filter((line) => line.includes('MX'))).toEqual([expect.stringContaining('MX\\;\\"')]);
      expect(lines).toHaveLength(format(each, [removed]).split('\n').length);
    },
  );
});

/** Formats the changes of a diagnosis in which each change has a finding of its own. */
function format(as: ChangeFormat, changes: readonly RecordChange[], provider = 'hetzner'): string {
  const diagnosis: Diagnosis = {
    hostname: 'careers.acme.com',
    checked_at: null,
    healthy: false,
    provider: { id: provider, name: provider },
    name_servers: [],
    lookups: [],
    path: null,
    issuance_lock: [],
    findings: changes.map((change) => ({
      code: 'dns_record_mismatch',
      severity: 'error',
      record: null,
      expected: '',
      found: null,
      hint: '',
      retryable: false,
      changes: [change],
      docs: 'https://docs.example.com/reasons/dns_record_mismatch',
    })),
  };
  return formatChanges(diagnosis, as);
}
