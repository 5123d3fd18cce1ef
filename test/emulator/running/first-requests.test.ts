import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { emulatorUnderTest } from './emulator-under-test.ts';

/** The emulator imports the code of a feature on first use. If several requests need it at the same time, each gets its response. */
test('the emulator responds to every one of its first requests, even if they arrive at the same time', async () => {
  await using underTest = await emulatorUnderTest();
  const { emulator, api, control } = underTest;
  const asked = async (place: string) => (await fetch(emulator.url + place)).status;
  const many = <T>(ask: (place: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)));
  const [created, statuses, documents, guides, pages] = await Promise.all([
    many((n) => api('POST /domains', { hostname: `first-${n}.acme.com` })),
    many(() => control('GET /status')),
    many(() => asked('/v1/openapi.json')),
    many(() => asked('/docs/emulator')),
    many(() => asked('/dashboard')),
  ]);
  expect(new Set(created.map(({ body }) => body.id)).size).toBe(20);
  expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  expect(new Set(statuses.map(({ body }) => body['app_id']))).toEqual(new Set([emulator.appId]));
  for (const list of [documents, guides, pages]) expect(new Set(list)).toEqual(new Set([200]));
  const connect = await many(async (n) => (await fetch(String(created[n]?.body['connect_url']))).status);
  expect(new Set(connect)).toEqual(new Set([200]));
});

test('an emulator can send its first webhooks at the same time', async () => {
  await using receiver = await startReceiver();
  await using underTest = await emulatorUnderTest({ webhook: receiver.url });
  const hostnames = Array.from({ length: 20 }, (_, n) => `first-${n}.acme.com`);
  await Promise.all(hostnames.map((hostname) => underTest.api('POST /domains', { hostname })));
  await underTest.emulator.clock.advance(0);
  expect(receiver.arrivals.map(({ hostname }) => hostname).sort()).toEqual(hostnames.toSorted());
});

test('concurrent seeds are applied one after the other', async () => {
  await using underTest = await emulatorUnderTest();
  const { emulator, api } = underTest;
  const hostnames = Array.from({ length: 10 }, (_, n) => `seeded-${n}.acme.com`);
  await Promise.all(
    hostnames.map((hostname) => emulator.seed({ domains: [{ hostname, status: 'active' }] })),
  );
  const { data } = (await api('GET /domains?status=active')).body;
  expect(data).toHaveLength(10);
});

test('an emulator without requests has not imported the code that handles them', () => {
  const file = path.resolve(import.meta.dirname, '../../../node_modules/.cache/nameplate/meta.json');
  const { outputs }: Bundles = JSON.parse(readFileSync(file, 'utf8'));
  const first = Object.keys(outputs).find(
    (name) => outputs[name]?.entryPoint === 'cli/commands/emulator/start.ts',
  );
  const loaded = new Set([first ?? '']);
  for (const name of loaded) {
    for (const { path: next, kind } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(next);
  }
  const inputs = [...loaded].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
  expect(inputs).toContain('emulator/compose.ts');
  const answering =
    /node_modules\/(?:zod|h3|srvx|undici|react|yaml|chokidar)\/|emulator\/control\/routes|emulator\/lab/;
  expect(inputs.filter((input) => answering.test(input))).toEqual([]);
});

/** The metadata of esbuild: the contents of each bundle and its imports. */
interface Bundles {
  outputs: Record<
    string,
    { entryPoint?: string; inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }
  >;
}
