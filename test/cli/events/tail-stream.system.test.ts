import { expect, test } from 'vitest';
import { emptyHome, startBin } from '../bin-process.ts';
import { apiError, startFakeApi } from '../fake-api.ts';
import { eventOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const OLD = eventOf({ id: 'evt_01', created_at: '2026-11-20T12:00:00.000Z' });
const NEW = eventOf({ id: 'evt_02', created_at: '2026-11-20T12:00:01.000Z', hostname: 'jobs.acme.com' });
const REFUSED = apiError(401, 'unauthorized');

test('without a terminal, events tail prints a line for each new event on stdout, and the summary on stderr', async () => {
  await using api = await startFakeApi({ 'GET /v1/events': [page(OLD), page(NEW, OLD)] });
  await using bin = startBin(['events', 'tail'], { ...emptyHome(), ...keyFor(api.url) });
  await bin.untilStdout(/jobs\.acme\.com/);
  bin.child.kill('SIGINT');
  expect(await bin.ended).toBe(130);
  expect(bin.stdout()).toMatch(/^2026-11-20 12:00:01Z {2}domain\.active +jobs\.acme\.com .*evt_02\n$/);
  expect(bin.stderr()).toContain('1 event, 1 failed.');
});

test('events tail --json prints one document per line, also for a final error', async () => {
  await using api = await startFakeApi({ 'GET /v1/events': [page(OLD), page(NEW, OLD), REFUSED] });
  const { exit, stdout } = await runCli(['events', 'tail', '--json'], { env: keyFor(api.url) });
  expect(exit).toBe(4);
  const [event, error] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(event).toEqual(NEW);
  expect(error).toMatchObject({ error: { code: 'unauthorized', exit: 4 } });
});

test('events tail --since starts with past events; --type, --domain, --failed and --grep filter the events', async () => {
  const domain = { id: 'dom_01', hostname: 'careers.acme.com' };
  await using api = await startFakeApi({
    'GET /v1/domains': page(domain),
    'GET /v1/events': [
      page(
        NEW,
        eventOf({
          id: 'evt_01b',
          hostname: 'jobs.acme.com',
          delivery: { ...OLD.delivery, status: 'delivered' },
        }),
        OLD,
      ),
      REFUSED,
    ],
  });
  const argv = [
    '--domain',
    'careers.acme.com',
    '--type',
    'domain.active',
    '--failed',
    '--grep',
    '^evt_\\S+ .*JOBS',
  ];
  const since = ['--since', '2026-11-20T00:00:00Z'];
  const { stdout } = await runCli(['events', 'tail', '--json', ...since, ...argv], { env: keyFor(api.url) });
  const [event] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(event).toEqual(NEW);
  expect(stdout.trim().split('\n')).toHaveLength(2);
  const query = api.requests.find(({ path }) => path === '/v1/events')?.query;
  expect(query?.get('domain_id')).toBe('dom_01');
  expect(query?.get('type')).toBe('domain.active');
});

test.each([
  [['--since', 'yesterday'], 'is neither a duration nor a time'],
  [['--grep', '('], '--grep'],
  [['--type', 'domain.lost'], '--type'],
])('events tail exits with 2 for the invalid flag %j, without a request', async (argv, words) => {
  await using api = await startFakeApi({});
  const { exit, stderr } = await runCli(['events', 'tail', ...argv], { env: keyFor(api.url) });
  expect({ exit, asked: api.requests.length }).toEqual({ exit: 2, asked: 0 });
  expect(stderr).toContain(words);
});

test('events tail exits with 8 if the server is unreachable, and never prints the secret', async () => {
  const secret = 'whsec_c2VjcmV0';
  const env = keyFor('http://127.0.0.1:1');
  for (const more of [[], ['--json']]) {
    const run = await runCli(['events', 'tail', '--secret', secret, ...more], { env });
    expect(run.exit).toBe(8);
    expect(run.stdout + run.stderr).not.toContain(secret);
  }
  const wrong = await runCli(['events', 'tail', '--secret', secret, '--nonsense', '--json'], { env });
  expect(wrong.exit).toBe(2);
  expect(wrong.stdout + wrong.stderr).not.toContain(secret);
});

test('events tail ends if the reader of its output closes the pipe', async () => {
  let n = 0;
  const next = () =>
    page(eventOf({ id: `evt_${++n}`, created_at: new Date(Date.UTC(2026, 10, 20) + n).toISOString() }));
  await using api = await startFakeApi({ 'GET /v1/events': next });
  await using bin = startBin(['events', 'tail', '--json'], { ...emptyHome(), ...keyFor(api.url) });
  await bin.untilStdout(/\n/);
  bin.child.stdout?.destroy();
  expect(await bin.ended).toBe(0);
  expect(bin.stderr()).not.toContain('EPIPE');
});
