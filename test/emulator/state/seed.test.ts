import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Seed, seedJsonSchema } from '../../../emulator/seed/seed-schema.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import {
  type EmulatorUnderTest,
  emulatorUnderTest,
  type ResponseBody,
} from '../running/emulator-under-test.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-seed-'));
  file = path.join(folder, 'seed.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Lists the domains in sorted order, because under a frozen clock all have the same age. */
async function domains({ api }: EmulatorUnderTest, key?: string): Promise<ResponseBody[]> {
  const { data } = (await api('GET /domains?limit=100', undefined, key)).body;
  return data.toSorted((one, other) => (String(one['hostname']) < String(other['hostname']) ? -1 : 1));
}

async function eventsOf({ api }: EmulatorUnderTest, hostname: string): Promise<ResponseBody[]> {
  const { data } = (await api('GET /events?limit=100')).body;
  return data.filter((event) => event['hostname'] === hostname).toReversed();
}

/** Reads all state that a seed can change, without the timestamps of the changes. */
async function everything({ control }: EmulatorUnderTest): Promise<unknown> {
  return (await control('GET /export')).body['tables'];
}

const WHOLE = `
account:
  plan: growth
app:
  name: Careers pages
  webhook_url: http://127.0.0.1:9/hooks
apps:
  - name: Staging
    account: { plan: free }
    origin_url: http://127.0.0.1:9
domains:
  - hostname: careers.acme.com
    status: active
    metadata: { team: jobs }
    origin_headers: { X-Team: jobs }
  - hostname: broken.acme.com
    status: dns_broken
    status_reason: dns_proxied
  - { hostname: live.acme.com, mode: live, status: cert_failed, status_reason: caa_forbids }
  - { hostname: staging.acme.com, app: Staging, status: expired }
events:
  - { hostname: careers.acme.com, type: domain.active, delivery: failed }
  - { hostname: careers.acme.com, type: domain.certificate_renewed, delivery: delivered, attempts: 3 }
`;

describe('emulator start --seed brings the emulator to the state of the seed', () => {
  test('the seed creates accounts, apps, domains in their states, and events', async () => {
    writeFileSync(file, WHOLE);
    await using underTest = await emulatorUnderTest({ seed: file });
    const { api, emulator } = underTest;
    expect((await api('GET /apps/current')).body).toMatchObject({
      name: 'Careers pages',
      webhook_url: 'http://127.0.0.1:9/hooks',
    });
    expect(await domains(underTest)).toMatchObject([
      { hostname: 'broken.acme.com', status: 'dns_broken', status_reason: 'dns_proxied' },
      { hostname: 'careers.acme.com', status: 'active', metadata: { team: 'jobs' } },
    ]);
    expect(await domains(underTest, emulator.keys.live)).toMatchObject([
      { hostname: 'live.acme.com', status: 'cert_failed', status_reason: 'caa_forbids' },
    ]);
    const events = await eventsOf(underTest, 'careers.acme.com');
    expect(events.map(({ type, delivery }) => [type, delivery])).toEqual([
      ['domain.created', expect.objectContaining({ status: 'none', attempts: 0 })],
      ['domain.verified', expect.objectContaining({ status: 'none', attempts: 0 })],
      ['domain.active', expect.objectContaining({ status: 'failed', attempts: 8, last_status_code: 500 })],
      [
        'domain.certificate_renewed',
        expect.objectContaining({ status: 'delivered', attempts: 3, last_status_code: 200 }),
      ],
    ]);
    const failed = (await api(`GET /events/${events[2]?.id}`)).body;
    expect(failed['deliveries']).toHaveLength(8);
  });

  test('the same seed changes nothing when it is applied again', async () => {
    writeFileSync(file, WHOLE);
    await using underTest = await emulatorUnderTest({ seed: file });
    const before = await everything(underTest);
    await underTest.emulator.seed(file);
    expect(await everything(underTest)).toEqual(before);
  });

  test('domains that the seed does not name stay as they are', async () => {
    await using underTest = await emulatorUnderTest();
    await underTest.api('POST /domains', { hostname: 'mine.acme.com' });
    await underTest.emulator.seed({ domains: [{ hostname: 'yours.acme.com', status: 'active' }] });
    expect(await domains(underTest)).toMatchObject([
      { hostname: 'mine.acme.com', status: 'pending_dns' },
      { hostname: 'yours.acme.com', status: 'active' },
    ]);
  });

  test('a domain can get from every status to every other, and is recreated if there is no path', async () => {
    await using underTest = await emulatorUnderTest();
    const seed = (status: (typeof STATUSES)[number]) =>
      underTest.emulator.seed({ domains: [{ hostname: 'careers.acme.com', status }] });
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        await seed(from);
        await seed(to);
        const [domain] = await domains(underTest);
        expect([from, to, domain?.status ?? 'deleted']).toEqual([from, to, to]);
      }
    }
  });

  test('the seed sends only the events that it lists as pending', async () => {
    await using receiver = await startReceiver();
    const seed: Seed = {
      domains: [
        { hostname: 'quiet.acme.com', status: 'active' },
        { hostname: 'loud.acme.com', status: 'active' },
      ],
      events: [{ hostname: 'loud.acme.com', type: 'domain.active', delivery: 'pending' }],
    };
    await using underTest = await emulatorUnderTest({ webhook: receiver.url, seed });
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect(receiver.arrivals.map(({ hostname, type }) => [hostname, type])).toEqual([
      ['loud.acme.com', 'domain.active'],
    ]);
    await underTest.emulator.seed(seed);
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect(receiver.arrivals).toHaveLength(1);
    await underTest.emulator.trigger('quiet.acme.com', 'dns_gone');
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect(receiver.arrivals.at(-1)).toMatchObject({ hostname: 'quiet.acme.com', type: 'domain.dns_broken' });
  });

  test('a named app has the same keys in every emulator', async () => {
    const keys = [];
    for (let i = 0; i < 2; i++) {
      await using underTest = await emulatorUnderTest();
      const { body } = await underTest.control('POST /seed', { apps: [{ name: 'Staging' }] });
      const [app] = body['apps'] as { test_key: string }[];
      keys.push(app?.test_key);
      expect((await underTest.api('GET /apps/current', undefined, app?.test_key)).status).toBe(200);
    }
    expect(keys[0]).toBe(keys[1]);
  });

  test('a reset applies the seed again, another given seed, or none', async () => {
    writeFileSync(file, 'domains: [{ hostname: careers.acme.com, status: active }]');
    await using underTest = await emulatorUnderTest({ seed: file });
    const { api, control, emulator } = underTest;
    await api('POST /domains', { hostname: 'other.acme.com' });
    await emulator.reset();
    expect(await domains(underTest)).toMatchObject([{ hostname: 'careers.acme.com', status: 'active' }]);
    await control('POST /reset', { seed: { domains: [{ hostname: 'given.acme.com' }] } });
    expect(await domains(underTest)).toMatchObject([{ hostname: 'given.acme.com' }]);
    await control('POST /reset', { seed: null });
    expect(await domains(underTest)).toEqual([]);
  });

  test('a reset reports a seed file that has become wrong or is missing, and changes nothing', async () => {
    writeFileSync(file, 'domains: [{ hostname: careers.acme.com, status: active }]');
    await using underTest = await emulatorUnderTest({ seed: file });
    const before = await everything(underTest);
    const reset = async () => {
      const { status, body } = await underTest.control('POST /reset', {});
      return { status, ...body.error };
    };
    writeFileSync(file, 'domains:\n  - { hostnam: careers.acme.com }\n');
    expect(await reset()).toMatchObject({
      status: 422,
      code: 'seed_invalid',
      message: expect.stringContaining('seed.yaml:2: domains[0].hostnam: '),
      fix: expect.stringContaining('Correct these lines'),
    });
    rmSync(file);
    expect(await reset()).toMatchObject({
      status: 422,
      code: 'seed_unreadable',
      message: expect.stringContaining('seed.yaml cannot be read'),
      fix: 'Check that the file exists and is readable.',
    });
    expect(await everything(underTest)).toEqual(before);
  });

  test('a seed that fails halfway changes nothing', async () => {
    await using underTest = await emulatorUnderTest();
    const before = await everything(underTest);
    const { status, body } = await underTest.control('POST /seed', {
      account: { plan: 'free' },
      apps: [{ name: 'Other' }],
      domains: [
        { hostname: 'a.acme.com', status: 'active' },
        { hostname: 'b.acme.com', app: 'Nobody' },
      ],
    });
    expect(status).toBe(422);
    expect(body.error.status_detail['fields']).toMatchObject([{ path: 'domains.1.app' }]);
    expect(await everything(underTest)).toEqual(before);
  });
});

