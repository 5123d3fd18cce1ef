import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

let underTest: EmulatorUnderTest;

beforeEach(async () => {
  underTest = await emulatorUnderTest();
});
afterEach(() => underTest[Symbol.asyncDispose]());

function live(call: string, body?: unknown) {
  return underTest.api(call, body, underTest.emulator.keys.live);
}

async function add(count: number): Promise<string[]> {
  const codes: string[] = [];
  for (let i = 0; i < count; i++) {
    const { status, body } = await live('POST /domains', { hostname: `d${i}.acme.com` });
    codes.push(status === 201 ? 'created' : body.error.code);
  }
  return codes;
}

describe('PATCH /account changes the account of the default app', () => {
  test('the default account is 30 days old, has the plan scale and a card, and no new-account limits', async () => {
    const { body } = await underTest.control('PATCH /account', {});
    expect(body).toMatchObject({
      plan: 'scale',
      trial_ends_at: null,
      card_on_file: true,
      suspended: false,
    });
    const now = Date.parse((await underTest.control('GET /clock')).body.now);
    expect(now - Date.parse(body.created_at)).toBe(30 * 24 * 3_600_000);
    expect(await add(12)).toEqual(Array(12).fill('created'));
  });

  test('a given plan changes the domain limit and the features of the account', async () => {
    await underTest.control('PATCH /account', { plan: 'free', promotional: true });
    expect(await add(4)).toEqual(['created', 'created', 'created', 'domain_limit_reached']);
    const { status, body } = await live('POST /domains', { hostname: 'one-more.acme.com' });
    expect(status).toBe(422);
    expect(body.error.status_detail).toMatchObject({ plan: 'free', used: 3, limit: 3 });
    expect(await live('PATCH /apps/current', { whitelabel_host: 'edge.acme.com' })).toMatchObject({
      status: 403,
      body: { error: { code: 'plan_required' } },
    });
  });

  test('a free account has no live keys without a card', async () => {
    await underTest.control('PATCH /account', { plan: 'free', promotional: false, card_on_file: false });
    const { status, body } = await live('POST /keys', { name: 'ci', mode: 'live' });
    expect({ status, code: body.error.code }).toEqual({ status: 402, code: 'live_keys_need_plan' });
  });

  test('a trial without a card gets card_required, and ends when the clock passes its end', async () => {
    const { now } = (await underTest.control('GET /clock')).body;
    const trialEndsAt = new Date(Date.parse(now) + 86_400_000).toISOString();
    await underTest.control('PATCH /account', {
      plan: 'free',
      trial_ends_at: trialEndsAt,
      card_on_file: false,
    });
    expect((await live('POST /keys', { name: 'ci', mode: 'live' })).body.error.code).toBe('card_required');
    await underTest.control('POST /clock/advance', { by: '24h' });
    expect((await live('POST /keys', { name: 'ci', mode: 'live' })).body.error.code).toBe(
      'live_keys_need_plan',
    );
  });

  test('a new account may add ten domains in its first 24 hours', async () => {
    const { now } = (await underTest.control('GET /clock')).body;
    await underTest.control('PATCH /account', { created_at: now });
    expect((await add(11)).at(-1)).toBe('domain_limit_reached');
    await underTest.control('POST /clock/advance', { by: '24h' });
    expect((await live('POST /domains', { hostname: 'd10.acme.com' })).status).toBe(201);
  });

  test('a suspended account can read, but can change nothing', async () => {
    expect((await live('GET /apps/current')).status).toBe(200);
    await underTest.control('PATCH /account', { suspended: true });
    expect(await live('POST /domains', { hostname: 'careers.acme.com' })).toMatchObject({
      status: 403,
      body: { error: { code: 'account_suspended' } },
    });
    expect((await live('GET /domains')).status).toBe(200);
    await underTest.control('PATCH /account', { suspended: false });
    expect((await live('POST /domains', { hostname: 'careers.acme.com' })).status).toBe(201);
  });

  test.each([{ plan: 'gold' }, { suspended: 'yes' }, { created_at: 'yesterday' }, { name: 'Acme' }])(
    'the request is refused with 422 and changes nothing if the body is %j',
    async (body) => {
      const before = (await underTest.control('PATCH /account', {})).body;
      expect((await underTest.control('PATCH /account', body)).status).toBe(422);
      expect((await underTest.control('PATCH /account', {})).body).toEqual(before);
    },
  );
});

