import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { keyFor, runCli } from '../run-cli.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'frozen' });
  await run(['domains', 'add', 'careers.acme.com']);
  await run(['domains', 'add', 'dns-proxied.acme.com']);
  await run(['emulator', 'trigger', 'careers.acme.com', 'dns_confirmed', '--base-url', emulator.url]);
  await emulator.clock.advance('70d');
});
afterAll(() => emulator.close());

async function run(argv: string[], columns?: number) {
  const env = keyFor(emulator.url, emulator.keys.test);
  const result = await runCli(argv, { env, ...(columns && { columns }) });
  expect(result.exit).toBe(0);
  return result.stdout;
}

test('certificates list shows when the certificate of each domain expires', async () => {
  const shown = await run(['certificates', 'list', '--no-color'], 100);
  expect(shown).toMatch(/^HOSTNAME +ISSUER +EXPIRES +RENEWS +STATUS/);
  expect(shown).toMatch(/^careers\.acme\.com .* in (79|80)d +in (49|50)d +✓ active/m);
  const { data } = JSON.parse(await run(['certificates', 'ls', '--json']));
  expect(data.map(({ hostname }: { hostname: string }) => hostname).sort()).toEqual([
    'careers.acme.com',
    'dns-proxied.acme.com',
  ]);
});

test('certificates history shows the renewed certificate and its predecessor', async () => {
  const { data } = JSON.parse(await run(['certificates', 'history', 'careers.acme.com', '--json']));
  expect(data).toHaveLength(2);
  expect(data[0].served_until).toBeNull();
  expect(data[1].served_until).toBe(data[0].served_from);
  const shown = await run(['certificates', 'history', 'careers.acme.com', '--no-color'], 100);
  expect(shown.split('\n')[0]).toMatch(/^SERVED FROM +UNTIL +ISSUER +EXPIRES +NAMES/);
});

test('certificates history reports that a domain has had no certificate', async () => {
  expect(await run(['certificates', 'history', 'dns-proxied.acme.com'])).toBe(
    'This domain has had no certificate yet.\n',
  );
});

test('certificates history continues with the next page', async () => {
  const all = JSON.parse(await run(['certificates', 'history', 'careers.acme.com', '--all', '--json']));
  expect(all.data).toHaveLength(2);
  const text = await run(['certificates', 'history', 'careers.acme.com', '--limit', '1']);
  expect(text).toMatch(/Next page: nameplate certificates history careers\.acme\.com --limit 1 --cursor \S+/);
});
