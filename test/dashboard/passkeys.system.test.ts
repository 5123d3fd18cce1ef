import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../shared/core/accounts/session.ts';
import { removeMember } from '../../shared/operations/members/change-members.ts';
import { beginPasskey, finishPasskey } from '../../shared/operations/members/own-passkeys.ts';
import type { CreationResponse, Passkeys } from '../../shared/ports/accounts.ts';
import { listPasskeys } from '../../shared/store/accounts/passkeys.ts';
import { insertSession } from '../../shared/store/accounts/sessions.ts';
import { autocommit } from '../../shared/store/store.ts';
import { launchChromium } from '../connect/chromium.ts';
import { dashboardUnderTest } from './dashboard-under-test.ts';
import { AT_LOCALHOST, PASSKEY_REFUSED, refusal, signed, withPasskey } from './passkey-owner.ts';

const MINUTE_MS = 60_000;

let chromium: Browser | null;

beforeAll(async () => {
  chromium = await launchChromium();
});

afterAll(() => chromium?.close());

test("a passkey signs a person in without an address, and replaces the browser's session", async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  expect(made.added.status).toBe(201);
  expect(made.added.body).toMatchObject({ name: 'Laptop', last_used_at: null });
  await dashboard.composition.time.advance({ by_ms: 11 * MINUTE_MS });
  const before = made.owner.cookies.get('__Host-session');
  const { status, body } = await made.owner.send('POST /sign-in/passkeys', {
    response: await signed(made.owner, authenticator),
  });
  expect([status, body.mail, body.is_recent, body.sign_in.passkey]).toEqual([
    200,
    'ada@example.com',
    true,
    true,
  ]);
  expect(made.owner.cookies.get('__Host-session')).not.toBe(before);
  const thief = dashboard.browser();
  thief.cookies.set('__Host-session', before ?? '');
  expect((await thief.send('GET /session')).body.mail).toBeNull();
  const { data } = (await made.owner.send('GET /passkeys')).body;
  expect(data).toMatchObject([{ id: made.added.body.id, name: 'Laptop' }]);
  expect(data[0].last_used_at).not.toBeNull();
  expect((await dashboard.audit()).map(({ actor, action }) => `${actor} ${action}`).slice(0, 2)).toEqual([
    'ada@example.com member.sign_in',
    'ada@example.com member.passkey_add',
  ]);
});

test('a browser signs in with a passkey from a real page, with its own cookies', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  const { page } = authenticator;
  const post = (path: string, body: unknown) =>
    page.evaluate(
      async ([url, text]) => {
        const response = await fetch(url ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text ?? '',
        });
        return (await response.json()) as Record<string, unknown>;
      },
      [`/dashboard/api${path}`, JSON.stringify(body)],
    );
  const response = await authenticator.sign(await post('/sign-in/passkeys/options', {}));
  expect((await post('/sign-in/passkeys', { response }))['mail']).toBe('ada@example.com');
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, sameSite }) => [name, sameSite])).toEqual([
    ['__Host-session', 'Strict'],
    ['__Host-known', 'Strict'],
  ]);
});

test('an authenticator can have only one passkey of the same person', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  const options = (await made.owner.send('POST /passkeys/options', {})).body;
  expect(options.excludeCredentials).toHaveLength(1);
  await expect(authenticator.create(options)).rejects.toThrow('InvalidStateError');
});

test('a removed passkey cannot sign in', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  const eve = await dashboard.signedIn('viewer', 'eve@example.com');
  const path = `DELETE /passkeys/${made.added.body.id}`;
  expect((await eve.send(path)).status).toBe(404);
  expect((await made.owner.send(path)).status).toBe(204);
  expect((await made.owner.send('GET /passkeys')).body.data).toEqual([]);
  const browser = dashboard.browser();
  expect(await refusal(browser, await signed(browser, authenticator))).toEqual(PASSKEY_REFUSED);
});

test('adding or removing a passkey requires a sign-in within the last ten minutes', async () => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const owner = await dashboard.signedIn('owner');
  await dashboard.composition.time.advance({ by_ms: 10 * MINUTE_MS });
  for (const call of ['POST /passkeys/options', 'DELETE /passkeys/pky_1']) {
    const { status, body } = await owner.send(call, {});
    expect([call, status, body.error.code]).toEqual([call, 403, 'sign_in_again']);
  }
  for (const call of ['GET /passkeys', 'POST /passkeys/options', 'DELETE /passkeys/pky_1']) {
    expect([call, (await dashboard.browser().send(call)).status]).toEqual([call, 401]);
  }
});

