import { expect, test } from 'vitest';
import { textWidth } from '../../../cli/output/table.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, eventOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const LONG = domainOf({
  id: 'dom_01k00000000000000000000002',
  hostname: `${'a'.repeat(60)}.${'b'.repeat(40)}.example.com`,
  status_reason: 'hostname_routed_elsewhere',
});

test.each([60, 80, 200])('tables of domains and events fit a terminal of %i columns', async (columns) => {
  await using api = await startFakeApi({
    'GET /v1/domains': page(domainOf(), LONG),
    'GET /v1/events': page(eventOf(), eventOf({ hostname: LONG.hostname })),
  });
  for (const what of ['domains', 'events']) {
    const { stdout } = await runCli([what, 'list', '--no-color'], { env: keyFor(api.url), columns });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
    expect(stdout).toContain('careers.acme');
  }
});

test('a list names the columns that do not fit a narrow terminal, and shows these columns on a wide terminal', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(LONG) });
  const narrow = await runCli(['domains', 'list'], { env: keyFor(api.url), columns: 60 });
  expect(narrow.stderr).toContain('Hidden, terminal too narrow:');
  const wide = await runCli(['domains', 'list'], { env: keyFor(api.url), columns: 200 });
  expect(wide.stderr).toBe('');
  expect(wide.stdout).toContain(LONG.id);
});

test('the output of a list in a pipe is complete and has no colour', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(LONG) });
  const { stdout } = await runCli(['domains', 'list'], { env: keyFor(api.url) });
  expect(stdout).toContain(LONG.hostname);
  expect(stdout).not.toContain('\x1b');
});

test('a list uses colour on a terminal, but not with --no-color or NO_COLOR', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
  const env = keyFor(api.url);
  expect((await runCli(['domains', 'list'], { env, columns: 80 })).stdout).toContain('\x1b[');
  expect((await runCli(['domains', 'list', '--no-color'], { env, columns: 80 })).stdout).not.toContain(
    '\x1b',
  );
  expect(
    (await runCli(['domains', 'list'], { env: { ...env, NO_COLOR: '1' }, columns: 80 })).stdout,
  ).not.toContain('\x1b');
});

test('text from the server cannot control the terminal, in a table, a record, an error or JSON', async () => {
  const evil = 'x\x1b[2J\x07\u009b31m\u202e\u061c\u00ad\u180e\ufff9\u{e0041}\ny';
  const domain = domainOf({ status_reason: evil, metadata: { evil } });
  await using api = await startFakeApi({
    'GET /v1/domains': page(domain),
    [`GET /v1/domains/${domain.id}`]: { body: domain },
    'GET /v1/apps/current': {
      status: 422,
      body: { error: { code: evil, message: evil, fix: evil, docs: evil } },
    },
  });
  const env = keyFor(api.url);
  for (const argv of [
    ['domains', 'list'],
    ['domains', 'get', domain.id],
    ['apps', 'get'],
  ]) {
    for (const end of [[], ['--json']]) {
      const { stdout, stderr } = await runCli([...argv, ...end], { env });
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  }
  const { stdout } = await runCli(['domains', 'get', domain.id, '--json'], { env });
  expect(JSON.parse(stdout)).toEqual(domain);
});

test('a page of a list ends with the exact command for the next page', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': ({ query }) => ({
      body: { data: [domainOf()], next_cursor: query.has('cursor') ? 'b c;$(x)' : 'a1' },
    }),
  });
  const env = keyFor(api.url);
  const argv = [
    'domains',
    'list',
    '--status',
    'pending_dns',
    '--metadata',
    "name=O'Hara & co",
    '--limit',
    '1',
  ];
  const first = await runCli(argv, { env });
  const next = first.stdout.match(/Next page: (.*)/)?.[1];
  expect(next).toBe(
    "nameplate domains list --status pending_dns --metadata 'name=O'\\''Hara & co' --limit 1 --cursor a1",
  );
  const second = await runCli([...argv, '--cursor', 'a1'], { env });
  expect(api.requests.at(-1)?.query.get('cursor')).toBe('a1');
  expect(second.stdout).toContain("--limit 1 --cursor 'b c;$(x)'\n");
  expect(second.stdout).not.toContain('--cursor a1');
});

