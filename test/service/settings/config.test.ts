import { expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { environmentSchema } from '../../../service/settings/environment.ts';
import { readSources } from '../../sources.ts';
import { KEYS, ringOf, runService } from '../run-service.ts';
import { problemsOf } from './config-problems.ts';

const DATABASE = { DATABASE_URL: 'postgres://a:b@127.0.0.1/c', NAMEPLATE_ENCRYPTION_KEYS: KEYS.k1 };
const MAIL = {
  SMTP_URL: 'smtps://ada:p%40ss@mail.example.net:465',
  NAMEPLATE_MAIL_FROM: 'domains@example.net',
};

test('an empty environment configures a trial on this machine', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    databaseUrl: null,
    encryptionKeys: null,
    roles: ['api', 'worker', 'edge'],
    api: { host: '127.0.0.1', port: 4500 },
  });
  expect(config.settings).toMatchObject({
    baseUrl: 'http://127.0.0.1:4500',
    docsUrl: 'http://127.0.0.1:4500/docs',
    allowLoopback: false,
    timerForLive: false,
  });
});

test('the base address has the port of the API unless the address is set', () => {
  const env = { NAMEPLATE_API_LISTEN: '[::]:8080' };
  expect(readConfig(env).settings.baseUrl).toBe('http://127.0.0.1:8080');
  expect(readConfig(env).api).toEqual({ host: '::', port: 8080 });
  expect(readConfig({ ...env, NAMEPLATE_BASE_URL: 'https://api.example.net/' }).settings.baseUrl).toBe(
    'https://api.example.net',
  );
});

