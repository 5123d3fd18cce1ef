import { expect, test } from 'vitest';
import { ageWords } from '../../../cli/output/age.ts';
import { startEmulator } from '../../../emulator/start.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, eventOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z');
const [S, M, H, D] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, 'now'],
  [-999, 'now'],
  [-S, '1s ago'],
  [-59 * S, '59s ago'],
  [-3 * M, '3m ago'],
  [-119 * M, '1h ago'],
  [2 * H, 'in 2h'],
  [89 * D + 23 * H, 'in 89d'],
  [-121 * D, '3mo ago'],
  [-729 * D, '23mo ago'],
  [-731 * D, '2y ago'],
])('the CLI shows a time %i ms from now as "%s"', (awayMs, words) => {
  expect(ageWords(new Date(NOW_MS + awayMs).toISOString(), NOW_MS)).toBe(words);
});

const CREATED = new Date(Date.now() - 3 * M - 30 * S).toISOString();
const FULL = CREATED.replace('T', ' ').replace(/\.\d+/, '');

test('a table shows ages on a terminal, and times in a pipe, in CSV and in JSON', async () => {
  await using api = await startFakeApi({ 'GET /v1/events': page(eventOf({ created_at: CREATED })) });
  const env = keyFor(api.url);
  const list = (argv: string[], columns?: number) =>
    runCli(['events', 'list', ...argv], { env, ...(columns && { columns }) });
  const shown = (await list(['--no-color'], 100)).stdout;
  expect(shown).toContain('3m ago');
  expect(shown).not.toContain(FULL);
  expect((await list([])).stdout).toContain(FULL);
  expect((await list(['--csv'], 100)).stdout).toContain(FULL);
  expect((await list(['--json'], 100)).stdout).toContain(CREATED);
  expect((await list(['--columns', 'created_at'], 100)).stdout).toContain(CREATED);
});

test('the details of a domain show a time and, on a terminal, how far away the time is', async () => {
  const next = new Date(Date.now() + 2 * H + M).toISOString();
  const domain = domainOf({ created_at: CREATED, next_check_at: next });
  await using api = await startFakeApi({ [`GET /v1/domains/${domain.id}`]: { body: domain } });
  const get = async (columns?: number) =>
    (await runCli(['domains', 'get', domain.id], { env: keyFor(api.url), ...(columns && { columns }) }))
      .stdout;
  expect(await get(100)).toContain(`${FULL} (3m ago)`);
  expect(await get(100)).toContain(' (in 2h)');
  expect(await get()).not.toContain('ago');
});

test('a narrow list shows the time instead of the id', async () => {
  const event = eventOf({ created_at: CREATED });
  await using api = await startFakeApi({ 'GET /v1/events': page(event) });
  const { stdout, stderr } = await runCli(['events', 'list'], { env: keyFor(api.url), columns: 60 });
  expect(stdout).toContain('3m ago');
  expect(stdout).not.toContain(event.id);
  expect(stderr).toContain('id');
});

test("the CLI measures ages by the emulator's clock", async () => {
  await using emulator = await startEmulator({ clock: 'frozen' });
  const env = keyFor(emulator.url, emulator.keys.test);
  await emulator.clock.advance('90d');
  await runCli(['domains', 'add', 'careers.acme.com'], { env });
  await emulator.clock.advance('3h');
  const { stdout } = await runCli(['domains', 'list', '--no-color'], { env, columns: 120 });
  expect(stdout).toMatch(/\s(3h|2h) ago/);
});

test("emulator trigger shows the times of its domain relative to the emulator's clock", async () => {
  await using emulator = await startEmulator({ clock: 'frozen' });
  const env = { ...keyFor(emulator.url, emulator.keys.live), NAMEPLATE_BASE_URL: emulator.url };
  await emulator.clock.advance('90d');
  await runCli(['domains', 'add', 'careers.acme.com'], { env });
  const { stdout } = await runCli(['emulator', 'trigger', 'careers.acme.com', 'hold', '--no-color'], {
    env,
    columns: 120,
  });
  expect(stdout).toMatch(/^created +.*\((?:now|\ds ago)\)/m);
});

test("the CLI shows the time until the next check by the server's clock", async () => {
  const aheadMs = 90 * D;
  const at = (awayMs: number) => new Date(Date.now() + aheadMs + awayMs).toISOString();
  const domain = domainOf({ next_check_at: at(30 * S) });
  const active = { ...domain, status: 'active' };
  await using api = await startFakeApi({
    'GET /_emulator/clock': { body: { now: at(0), mode: 'real' } },
    [`GET /v1/domains/${domain.id}`]: [{ body: domain }, { body: active }],
  });
  const { stderr } = await runCli(['domains', 'wait', domain.id], { env: keyFor(api.url), columns: 120 });
  expect(stderr).toMatch(/next check in (?:29|30) s/);
});