test('an empty page with a next page prints that it is empty, and the command for the next page', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': { body: { data: [], next_cursor: 'a1' } } });
  const { stdout } = await runCli(['domains', 'list', '--status', 'active'], { env: keyFor(api.url) });
  expect(stdout).toBe(
    'None on this page.\n\nNext page: nameplate domains list --status active --cursor a1\n',
  );
});

test('CSV output has only rows on stdout; the command for the next page is on stderr', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': [{ body: { data: [domainOf()], next_cursor: 'a1' } }, page(domainOf())],
  });
  const argv = ['domains', 'list', '--csv', '--columns', 'hostname'];
  const first = await runCli(argv, { env: keyFor(api.url) });
  expect(first.stdout).toBe('hostname\ncareers.acme.com\n');
  expect(first.stderr).toBe('Next page: nameplate domains list --csv --columns hostname --cursor a1\n');
  expect((await runCli(argv, { env: keyFor(api.url) })).stderr).toBe('');
});

test('a list with --all prints all pages as one document', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': ({ query }) => {
      const at = Number(query.get('cursor') ?? 0);
      return { body: { data: [domainOf({ id: `dom_0${at}` })], next_cursor: at < 2 ? `${at + 1}` : null } };
    },
  });
  const { stdout } = await runCli(['domains', 'list', '--all', '--json'], { env: keyFor(api.url) });
  const { data, next_cursor } = JSON.parse(stdout);
  expect(data.map((domain: { id: string }) => domain.id)).toEqual(['dom_00', 'dom_01', 'dom_02']);
  expect(next_cursor).toBeNull();
});

test('a list sends its filters as query parameters', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page() });
  const argv = ['domains', 'list', '--status', 'active', '--hostname', 'careers.', '--metadata', 'a b=c&d'];
  const { stdout } = await runCli(argv, { env: keyFor(api.url) });
  expect(Object.fromEntries(api.requests[0]?.query ?? [])).toEqual({
    status: 'active',
    hostname: 'careers.',
    'metadata.a b': 'c&d',
  });
  expect(stdout).toBe('No domains found.\n');
});

test('--columns prints the chosen columns as CSV in which no cell is a spreadsheet formula', async () => {
  const domain = domainOf({ metadata: { note: 'a "b", c', formula: '=1+1' } });
  await using api = await startFakeApi({ 'GET /v1/domains': page(domain) });
  const columns = 'hostname,metadata.note,metadata.formula,metadata.none,is_apex';
  const { stdout } = await runCli(['domains', 'list', '--csv', '--columns', columns], {
    env: keyFor(api.url),
  });
  expect(stdout).toBe(`${columns}\ncareers.acme.com,"a ""b"", c",'=1+1,,false\n`);
});

test('CSV has the exact text in a file, and no control characters on a terminal', async () => {
  const exact = 'نمی\u200cخواهم \u{1f469}\u200d\u{1f4bb} a\u202eb\u001b[2J\u001b[0m';
  await using api = await startFakeApi({ 'GET /v1/keys': page({ id: 'key_1', name: exact }) });
  const argv = ['keys', 'list', '--csv', '--columns', 'id,name'];
  expect((await runCli(argv, { env: keyFor(api.url) })).stdout).toBe(`id,name\nkey_1,${exact}\n`);
  const shown = await runCli(argv, { env: keyFor(api.url), columns: 80 });
  for (const each of ['\u202e', '\u001b[2J']) expect(shown.stdout).not.toContain(each);
  expect(shown.stdout).toContain('a\\u202eb');
});

test('every list command accepts --columns and --csv', async () => {
  const key = { id: 'key_1', name: 'ci, test', mode: 'test' };
  await using api = await startFakeApi({ 'GET /v1/events': page(eventOf()), 'GET /v1/keys': page(key) });
  const env = keyFor(api.url);
  const events = await runCli(['events', 'list', '--csv', '--columns', 'type,delivery.last_status_code'], {
    env,
  });
  expect(events.stdout).toBe('type,delivery.last_status_code\ndomain.active,500\n');
  const keys = await runCli(['keys', 'list', '--csv', '--columns', 'id,name'], { env });
  expect(keys.stdout).toBe('id,name\nkey_1,"ci, test"\n');
  const table = await runCli(['keys', 'list', '--columns', 'name'], { env });
  expect(table.stdout).toBe('NAME\nci, test\n');
  expect((await runCli(['keys', 'list', '--columns', 'a..b'], { env })).exit).toBe(2);
});
