import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../connect/chromium.ts';
import { dashboardUnderTest, type TestBrowser } from './dashboard-under-test.ts';
import { AT_LOCALHOST, PASSKEY_REFUSED, refusal, signed, withPasskey } from './passkey-owner.ts';
import { openAuthenticator, type PasskeyResponse } from './virtual-authenticator.ts';

const MINUTE_MS = 60_000;

let chromium: Browser | null;

beforeAll(async () => {
  chromium = await launchChromium();
});

afterAll(() => chromium?.close());

test('the challenge of a passkey sign-in works once, for five minutes, and only in the browser that requested it', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  const [home, away, late] = [dashboard.browser(), dashboard.browser(), dashboard.browser()];
  const response = await signed(home, authenticator);
  await away.send('POST /sign-in/passkeys/options', {});
  expect(await refusal(away, response)).toEqual(PASSKEY_REFUSED);
  expect(await refusal(dashboard.browser(), response)).toEqual(PASSKEY_REFUSED);
  const cookies = new Map(home.cookies);
  expect((await home.send('POST /sign-in/passkeys', { response })).status).toBe(200);
  for (const [name, value] of cookies) away.cookies.set(name, value);
  expect(await refusal(away, response)).toEqual(PASSKEY_REFUSED);
  const old = await signed(late, authenticator);
  await dashboard.composition.time.advance({ by_ms: 5 * MINUTE_MS });
  expect(await refusal(late, old)).toEqual(PASSKEY_REFUSED);
});

test('the challenge of a passkey sign-in is used up even if the response is refused', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  const browser = dashboard.browser();
  const good = await signed(browser, authenticator);
  const forged = withPart(good, 'signature', (bytes) => bytes.fill(1, 10, 20));
  expect(await refusal(browser, forged)).toEqual(PASSKEY_REFUSED);
  expect(await refusal(browser, good)).toEqual(PASSKEY_REFUSED);
});

test('a page of another origin cannot use a passkey of the dashboard, even if its host is the same', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  await using other = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null || chromium === null) return t.skip();
  await using authenticator = made.authenticator;
  await using foreign = await openAuthenticator(chromium, `${other.url}/dashboard`);
  await foreign.importCredentials(await authenticator.exportCredentials());
  const browser = dashboard.browser();
  const response = await signed(browser, foreign);
  expect(originOf(response)).toBe(other.url);
  expect(await refusal(browser, response)).toEqual(PASSKEY_REFUSED);
  const options = (await made.owner.send('POST /passkeys/options', {})).body;
  const created = await foreign.create({ ...options, excludeCredentials: [] });
  const added = await made.owner.send('POST /passkeys', { name: 'Foreign', response: created });
  expect([added.status, added.body.error.code]).toEqual(PASSKEY_REFUSED);
  expect(dashboard.reasons).toEqual([
    expect.stringMatching('response origin'),
    expect.stringMatching('response origin'),
  ]);
});

test('a passkey that did not verify the person is refused', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  await authenticator.setVerified(false);
  const browser = dashboard.browser();
  const response = await signed(browser, authenticator, { userVerification: 'discouraged' });
  expect(await refusal(browser, response)).toEqual(PASSKEY_REFUSED);
  expect(dashboard.reasons).toEqual(['User verification required, but user could not be verified']);
});

test('a copied authenticator is refused once the original has sent a higher counter', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  const copy = await authenticator.exportCredentials();
  const browser = dashboard.browser();
  for (let count = 0; count < 2; count++) {
    const response = await signed(browser, authenticator);
    expect((await browser.send('POST /sign-in/passkeys', { response })).status).toBe(200);
  }
  await authenticator.importCredentials(copy);
  expect(await refusal(browser, await signed(browser, authenticator))).toEqual(PASSKEY_REFUSED);
  expect(dashboard.reasons).toEqual([expect.stringMatching('counter value')]);
});

