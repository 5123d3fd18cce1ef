import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../../cli/import/journal.ts';
import { type Answer, apiError, type SeenRequest, startFakeApi } from '../fake-api.ts';
import { appOf, domainOf, page } from '../resources.ts';
import { emptyFolder, keyFor, runCli } from '../run-cli.ts';

type Create = (hostname: string, request: SeenRequest) => Answer;

/** Starts an API that creates every domain, unless the test gives another response. */
function startApi(create: Create = created, listed: () => unknown[] = () => []) {
  return startFakeApi({
    'GET /v1/domains': () => page(...listed()),
    'GET /v1/apps/current': { body: appOf() },
    'POST /v1/domains': (request) => create((request.body as { hostname: string }).hostname, request),
  });
}

function created(hostname: string): Answer {
  return { status: 201, body: domainOf({ id: `dom_${hostname}`, hostname }) };
}

function folderWith(csv: string): string {
  const cwd = emptyFolder();
  writeFileSync(path.join(cwd, 'hosts.csv'), csv);
  return cwd;
}

function resultLines(cwd: string) {
  const text = readFileSync(path.join(cwd, 'hosts.csv.result.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const posted = (requests: SeenRequest[]) =>
  requests.flatMap(({ method, body }) => (method === 'POST' ? [body] : []));

test('domains import creates each row with its columns, and writes the records to the result file', async () => {
  await using api = await startApi();
  const cwd = folderWith(
    '\uFEFFhostname,origin,apex_redirect,metadata.team\r\nCareers.Acme.com,,,"a ""b"", c"\r\nexample.org,https://a.example.com,www,\r\n',
  );
  const run = await runCli(['domains', 'import', 'hosts.csv', '--json'], { env: keyFor(api.url), cwd });
  expect(run).toMatchObject({ exit: 0 });
  expect(JSON.parse(run.stdout)).toMatchObject({ imported: 2, skipped: 0, refused: 0 });
  expect(posted(api.requests)).toEqual(
    expect.arrayContaining([
      { hostname: 'careers.acme.com', metadata: { team: 'a "b", c' } },
      { hostname: 'example.org', origin: 'https://a.example.com', apex_redirect: 'www' },
    ]),
  );
  const { dns, status } = domainOf();
  expect(resultLines(cwd)).toContainEqual({
    hostname: 'example.org',
    id: 'dom_example.org',
    status,
    dns,
    warnings: [],
  });
});

test.each([
  ['hostname,owner\na.acme.com,x\n', 'line 1: the column "owner" is unknown'],
  ['hostname;origin\na.acme.com;\n', 'Separate the values with commas'],
  ['origin\nhttps://a.example.com\n', 'line 1: the column hostname is missing'],
  ['hostname\na.acme.com\n\nA.acme.com.\n', 'line 4: a.acme.com is already on line 2'],
  ['hostname\nno host\n', 'line 2: '],
  ['hostname,origin\na.acme.com\n', 'line 2: number of values: 1, but the header has 2 columns'],
  ['hostname,apex_redirect\nacme.com,yes\n', 'line 2: apex_redirect is "yes"'],
  ['hostname\n"a.acme.com\n', 'line 2: a quoted value has no closing quote'],
  ['hostname\n', 'The file has no hostnames.'],
])('domains import refuses %j before the first request', async (csv, message) => {
  await using api = await startApi();
  const { exit, stderr } = await runCli(['domains', 'import', 'hosts.csv'], {
    env: keyFor(api.url),
    cwd: folderWith(csv),
  });
  expect(exit).toBe(2);
  expect(stderr.replace(/\s+/g, ' ')).toContain(message);
  expect(api.requests).toEqual([]);
});

test('domains import skips the hostnames that a killed run finished, and repeats a hostname with an incomplete result line', async () => {
  await using api = await startApi();
  const cwd = folderWith('hostname\na.acme.com\nb.acme.com\nc.acme.com\n');
  const env = keyFor(api.url);
  await runCli(['domains', 'import', 'hosts.csv'], { env, cwd });
  const file = path.join(cwd, 'hosts.csv.result.jsonl');
  const whole = readFileSync(file, 'utf8');
  const [, , , last] = resultLines(cwd);
  writeFileSync(file, whole.slice(0, -5));
  api.requests.length = 0;
  const { stdout } = await runCli(['domains', 'import', 'hosts.csv', '--json'], { env, cwd });
  expect(JSON.parse(stdout)).toMatchObject({ imported: 1, skipped: 2, refused: 0 });
  expect(posted(api.requests)).toEqual([{ hostname: last.hostname }]);
  expect(readFileSync(file, 'utf8')).toBe(whole);
});

test('domains import records the current values of domains from an earlier run, because a TXT value can be replaced', async () => {
  const apex = (value: string) => ({
    cname: null,
    apex: { a: [], aaaa: [], txt: { name: '_service', value } },
  });
  const listed: unknown[] = [];
  await using api = await startApi(created, () => listed);
  const cwd = folderWith('hostname\nacme.com\n');
  const env = keyFor(api.url);
  await runCli(['domains', 'import', 'hosts.csv'], { env, cwd });
  listed.push({ ...domainOf({ id: 'dom_acme.com', hostname: 'acme.com' }), dns: apex('new') });
  for (let runs = 0; runs < 2; runs++) await runCli(['domains', 'import', 'hosts.csv'], { env, cwd });
  expect(resultLines(cwd).slice(2)).toMatchObject([{ hostname: 'acme.com', dns: apex('new') }]);
});

test('domains import resumes with a result file that was cut at any byte', async () => {
  await using api = await startApi();
  const cwd = folderWith('hostname\na.acme.com\n');
  const file = path.join(cwd, 'hosts.csv.result.jsonl');
  const target = { base_url: api.url, app_id: 'app_1', mode: 'live' };
  const entry = { hostname: 'bücher.example', error: { code: 'c', message: '"é\u001b', fix: '' } };
  const journal = openJournal(file, target);
  journal.append(entry);
  journal.close();
  const whole = readFileSync(file);
  for (let bytes = 0; bytes < whole.length; bytes++) {
    writeFileSync(file, whole.subarray(0, bytes));
    const resumed = openJournal(file, target);
    resumed.append(entry);
    resumed.close();
    expect(readFileSync(file)).toEqual(whole);
  }
  writeFileSync(file, 'notes of mine');
  expect(() => openJournal(file, target)).toThrow('is not the result of an import');
  expect(readFileSync(file, 'utf8')).toBe('notes of mine');
});

test('domains import continues after a refused hostname, exits with 1, and tries this hostname again in the next run', async () => {
  let isRefusing = true;
  await using api = await startApi((hostname) =>
    isRefusing && hostname.startsWith('b.') ? apiError(409, 'hostname_taken') : created(hostname),
  );
  const cwd = folderWith('hostname\na.acme.com\nb.acme.com\nc.acme.com\n');
  const env = keyFor(api.url);
  const first = await runCli(['domains', 'import', 'hosts.csv', '--json'], { env, cwd });
  expect(first.exit).toBe(1);
  expect(JSON.parse(first.stdout)).toMatchObject({
    imported: 2,
    refused: 1,
    errors: [{ hostname: 'b.acme.com', error: { code: 'hostname_taken' } }],
  });
  isRefusing = false;
  const second = await runCli(['domains', 'import', 'hosts.csv', '--json'], { env, cwd });
  expect(JSON.parse(second.stdout)).toMatchObject({ imported: 1, skipped: 2, refused: 0 });
});

test('domains import waits for Retry-After, and then creates the hostname', async () => {
  let isLimited = true;
  await using api = await startApi((hostname) => {
    if (!isLimited) return created(hostname);
    isLimited = false;
    return { ...apiError(429, 'rate_limited'), headers: { 'retry-after': '40' } };
  });
  const cwd = folderWith('hostname\na.acme.com\n');
  const { exit, sleptMs } = await runCli(['domains', 'import', 'hosts.csv'], { env: keyFor(api.url), cwd });
  expect(exit).toBe(0);
  expect(sleptMs).toBe(40_000);
});

test('domains import stops at an error that affects every hostname, and exits with the code of this error', async () => {
  await using api = await startApi(() => apiError(402, 'domain_limit_reached'));
  const names = Array.from({ length: 50 }, (_, index) => `h${index}.acme.com`);
  const cwd = folderWith(`hostname\n${names.join('\n')}\n`);
  const { exit } = await runCli(['domains', 'import', 'hosts.csv'], { env: keyFor(api.url), cwd });
  expect(exit).toBe(7);
  expect(posted(api.requests).length).toBeLessThanOrEqual(4);
});

test('domains import does not resume with the result file of another server', async () => {
  await using first = await startApi();
  await using second = await startApi();
  const cwd = folderWith('hostname\na.acme.com\n');
  await runCli(['domains', 'import', 'hosts.csv'], { env: keyFor(first.url), cwd });
  const { exit, stderr } = await runCli(['domains', 'import', 'hosts.csv'], { env: keyFor(second.url), cwd });
  expect(exit).toBe(2);
  expect(stderr).toContain('--result');
  expect(posted(second.requests)).toEqual([]);
});

test('domains import sends nothing with --dry-run, and requires --result with stdin', async () => {
  await using api = await startApi();
  const env = keyFor(api.url);
  const stdin = 'hostname\na.acme.com\n';
  const dry = await runCli(['domains', 'import', '-', '--result', 'r.jsonl', '--dry-run'], { env, stdin });
  expect(dry).toMatchObject({
    exit: 0,
    stdout: 'The rows are valid. Hostnames to import: 1. Nothing was sent.\n',
  });
  const without = await runCli(['domains', 'import', '-'], { env, stdin });
  expect(without.exit).toBe(2);
  expect(api.requests).toEqual([]);
});

/** Returns a page of domains in `pending_dns`. The domains in `ready` are ready for the DNS switch. */
function waitingPage(hostnames: readonly string[], ready: readonly string[]): Answer {
  return page(
    ...hostnames.map((hostname) =>
      domainOf({ id: `dom_${hostname}`, hostname, ready_to_switch: ready.includes(hostname) }),
    ),
  );
}

test('domains import prints how to find out which hostnames are live', async () => {
  await using api = await startApi();
  const cwd = folderWith('hostname\na.acme.com\n');
  const { stdout } = await runCli(['domains', 'import', 'hosts.csv'], { env: keyFor(api.url), cwd });
  expect(stdout).toContain('Then see which are live: nameplate domains list --all\n');
});

test('domains import --prepare waits until each domain has its certificate or is no longer pending_dns', async () => {
  const both = ['a.acme.com', 'b.acme.com', 'not-imported.acme.com'];
  await using api = await startFakeApi({
    'GET /v1/apps/current': { body: appOf() },
    'POST /v1/domains': ({ body }) => created((body as { hostname: string }).hostname),
    'GET /v1/domains': [
      waitingPage(both, []),
      waitingPage(both, ['a.acme.com']),
      waitingPage(['a.acme.com', 'not-imported.acme.com'], ['a.acme.com']),
    ],
  });
  const cwd = folderWith('hostname\na.acme.com\nb.acme.com\n');
  const { exit, stdout, sleptMs } = await runCli(['domains', 'import', 'hosts.csv', '--prepare', '--json'], {
    env: keyFor(api.url),
    cwd,
  });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ imported: 2, without_certificate: [] });
  expect(sleptMs).toBe(30_000);
});

test('domains import --prepare names the domains without a certificate when its timeout ends, and exits with 3', async () => {
  await using api = await startFakeApi({
    'GET /v1/apps/current': { body: appOf() },
    'POST /v1/domains': ({ body }) => created((body as { hostname: string }).hostname),
    'GET /v1/domains': waitingPage(['a.acme.com', 'b.acme.com'], ['a.acme.com']),
  });
  const cwd = folderWith('hostname\na.acme.com\nb.acme.com\n');
  const argv = ['domains', 'import', 'hosts.csv', '--prepare', '--timeout', '20s'];
  const { exit, stdout, sleptMs } = await runCli(argv, { env: keyFor(api.url), cwd });
  expect(exit).toBe(3);
  expect(stdout).toContain('Without a certificate: b.acme.com.');
  expect(sleptMs).toBe(20_000);
});