test.each([
  ['DATABASE_URL', 'mysql://a'],
  ['DATABASE_URL', 'postgres://ada:pass#word@db/x'],
  ['DATABASE_URL', 'postgres://db:port/x'],
  ['DATABASE_URL', 'postgres://db/x?sslrootcert=/nowhere/ca.pem'],
  ['DATABASE_LISTEN_URL', 'a'],
  ['NAMEPLATE_ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
  ['NAMEPLATE_ENCRYPTION_KEYS', `${KEYS.k1},${KEYS.k1}`],
  ['NAMEPLATE_ENCRYPTION_KEYS', KEYS.k1.slice(3)],
  ['NAMEPLATE_SERVICE_NAME', 'a b'],
  ['NAMEPLATE_BASE_URL', 'ftp://a'],
  ['NAMEPLATE_BASE_URL', 'https://api.example.net/v1'],
  ['NAMEPLATE_BASE_URL', 'https://api.example.net/v1/'],
  ['NAMEPLATE_BASE_URL', 'https://ada@api.example.net'],
  ['NAMEPLATE_BASE_URL', 'https://api.example.net/?a=b'],
  ['NAMEPLATE_BASE_URL', 'https://api.example.net/#a'],
  ['NAMEPLATE_DOCS_URL', 'docs'],
  ['NAMEPLATE_DOCS_URL', 'https://ada:secret@example.net/docs'],
  ['NAMEPLATE_EDGE_ZONE', 'http://edge'],
  ['NAMEPLATE_SANDBOX_ZONE', 'a..b'],
  ['NAMEPLATE_SANDBOX_ZONE', 'EDGE.nameplate.test'],
  ['NAMEPLATE_SERVICE_ZONES', 'a.example.net,,'],
  ['NAMEPLATE_EDGE_IPV4', '192.0.2.1,::1'],
  ['NAMEPLATE_EDGE_IPV6', '192.0.2.1'],
  ['NAMEPLATE_EDGE_NODE', 'edge 1'],
  ['NAMEPLATE_EDGE_ADDRESSES', '192.0.2.1'],
  ['NAMEPLATE_EDGE_REGIONS', 'eu,,us'],
  ['NAMEPLATE_ROLES', 'api,all'],
  ['NAMEPLATE_API_LISTEN', '4500'],
  ['NAMEPLATE_EDGE_LISTEN', 'a:99999'],
  ['NAMEPLATE_EDGE_PROCESSES', '0'],
  ['NAMEPLATE_EDGE_PROCESSES', 'auto'],
  ['NAMEPLATE_ADMIN_LISTEN', ':1'],
  ['NAMEPLATE_TRUSTED_PROXIES', 'akamai'],
  ['NAMEPLATE_TRUSTED_PROXIES', '192.0.2.0/33'],
  ['NAMEPLATE_PROXY_PROTOCOL_FROM', 'cloudflare'],
  ['NAMEPLATE_API_PROXY_PROTOCOL_FROM', 'haproxy.internal'],
  ['NAMEPLATE_RESOLVERS', 'dns.example.net'],
  ['NAMEPLATE_RESOLVERS', '1.1.1.1:65536'],
  ['NAMEPLATE_RESOLVERS', '1.1.1.1,1.1.1.1,1.1.1.1'],
  ['NAMEPLATE_RESOLVERS', '1.1.1.1,8.8.8.8,9.9.9.9,8.8.8.8'],
  ['NAMEPLATE_RESOLVERS', '1.1.1.1,1.1.1.1:53'],
  ['NAMEPLATE_RESOLVERS', '2001:db8::1,[2001:DB8:0::1]:53'],
  ['SMTP_URL', 'https://mail.example.net'],
  ['SMTP_URL', 'smtp://'],
  ['NAMEPLATE_MAIL_FROM', 'nobody'],
  ['NAMEPLATE_RATE_PER_SECOND', '0'],
  ['NAMEPLATE_RATE_BURST', '-1'],
  ['NAMEPLATE_RETENTION_DAYS', '1.5'],
  ['NAMEPLATE_DATABASE_CONNECTIONS', '1'],
  ['NAMEPLATE_EDGE_DATABASE_CONNECTIONS', '0'],
  ['NAMEPLATE_STATEMENT_TIMEOUT_MS', '10s'],
  ['NAMEPLATE_REQUESTS_IN_FLIGHT', 'many'],
  ['NAMEPLATE_LOG_LEVEL', 'loud'],
  ['NAMEPLATE_DRAIN_DELAY_MS', '60001'],
  ['NAMEPLATE_OPERATOR', 'ada\nroot'],
  ['NAMEPLATE_CAS', 'nobody'],
  ['NAMEPLATE_CAS', 'letsencrypt,letsencrypt'],
  ['NAMEPLATE_CAS', 'google'],
  ['NAMEPLATE_CAS', 'nowhere.json'],
  ['NAMEPLATE_CAS', 'toString'],
  ['NAMEPLATE_CA_CONTACT', 'ops'],
  ['NAMEPLATE_CA_ROOTS_FILE', 'package.json'],
  ['NAMEPLATE_EDGE_PROBE_ADDRESSES', 'edge.internal'],
  ['NAMEPLATE_DNS_PROBE_ADDRESSES', '10.0.0.5:53'],
  ['NAMEPLATE_EDGE_PROBE_PORTS', '80'],
  ['NAMEPLATE_EDGE_PROBE_PORTS', '80,70000'],
])('the service refuses the setting %s=%s, and says what to write', (name, value) => {
  const problems = problemsOf({ ...DATABASE, ...MAIL, [name]: value });
  expect(Object.keys(problems)).toEqual([name]);
  expect(problems[name]).toMatch(/^(?:must be|has|names a file) /);
});

test.each([
  ['NAMEPLATE_BASEURL', 'is not a setting: did you mean NAMEPLATE_BASE_URL?'],
  ['NAMEPLATE_RESOLVER', 'is not a setting: did you mean NAMEPLATE_RESOLVERS?'],
  ['NAMEPLATE_DATABASE_CONECTIONS', 'is not a setting: did you mean NAMEPLATE_DATABASE_CONNECTIONS?'],
  ['NAMEPLATE_NATS_URL', 'is not a setting: did you mean NATS_URL?'],
  ['NAMEPLATE_DATABASE_URL', 'is not a setting: did you mean DATABASE_URL?'],
  ['NAMEPLATE_LETS_ENCRYPT_ACCOUNT', 'is not a setting'],
  ['NAMEPLATE_PORT', 'is not a setting'],
  [
    'NAMEPLATE_EDGE_REUSE_PORT',
    'was removed: the edge processes of a node share their ports without it, and two nodes cannot share ports. Unset it',
  ],
])('the service refuses the environment variable %s: %s', (name, problem) => {
  expect(problemsOf({ [name]: '4500' })[name]).toMatch(problem);
});

test('a misspelled role or source of an edge is the only problem, so that no edge gets a key or a database for it', () => {
  const { DATABASE_URL } = DATABASE;
  expect(Object.keys(problemsOf({ DATABASE_URL, NAMEPLATE_ROLES: 'egde' }))).toEqual(['NAMEPLATE_ROLES']);
  expect(Object.keys(problemsOf({ DATABASE_URL, NAMEPLATE_ROLES: 'realy' }))).toEqual(['NAMEPLATE_ROLES']);
  const edge = { NAMEPLATE_ROLES: 'edge', NAMEPLATE_EDGE_KEYS: DATABASE.NAMEPLATE_ENCRYPTION_KEYS };
  expect(Object.keys(problemsOf({ ...edge, NAMEPLATE_EDGE_SOURCE: 'nat' }))).toEqual([
    'NAMEPLATE_EDGE_SOURCE',
  ]);
  expect(Object.keys(problemsOf({ ...edge, NAMEPLATE_EDGE_IPV4: '::1' }))).toEqual([
    'NAMEPLATE_EDGE_IPV4',
    'DATABASE_URL',
  ]);
});

test('the settings for trusted proxies and load balancers accept the ranges of Cloudflare by name', () => {
  const { edgeHops, apiHops } = readConfig({
    NAMEPLATE_TRUSTED_PROXIES: 'cloudflare, 2001:db8::/48',
    NAMEPLATE_PROXY_PROTOCOL_FROM: '192.0.2.10',
  });
  const seen = ['173.245.48.9', '2606:4700::1', '2001:db8::5', '192.0.2.10', '192.0.2.11'];
  expect(seen.map((address) => edgeHops.proxies.has(address))).toEqual([true, true, true, false, false]);
  expect(apiHops.proxies.has('173.245.48.9')).toBe(true);
  expect(seen.map((address) => edgeHops.balancers.has(address))).toEqual([false, false, false, true, false]);
  expect(apiHops.balancers.isEmpty).toBe(true);
});

test('the service ignores environment variables of the CLI and the emulator', () => {
  const theirs = readSources('cli', 'emulator').flatMap(
    ({ text }) => text.match(/\bNAMEPLATE_[A-Z_]+\b/g) ?? [],
  );
  expect(theirs).toContain('NAMEPLATE_API_KEY');
  for (const name of theirs) expect.soft(problemsOf({ [name]: 'http://127.0.0.1' }), name).toEqual({});
});

test('the service ignores environment variables of a Kubernetes Service named nameplate', () => {
  const env = {
    NAMEPLATE_SERVICE_HOST: '10.0.0.1',
    NAMEPLATE_SERVICE_PORT: '4500',
    NAMEPLATE_SERVICE_PORT_HTTP: '4500',
    NAMEPLATE_PORT: 'tcp://10.0.0.1:4500',
    NAMEPLATE_API_PORT_4500_TCP: 'tcp://10.0.0.1:4500',
    NAMEPLATE_API_PORT_4500_TCP_ADDR: '10.0.0.1',
  };
  expect(problemsOf(env)).toEqual({});
});

test('the setting DATABASE_LISTEN_URL cannot be set without DATABASE_URL', () => {
  const { NAMEPLATE_ENCRYPTION_KEYS, DATABASE_URL: DATABASE_LISTEN_URL } = DATABASE;
  expect(problemsOf({ NAMEPLATE_ENCRYPTION_KEYS, DATABASE_LISTEN_URL }).DATABASE_URL).toMatch(
    /^is missing: /,
  );
  expect(problemsOf({ ...DATABASE, DATABASE_URL: 'a', DATABASE_LISTEN_URL }).DATABASE_URL).toMatch(
    /^must be /,
  );
});

test('the setting for several edge processes needs a shared database', () => {
  const NAMEPLATE_EDGE_PROCESSES = '2';
  expect(readConfig({}).edgeProcesses).toBe(1);
  expect(readConfig({ ...DATABASE, NAMEPLATE_EDGE_PROCESSES }).edgeProcesses).toBe(2);
  expect(problemsOf({ NAMEPLATE_EDGE_PROCESSES }).NAMEPLATE_EDGE_PROCESSES).toMatch(/without DATABASE_URL/);
  const fromNats = {
    NAMEPLATE_ROLES: 'edge',
    NAMEPLATE_EDGE_SOURCE: 'nats',
    NATS_URL: 'nats://127.0.0.1:4222',
    NAMEPLATE_EDGE_KEYS: `e1:${Buffer.alloc(32, 1).toString('base64')}`,
  };
  expect(readConfig({ ...fromNats, NAMEPLATE_EDGE_PROCESSES }).edgeProcesses).toBe(2);
});

test('the settings for mail need a server and a sender address', () => {
  expect(readConfig({}).mail).toBeNull();
  expect(problemsOf({ SMTP_URL: MAIL.SMTP_URL }).NAMEPLATE_MAIL_FROM).toMatch(/^is missing: /);
  expect(readConfig(MAIL).mail).toEqual({ smtpUrl: MAIL.SMTP_URL, from: MAIL.NAMEPLATE_MAIL_FROM });
});

test('two resolvers that differ only by their port are two resolvers', () => {
  const NAMEPLATE_RESOLVERS = '127.0.0.1:5301, 127.0.0.1:5302,[::1]:5301';
  expect(readConfig({ NAMEPLATE_RESOLVERS }).resolvers).toHaveLength(3);
});

test('the default resolvers are three and a spare, and a setting with three resolvers adds no spare', () => {
  expect(readConfig({}).resolvers).toHaveLength(4);
  const NAMEPLATE_RESOLVERS = '127.0.0.1,127.0.0.2,127.0.0.3';
  expect(readConfig({ NAMEPLATE_RESOLVERS }).resolvers).toHaveLength(3);
  expect(readConfig({ NAMEPLATE_RESOLVERS: `${NAMEPLATE_RESOLVERS},127.0.0.4` }).resolvers).toHaveLength(4);
});

test('the setting for IPv6 addresses of the edge can be none', () => {
  const { settings } = readConfig({ NAMEPLATE_EDGE_IPV6: 'none' });
  expect(settings).toMatchObject({ edgeIpv4: ['127.0.0.1'], edgeIpv6: [] });
});

test('an empty setting is treated as not set', () => {
  expect(readConfig({ DATABASE_URL: '', NAMEPLATE_LOG_LEVEL: '' }).databaseUrl).toBeNull();
});

test('the service reports a missing encryption key together with all other problems', () => {
  const { DATABASE_URL } = DATABASE;
  expect(problemsOf({ DATABASE_URL }).NAMEPLATE_ENCRYPTION_KEYS).toMatch(/^is missing: .*openssl/);
  expect(
    Object.keys(problemsOf({ DATABASE_URL, NAMEPLATE_ROLES: 'api,x', NAMEPLATE_EDGE_ZONE: '!' })).sort(),
  ).toEqual(['NAMEPLATE_EDGE_ZONE', 'NAMEPLATE_ENCRYPTION_KEYS', 'NAMEPLATE_ROLES']);
});

test('the first encryption key encrypts, and all keys decrypt', () => {
  const config = readConfig({ ...DATABASE, NAMEPLATE_ENCRYPTION_KEYS: `${KEYS.k2}, ${KEYS.k1}` });
  expect(config.encryptionKeys?.current).toBe('k2');
  expect(ringOf(config)).toEqual(['k2', 'k1']);
  expect(problemsOf({ NAMEPLATE_EDGE_KEYS: 'k1' }).NAMEPLATE_EDGE_KEYS).toContain('the first one encrypts');
});

test('a service zone within another service zone is not listed separately', () => {
  const { settings } = readConfig({
    NAMEPLATE_EDGE_ZONE: 'edge.example.net',
    NAMEPLATE_SANDBOX_ZONE: 'sandbox.example.net',
    NAMEPLATE_SERVICE_ZONES: 'example.net, example.org',
  });
  expect(settings.serviceZones).toEqual(['example.net', 'example.org']);
});

test('every command of the service exits with 2 for wrong settings, and names each setting but no value', async () => {
  const env = { DATABASE_URL: 'mysql://root:hunter2@db/x', NAMEPLATE_ROLES: 'api,boss' };
  for (const argv of [['start'], ['migrate'], ['status'], ['accounts', 'list']]) {
    const { exit, stdout, stderr } = await runService(argv, env);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    for (const name of [
      'DATABASE_URL must',
      'NAMEPLATE_ROLES must',
      'NAMEPLATE_ENCRYPTION_KEYS is missing',
    ]) {
      expect(stderr).toContain(name);
    }
    expect(stderr).not.toMatch(/hunter2|boss/);
  }
  const { exit, stdout } = await runService(['start', '--json'], env);
  const { error } = JSON.parse(stdout);
  expect({ exit, code: error.code }).toEqual({ exit: 2, code: 'usage' });
  expect(error.status_detail.settings).toHaveLength(3);
});

test.each([
  ['NAMEPLATE_CAS', 'nowhere.json', 'names a file that cannot be read: check its path and its permissions'],
  [
    'NAMEPLATE_DOMAIN_CONNECT_KEY_FILE',
    'nowhere.pem',
    'names a file that cannot be read: check its path and its permissions',
  ],
  [
    'NAMEPLATE_DOMAIN_CONNECT_KEY_FILE',
    'package.json',
    'names a file whose content must be an RSA private key in PEM, of at least 2048 bits',
  ],
  ['NAMEPLATE_EDGE_PROCESSES', '257', 'must be a whole number from 1 to 256'],
  ['NAMEPLATE_DATABASE_CONNECTIONS', '1', 'must be a whole number from 2 to 500'],
])('the service reports what is wrong with the setting %s=%s, and the fix', (name, value, problem) => {
  const NAMEPLATE_DOMAIN_CONNECT_ID = 'example.net';
  expect(problemsOf({ ...DATABASE, NAMEPLATE_DOMAIN_CONNECT_ID, [name]: value })[name]).toBe(problem);
});

test('the service reports problems of settings in its own words, not in the words of the validation library', () => {
  const strange = [',', ' ', '\0', 'x'.repeat(2000), '-1', '1e9', '[]', 'http://', '.json', '1.1.1.1,,', '/'];
  for (const name of Object.keys(environmentSchema.shape)) {
    for (const value of strange) {
      const problem = problemsOf({ [name]: value })[name] ?? '';
      expect
        .soft(problem, `${name}=${value}`)
        .not.toMatch(/invalid|too (?:big|small)|unrecognized|expected/i);
    }
  }
});