describe('POST /apps of the emulator creates an app in a new account', () => {
  test('the new app and the default app cannot see the domains of each other', async () => {
    const { status, body } = await underTest.control('POST /apps', { name: 'Other' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      app: { name: 'Other' },
      test_key: expect.stringMatching(/^sk_test_/),
      live_key: expect.stringMatching(/^sk_live_/),
    });
    const mine = (await underTest.api('POST /domains', { hostname: 'careers.acme.com' })).body;
    const theirs = (await underTest.api('POST /domains', { hostname: 'jobs.acme.com' }, body.test_key)).body;
    expect((await underTest.api(`GET /domains/${mine.id}`, undefined, body.test_key)).status).toBe(404);
    expect((await underTest.api(`GET /domains/${theirs.id}`)).status).toBe(404);
    expect((await underTest.api('GET /domains')).body.data.map(({ id }) => id)).toEqual([mine.id]);
    const current = (await underTest.api('GET /apps/current', undefined, body.test_key)).body;
    expect(current.id).toBe(body.app.id);
  });

  test('accepts the plan of the new account', async () => {
    const { body } = await underTest.control('POST /apps', { name: 'Small', plan: 'free' });
    const answers = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const hostname = `${name}.small.com`;
      answers.push((await underTest.api('POST /domains', { hostname }, body.live_key)).status);
    }
    expect(answers).toEqual([201, 201, 201, 422]);
  });

  test.each([{}, { name: '' }, { name: 'x'.repeat(81) }, { name: 'x', plan: 'gold' }])(
    'the request is refused with 422 if the body is %j',
    async (body) => {
      expect((await underTest.control('POST /apps', body)).status).toBe(422);
    },
  );
});

describe('PATCH /apps/{id}/whitelabel sets the record that lookups of the white-label host find', () => {
  const app = async () => (await live('GET /apps/current')).body;

  test('the host becomes verified, unverified, or broken with 72 hours of grace, depending on the record', async () => {
    const set = (await live('PATCH /apps/current', { whitelabel_host: 'edge.acme.com' })).body;
    expect(set).toMatchObject({
      whitelabel_verified: false,
      whitelabel_status_reason: 'whitelabel_unverified',
    });
    const found = (value: string | null) =>
      underTest.control(`PATCH /apps/${set.id}/whitelabel`, { found: value });

    expect((await found('elsewhere.example')).body).toMatchObject({
      whitelabel_verified: false,
      whitelabel_found: 'elsewhere.example',
    });
    expect((await found(String(set['whitelabel_target']))).body).toMatchObject({
      whitelabel_verified: true,
      whitelabel_status_reason: null,
      whitelabel_found: null,
    });
    const { id, dns } = (await live('POST /domains', { hostname: 'careers.acme.com' })).body;
    expect(dns).toMatchObject({ cname: { value: 'edge.acme.com' } });
    await underTest.control('POST /clock/advance', { until: 'idle' });

    const broken = (await found(null)).body;
    const now = Date.parse((await underTest.control('GET /clock')).body.now);
    expect(Date.parse(String(broken['whitelabel_grace_ends_at'])) - now).toBe(72 * 3_600_000);
    await underTest.control('POST /clock/advance', { by: '71h59m' });
    expect((await live(`GET /domains/${id}`)).body.status).toBe('active');
    await underTest.control('POST /clock/advance', { by: '1m' });
    expect(await app()).toMatchObject({ whitelabel_verified: false, whitelabel_grace_ends_at: null });
  });

  test('an unknown app gets 404, and a request without a host or a value gets 422', async () => {
    const { id } = await app();
    const found = 'x.example';
    expect((await underTest.control('PATCH /apps/app_nothing/whitelabel', { found })).status).toBe(404);
    expect((await underTest.control(`PATCH /apps/${id}/whitelabel`, { found })).status).toBe(422);
    expect((await underTest.control(`PATCH /apps/${id}/whitelabel`, {})).status).toBe(422);
  });
});