test('a passkey of a person without an account is refused if sign-up is by invitation, unless the person is an operator', async (t) => {
  for (const settings of [
    { signUp: 'invite' },
    { signUp: 'open' },
    { signUp: 'invite', operators: ['ada@example.com'] },
  ] as const) {
    await using dashboard = await dashboardUnderTest(settings, AT_LOCALHOST);
    await dashboard.signedIn('owner');
    const made = await withPasskey(dashboard, chromium);
    if (made === null) return t.skip();
    await using authenticator = made.authenticator;
    const { id } = dashboard.account.account;
    const { data } = (await made.owner.send(`GET /accounts/${id}/members`)).body;
    const own = data.find((each: { is_you: boolean }) => each.is_you);
    await removeMember(dashboard.context, 'test', id, own.id);
    const browser = dashboard.browser();
    const answer = await browser.send('POST /sign-in/passkeys', {
      response: await signed(browser, authenticator),
    });
    if ('operators' in settings) expect([answer.status, answer.body.mail]).toEqual([200, 'ada@example.com']);
    else if (settings.signUp === 'open') expect([answer.status, answer.body.accounts]).toEqual([200, []]);
    else expect([answer.status, answer.body.error.code]).toEqual([403, 'not_invited']);
  }
});

test('sign-ins with passkeys are limited for each network', async () => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const browser = dashboard.browser();
  const statuses = new Set<number>();
  for (let count = 0; count < 300; count++) {
    statuses.add((await browser.send('POST /sign-in/passkeys/options', {})).status);
  }
  expect([...statuses]).toEqual([200]);
  const { status, headers } = await browser.send('POST /sign-in/passkeys/options', {});
  expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
});

test('a person has at most twenty passkeys', async () => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const owner = await dashboard.signedIn('owner');
  const { db } = autocommit(dashboard.context.store);
  for (let count = 0; count < 20; count++) {
    const row = { mail: 'owner@example.com', name: 'Key', user_handle: 'h', public_key: 'k', counter: 0 };
    const times = { created_at: 0, last_used_at: null, transports: '[]' };
    const ids = { id: dashboard.context.ids('pky'), credential_id: `c${count}` };
    await db
      .insertInto('passkeys')
      .values({ ...row, ...times, ...ids })
      .execute();
  }
  const { status, body } = await owner.send('POST /passkeys/options', {});
  expect([status, body.error.code]).toEqual([409, 'too_many']);
});

test('if a person adds several passkeys at the same time, the service stores only as many as the limit allows', async () => {
  await using dashboard = await dashboardUnderTest();
  const { context } = dashboard;
  const now = context.clock.now();
  const session: Session = {
    id: context.ids('ses'),
    mail: 'ada@example.com',
    user_agent: '',
    created_at: now,
    signed_in_at: now,
    last_seen_at: now,
  };
  await insertSession(autocommit(context.store), session, 'hash of the cookie');
  // Replaces the verification of passkeys: every response is valid. Records the challenges.
  const challenges: Uint8Array[] = [];
  const passkeys: Passkeys = {
    creationOptions: async ({ challenge }) => ({ number: challenges.push(challenge) }),
    requestOptions: async () => ({}),
    verifyCreation: async ({ id }) => ({ ok: true, credential_id: id, public_key: 'k', counter: 0 }),
    verifySignature: async () => ({ ok: false, problem: 'unused' }),
  };
  for (let count = 0; count < 22; count++) await beginPasskey(context, passkeys, session, 'browser');
  const finished = await Promise.allSettled(
    challenges.map((challenge, index) => {
      const client = { type: 'webauthn.create', challenge: Buffer.from(challenge).toString('base64url') };
      const clientDataJSON = Buffer.from(JSON.stringify(client)).toString('base64url');
      const id = `c${index}`;
      const response = {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject: '' },
      };
      return finishPasskey(context, passkeys, session, {
        name: id,
        response: response as CreationResponse,
        browserToken: 'browser',
      });
    }),
  );
  const refused = finished.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
  expect(refused).toEqual(['too_many', 'too_many']);
  expect(await listPasskeys(context.store, session.mail)).toHaveLength(20);
});

test('at an IP address instead of a hostname, the dashboard offers no passkeys', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  expect((await owner.send('GET /session')).body.sign_in.passkey).toBe(false);
  for (const call of ['GET /passkeys', 'POST /passkeys/options', 'POST /sign-in/passkeys/options']) {
    expect([call, (await owner.send(call, call.startsWith('GET') ? undefined : {})).status]).toEqual([
      call,
      404,
    ]);
  }
});