describe('a seed file that changes is applied again', () => {
  test.each(['written over', 'replaced'])(
    'the emulator applies the seed file after it was %s',
    async (how) => {
      writeFileSync(file, 'domains: [{ hostname: careers.acme.com, status: active }]');
      await using underTest = await emulatorUnderTest({ seed: file });
      const draft = path.join(folder, 'draft');
      const target = how === 'replaced' ? draft : file;
      writeFileSync(target, 'domains: [{ hostname: careers.acme.com, status: held }]');
      if (how === 'replaced') renameSync(draft, file);
      await expect.poll(async () => (await domains(underTest))[0]?.status, POLL).toBe('held');
    },
  );

  test('a mistake in the changed file causes a warning with the line, and changes nothing', async () => {
    writeFileSync(file, 'domains: [{ hostname: careers.acme.com, status: active }]');
    await using underTest = await emulatorUnderTest({ seed: file });
    writeFileSync(file, 'domains:\n  - { hostname: new.acme.com }\n  - { hostname: 1.2.3.4 }\n');
    await expect.poll(() => underTest.logged.join(), POLL).toMatch(/seed\.yaml:3: domains\[1\]\.hostname: /);
    expect(await domains(underTest)).toMatchObject([{ hostname: 'careers.acme.com' }]);
  });
});

const POLL = { interval: 20 };

test('the emulator serves the JSON Schema of seeds, and the published copy is up to date', async () => {
  await using underTest = await emulatorUnderTest();
  const { body } = await underTest.control('GET /seed.schema.json');
  expect(body).toEqual(seedJsonSchema());
  const published = readFileSync(
    path.resolve(import.meta.dirname, '../../../shared/docs/seed.schema.json'),
    'utf8',
  );
  expect(JSON.parse(published), 'to update shared/docs/seed.schema.json: npm run seed-schema').toEqual(
    seedJsonSchema(),
  );
});
