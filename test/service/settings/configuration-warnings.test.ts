import { expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { configurationWarnings } from '../../../service/settings/configuration-warnings.ts';
import { KEY_RING } from './test-config.ts';

const WHOLE = {
  NAMEPLATE_CAS: 'letsencrypt',
  NAMEPLATE_EDGE_ZONE: 'edge.example.net',
  NAMEPLATE_EDGE_IPV4: '8.8.4.4',
  NAMEPLATE_EDGE_IPV6: '2606:4700::1',
  NAMEPLATE_SANDBOX_ZONE: 'sandbox.example.net',
  NAMEPLATE_BASE_URL: 'https://api.example.net',
  SMTP_URL: 'smtps://mail.example.net',
  NAMEPLATE_MAIL_FROM: 'domains@example.net',
};

const DATABASE = { DATABASE_URL: 'postgres://127.0.0.1:1/test', NAMEPLATE_ENCRYPTION_KEYS: KEY_RING };

const NAME_SERVERS = { NAMEPLATE_DNS_SERVERS: 'ns1.example.net 8.8.4.4,ns2.example.net 8.8.8.8' };

const settingsOf = (env: NodeJS.ProcessEnv) =>
  configurationWarnings(readConfig(env)).map(({ setting }) => setting);

test('a complete configuration causes no warnings', () => {
  expect(settingsOf(WHOLE)).toEqual([]);
});

test('the role dns causes a warning if mail to the address in its SOA records cannot arrive', () => {
  const dns = {
    ...WHOLE,
    NAMEPLATE_ROLES: 'dns',
    ...NAME_SERVERS,
    ...DATABASE,
  };
  expect(settingsOf(dns)).toEqual(['NAMEPLATE_DNS_CONTACT']);
  expect(readConfig(dns).dns?.contact).toBe('hostmaster@edge.example.net');
  const contact = { ...dns, NAMEPLATE_CA_CONTACT: 'ops@example.net' };
  expect(settingsOf(contact)).toEqual([]);
  expect(readConfig(contact).dns?.contact).toBe('ops@example.net');
  // In an SOA record, a dot before the @ of the mail address needs an escape.
  expect(settingsOf({ ...dns, NAMEPLATE_CA_CONTACT: 'jane.doe@example.net' })).toEqual([
    'NAMEPLATE_DNS_CONTACT',
  ]);
});

test('a node with only the role dns and no database causes a warning, because it answers no challenges', () => {
  const dns = {
    ...WHOLE,
    NAMEPLATE_ROLES: 'dns',
    NAMEPLATE_DNS_CONTACT: 'ops@example.net',
    ...NAME_SERVERS,
  };
  expect(settingsOf(dns)).toEqual(['DATABASE_URL']);
  expect(settingsOf({ ...dns, ...DATABASE })).toEqual([]);
  // No service prepares hostnames if its name servers have no address.
  expect(settingsOf({ ...dns, NAMEPLATE_DNS_SERVERS: 'ns1.example.net,ns2.example.net' })).toEqual([]);
});

test('a relay serves no visitors, so it needs no zones and no addresses', () => {
  const relay = { ...DATABASE, NAMEPLATE_ROLES: 'relay', NATS_URL: 'nats://127.0.0.1:4222' };
  expect(settingsOf(relay)).toEqual([]);
  expect(settingsOf({ ...relay, NAMEPLATE_ROLES: 'dns,relay', ...NAME_SERVERS })).toContain(
    'NAMEPLATE_EDGE_ZONE',
  );
});

test('edge processes that ask an API behind the PROXY protocol on this machine cause a warning', () => {
  const behind = {
    ...WHOLE,
    ...DATABASE,
    NAMEPLATE_EDGE_PROCESSES: '2',
    NAMEPLATE_API_PROXY_PROTOCOL_FROM: '127.0.0.1',
  };
  expect(settingsOf(behind)).toEqual(['NAMEPLATE_INNER_URL']);
  expect(settingsOf({ ...behind, NAMEPLATE_INNER_URL: 'http://10.0.0.5' })).toEqual([]);
  // The edge of a node with one process does not ask the API.
  expect(settingsOf({ ...behind, NAMEPLATE_EDGE_PROCESSES: '1' })).toEqual([]);
  expect(settingsOf({ ...behind, NAMEPLATE_API_PROXY_PROTOCOL_FROM: '10.0.0.5' })).toEqual([]);
});

test('a trial on this machine causes a warning about each missing setting, with its effect on domains', () => {
  expect(settingsOf({})).toEqual(Object.keys(WHOLE).filter((name) => name !== 'NAMEPLATE_MAIL_FROM'));
  const warnings = configurationWarnings(readConfig({})).map(({ cannot }) => cannot);
  expect(warnings).toContain('obtain certificates: live domains stay in issuing');
  expect(warnings).toContain(
    'receive visitors through a CNAME: names in edge.nameplate.test do not resolve. Use a zone of yours and publish its DNS records',
  );
});

test('the warning about several private addresses is one sentence', () => {
  const [warning] = configurationWarnings(readConfig({ ...WHOLE, NAMEPLATE_EDGE_IPV4: '10.0.0.1,10.0.0.2' }));
  expect(warning?.cannot).toBe(
    'receive visitors of apex domains: 10.0.0.1, 10.0.0.2 are not public addresses',
  );
});

test.each([
  ['NAMEPLATE_CAS', ''],
  ['NAMEPLATE_EDGE_ZONE', 'edge.acme.example'],
  ['NAMEPLATE_EDGE_IPV4', '8.8.4.4,10.0.0.1'],
  ['NAMEPLATE_EDGE_IPV6', '2001:db8::1'],
  ['NAMEPLATE_SANDBOX_ZONE', 'sandbox.invalid'],
  ['NAMEPLATE_BASE_URL', 'http://localhost:4500'],
  ['NAMEPLATE_BASE_URL', 'http://[::1]:4500'],
])('the setting %s = %j alone causes a warning', (name, value) => {
  expect(settingsOf({ ...WHOLE, [name]: value })).toEqual([name]);
});
