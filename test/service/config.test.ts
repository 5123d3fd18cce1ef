import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../service/config.ts';
import { KEYS, ringOf, runService } from './run-service.ts';

const DATABASE = { DATABASE_URL: 'postgres://a:b@127.0.0.1/c', NAMEPLATE_ENCRYPTION_KEYS: KEYS.k1 };

function problemsOf(env: Record<string, string>): Record<string, string> {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) {
      return Object.fromEntries(error.problems.map(({ name, problem }) => [name, problem]));
    }
    throw error;
  }
  return {};
}

test('an empty environment is a trial on this machine', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    database_url: null,
    encryption_keys: null,
    roles: ['api', 'worker', 'edge'],
    api: { host: '127.0.0.1', port: 4500 },
  });
  expect(config.settings).toMatchObject({
    base_url: 'http://127.0.0.1:4500',
    docs_url: 'http://127.0.0.1:4500/docs',
    allow_loopback: false,
    timer_for_live: false,
  });
});

test('the base address follows the port of the API, unless it is given', () => {
  const env = { NAMEPLATE_API_LISTEN: '[::]:8080' };
  expect(readConfig(env).settings.base_url).toBe('http://127.0.0.1:8080');
  expect(readConfig(env).api).toEqual({ host: '::', port: 8080 });
  expect(readConfig({ ...env, NAMEPLATE_BASE_URL: 'https://api.example.net/' }).settings.base_url).toBe(
    'https://api.example.net',
  );
});

test.each([
  ['DATABASE_URL', 'mysql://a'],
  ['DATABASE_LISTEN_URL', 'a'],
  ['NAMEPLATE_ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
  ['NAMEPLATE_ENCRYPTION_KEYS', `${KEYS.k1},${KEYS.k1}`],
  ['NAMEPLATE_ENCRYPTION_KEYS', KEYS.k1.slice(3)],
  ['NAMEPLATE_SERVICE_NAME', 'a b'],
  ['NAMEPLATE_BASE_URL', 'ftp://a'],
  ['NAMEPLATE_DOCS_URL', 'docs'],
  ['NAMEPLATE_EDGE_ZONE', 'http://edge'],
  ['NAMEPLATE_SANDBOX_ZONE', 'a..b'],
  ['NAMEPLATE_SERVICE_ZONES', 'a.example.net,,'],
  ['NAMEPLATE_EDGE_IPV4', '192.0.2.1,::1'],
  ['NAMEPLATE_EDGE_IPV6', '192.0.2.1'],
  ['NAMEPLATE_ROLES', 'api,all'],
  ['NAMEPLATE_API_LISTEN', '4500'],
  ['NAMEPLATE_EDGE_LISTEN', 'a:99999'],
  ['NAMEPLATE_ADMIN_LISTEN', ':1'],
  ['NAMEPLATE_RESOLVERS', 'dns.example.net'],
  ['NAMEPLATE_RATE_PER_SECOND', '0'],
  ['NAMEPLATE_RATE_BURST', '-1'],
  ['NAMEPLATE_RETENTION_DAYS', '1.5'],
  ['NAMEPLATE_DATABASE_CONNECTIONS', '1'],
  ['NAMEPLATE_STATEMENT_TIMEOUT_MS', '10s'],
  ['NAMEPLATE_REQUESTS_IN_FLIGHT', 'many'],
  ['NAMEPLATE_LOG_LEVEL', 'loud'],
  ['NAMEPLATE_DRAIN_DELAY_MS', '60001'],
  ['NAMEPLATE_OPERATOR', 'ada\nroot'],
])('%s=%s is refused by its name, with what to write', (name, value) => {
  const problems = problemsOf({ ...DATABASE, [name]: value });
  expect(Object.keys(problems)).toEqual([name]);
  expect(problems[name]).toMatch(/^(?:must be|has) /);
});

test('an empty setting counts as none', () => {
  expect(readConfig({ DATABASE_URL: '', NAMEPLATE_LOG_LEVEL: '' }).database_url).toBeNull();
});

test('a real database needs an encryption key, and is told along with all else that is wrong', () => {
  const { DATABASE_URL } = DATABASE;
  expect(problemsOf({ DATABASE_URL }).NAMEPLATE_ENCRYPTION_KEYS).toMatch(/^is missing: .*openssl/);
  expect(
    Object.keys(problemsOf({ DATABASE_URL, NAMEPLATE_ROLES: 'x', NAMEPLATE_EDGE_ZONE: '!' })).sort(),
  ).toEqual(['NAMEPLATE_EDGE_ZONE', 'NAMEPLATE_ENCRYPTION_KEYS', 'NAMEPLATE_ROLES']);
});

test('the first key seals, and all of them open', () => {
  const config = readConfig({ ...DATABASE, NAMEPLATE_ENCRYPTION_KEYS: `${KEYS.k2}, ${KEYS.k1}` });
  expect(config.encryption_keys?.current).toBe('k2');
  expect(ringOf(config)).toEqual(['k2', 'k1']);
});

test('a zone within another is listed once', () => {
  const { settings } = readConfig({
    NAMEPLATE_EDGE_ZONE: 'edge.example.net',
    NAMEPLATE_SANDBOX_ZONE: 'sandbox.example.net',
    NAMEPLATE_SERVICE_ZONES: 'example.net, example.org',
  });
  expect(settings.service_zones).toEqual(['example.net', 'example.org']);
});

test('a wrong environment ends every command with 2, and names each setting but no value', async () => {
  const env = { DATABASE_URL: 'mysql://root:hunter2@db/x', NAMEPLATE_ROLES: 'boss' };
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
