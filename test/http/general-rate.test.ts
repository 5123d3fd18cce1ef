import { expect, test } from 'vitest';
import type { AccountId, AppId, KeyId } from '../../shared/core/ids.ts';
import { createGeneralRate } from '../../shared/http/general-rate.ts';
import type { Caller } from '../../shared/operations/context.ts';

const RATES = { rate: { perSecond: 2, burst: 4 }, appRate: { perSecond: 3, burst: 6 } };

function callerOf(app: string, key: string, account = `acc_${app}`): Caller {
  const ids = { app_id: app as AppId, account_id: account as AccountId, key_id: key as KeyId };
  return { ...ids, mode: 'test', idempotency: null };
}

function rateUnderTest(rates: Parameters<typeof createGeneralRate>[0] = RATES) {
  const clock = { ms: 0, now: () => clock.ms };
  const rate = createGeneralRate(rates, clock);
  /** @returns how many requests of all keys together are allowed if each key sends `each` requests. */
  const allowed = (app: string, keys: string[], each: number) =>
    keys
      .flatMap((key) => Array.from({ length: each }, () => rate.take(callerOf(app, key)).state.allowed))
      .filter(Boolean).length;
  return { clock, rate, allowed };
}

test("the general rate limits all keys of an app together to the app's rate, and each app separately", () => {
  const { clock, allowed } = rateUnderTest();
  const keys = Array.from({ length: 40 }, (_, n) => `key_${n}`);
  expect(allowed('a', keys, 10)).toBe(6);
  expect(allowed('b', ['key_b'], 10)).toBe(4);
  clock.ms += 1_000;
  expect(allowed('a', keys, 10)).toBe(3);
});

test("the general rate limits all apps of an account together to the account's rate, and each account separately", () => {
  const { rate } = rateUnderTest();
  const allowed = (account: string, apps: number) =>
    Array.from({ length: apps * 10 }, (_, n) => rate.take(callerOf(`${account}${n % apps}`, `${n}`, account)))
      .map(({ state }) => state.allowed)
      .filter(Boolean).length;
  expect(allowed('flood', 40)).toBe(12);
  expect(allowed('calm', 1)).toBe(6);
});

test("the general rate leaves room for an app's other keys if one key sends too many requests", () => {
  const { allowed } = rateUnderTest();
  expect(allowed('a', ['runs-away'], 1_000)).toBe(4);
  expect(allowed('a', ['other'], 2)).toBe(2);
});

test('the general rate names all its limits in the headers, but in a refusal only the limit that was exceeded', () => {
  const { rate, allowed } = rateUnderTest();
  expect(rate.policy).toBe('"api";q=2;w=1, "app";q=3;w=1, "account";q=6;w=1');
  expect(rate.take(callerOf('a', 'key_1')).header).toBe('"api";r=3;t=1, "app";r=5;t=1, "account";r=11;t=1');
  allowed('a', ['key_2', 'key_3'], 4);
  const refused = rate.take(callerOf('a', 'key_4'));
  expect(refused.header).toBe('"api";r=3;t=1, "app";r=0;t=2');
  expect(refused.state).toMatchObject({ allowed: false, retry_after_s: 1 });
  allowed('a', ['key_1'], 4);
  expect(rate.take(callerOf('a', 'key_2')).header).toBe('"api";r=0;t=2');
});

test('the general rate has limits only for keys if no rate is set for apps', () => {
  const { rate, allowed } = rateUnderTest({ ...RATES, appRate: null });
  expect(rate.policy).toBe('"api";q=2;w=1');
  expect(allowed('a', ['1', '2', '3'], 10)).toBe(12);
});