test('forged fields of a passkey response are refused without an internal error', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null) return t.skip();
  await using authenticator = made.authenticator;
  await dashboard.signedIn('viewer', 'eve@example.com');
  const forgeries: ((good: PasskeyResponse) => unknown)[] = [
    (good) => withPart(good, 'authenticatorData', (bytes) => bytes.fill(0, 0, 32)),
    (good) => withPart(good, 'authenticatorData', (bytes) => bytes.subarray(0, 20)),
    (good) => withPart(good, 'userHandle', (bytes) => bytes.fill(7)),
    (good) => ({ ...good, response: { ...good.response, userHandle: null } }),
    (good) => ({ ...good, id: 'AAAA', rawId: 'AAAA' }),
    (good) => ({ ...good, rawId: 'AAAA' }),
    (good) => withPart(good, 'clientDataJSON', (bytes) => Buffer.from(`${bytes} `)),
    (good) => withPart(good, 'clientDataJSON', (bytes) => Buffer.from(`${bytes}`.replace('.get', '.create'))),
    (good) => withPart(good, 'clientDataJSON', () => Buffer.from('not JSON')),
    (good) => withPart(good, 'clientDataJSON', () => Buffer.from('null')),
    (good) => withPart(good, 'clientDataJSON', () => Buffer.from('{"challenge":{}}')),
  ];
  for (const [index, forge] of forgeries.entries()) {
    const browser = dashboard.browser();
    const response = forge(await signed(browser, authenticator));
    expect([index, ...(await refusal(browser, response))]).toEqual([index, ...PASSKEY_REFUSED]);
  }
  const browser = dashboard.browser();
  for (const response of [null, {}, { id: '\0' }, { id: 'x'.repeat(2000) }]) {
    expect((await refusal(browser, response))[0]).toBe(422);
  }
});

test('a new passkey is refused if it is made for another person, in another browser, or with a certificate', async (t) => {
  await using dashboard = await dashboardUnderTest({}, AT_LOCALHOST);
  const made = await withPasskey(dashboard, chromium);
  if (made === null || chromium === null) return t.skip();
  await using first = made.authenticator;
  await using authenticator = await openAuthenticator(chromium, `${dashboard.url}/dashboard`);
  const eve = await dashboard.signedIn('viewer', 'eve@example.com');
  const { owner } = made;
  const begun = async () => authenticator.create((await owner.send('POST /passkeys/options', {})).body);
  const add = async (browser: TestBrowser, response: unknown) => {
    const { status, body } = await browser.send('POST /passkeys', { name: 'New', response });
    return [status, body.error?.code];
  };
  const response = await begun();
  expect(await add(eve, response)).toEqual(PASSKEY_REFUSED);
  eve.cookies.set('__Host-sign-in', owner.cookies.get('__Host-sign-in') ?? '');
  expect(await add(eve, response)).toEqual(PASSKEY_REFUSED);
  await authenticator.importCredentials([]);
  expect(await add(owner, withCertificate(await begun()))).toEqual(PASSKEY_REFUSED);
  expect(dashboard.reasons).toEqual(['an attestation of the format packed was not asked for']);
  await authenticator.importCredentials([]);
  expect(await add(owner, await begun())).toEqual([201, undefined]);
  // The service reads the credential id from the signed data, not from the field beside it. So Eve cannot register another person's
  // credential.
  const options = (await eve.send('POST /passkeys/options', {})).body;
  const [known] = (await first.exportCredentials()) as [{ credentialId: string }];
  const id = Buffer.from(known.credentialId, 'base64').toString('base64url');
  const own = await authenticator.create(options);
  expect(await add(eve, { ...own, id, rawId: id })).toEqual(PASSKEY_REFUSED);
});

function originOf({ response }: PasskeyResponse): string {
  return JSON.parse(Buffer.from(response['clientDataJSON'] ?? '', 'base64url').toString()).origin;
}

/** Returns a passkey's response with one part changed. */
function withPart(
  made: PasskeyResponse,
  name: string,
  change: (bytes: Buffer) => Uint8Array,
): PasskeyResponse {
  const bytes = change(Buffer.from(made.response[name] ?? '', 'base64url'));
  return {
    ...made,
    response: { ...made.response, [name]: Buffer.from(bytes).toString('base64url') },
  };
}

/** Replaces the attestation `none` by `packed` with a certificate. WebAuthn section 6.5.4 defines the CBOR keys. */
function withCertificate(made: PasskeyResponse): PasskeyResponse {
  const plain = Buffer.concat([Buffer.from('\x64none\x67attStmt'), Buffer.from([0xa0])]).toString('latin1');
  const packed = Buffer.concat([
    Buffer.from('\x66packed\x67attStmt'),
    Buffer.from([0xa1, 0x63]),
    Buffer.from('x5c'),
    Buffer.from([0x81, 0x41, 0x00]),
  ]).toString('latin1');
  return withPart(made, 'attestationObject', (bytes) => {
    const text = bytes.toString('latin1');
    expect(text).toContain(plain);
    return Buffer.from(text.replace(plain, packed), 'latin1');
  });
}
