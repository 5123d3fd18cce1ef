import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../shared/core/errors.ts';
import { type Answered, type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

const HOSTNAME = 'careers.acme.com';
const TRIAL = { plan: 'free', trial_ends_at: '2999-01-01T00:00:00Z', card_on_file: false };

/**
 * A way to cause each error code of `docs/api.md#errors` in the emulator, as in production. The compiler checks that no code is missing.
 */
const WAYS: Record<ErrorCode, (underTest: EmulatorUnderTest) => Promise<Answered>> = {
  invalid_request: ({ api }) => api('POST /domains', [HOSTNAME]),
  unauthorized: ({ api }) => api('GET /domains', undefined, 'sk_test_revoked'),
  card_required: async (underTest) => {
    await underTest.control('PATCH /account', TRIAL);
    return liveKey(underTest);
  },
  live_keys_need_plan: async (underTest) => {
    await underTest.control('PATCH /account', { ...TRIAL, trial_ends_at: null });
    return liveKey(underTest);
  },
  card_declined: forced('card_declined'),
  forbidden: ({ api }) => api('POST /apps/current/signing-secret/rotate'),
  account_suspended: async ({ api, control }) => {
    await control('PATCH /account', { suspended: true });
    return api('POST /domains', { hostname: HOSTNAME });
  },
  plan_required: async ({ api, control }) => {
    await control('PATCH /account', { plan: 'free' });
    return api('PATCH /apps/current', { whitelabel_host: 'connect.acme.com' });
  },
  not_found: ({ api }) => api('GET /domains/dom_1'),
  idempotency_key_in_use: forced('idempotency_key_in_use'),
  payload_too_large: ({ api }) => api('POST /domains', { hostname: 'a'.repeat(101 * 1024) }),
  validation_failed: named('validation-failed'),
  idempotency_key_reused: async ({ emulator }) => {
    await withIdempotencyKey(emulator, HOSTNAME);
    return withIdempotencyKey(emulator, `other.${HOSTNAME}`);
  },
  invalid_hostname: named('invalid-hostname'),
  hostname_is_service: named('hostname-is-service'),
  hostname_is_public_suffix: named('hostname-is-public-suffix'),
  hostname_held: async ({ api, control }) => {
    await control('POST /holds', { hostname: '*.acme.com' });
    return api('POST /domains', { hostname: HOSTNAME });
  },
  domain_limit_reached: named('limit-reached'),
  origin_not_allowed: named('origin-not-allowed'),
  rate_limited: chaos('rate_limited'),
  internal_error: chaos('internal_error'),
  billing_unavailable: forced('billing_unavailable'),
  service_unavailable: forced('service_unavailable'),
  database_unavailable: forced('database_unavailable'),
};

test.each(Object.entries(WAYS))('the error %s can be provoked at the emulator', async (code, provoke) => {
  await using underTest = await emulatorUnderTest();
  const { status, body, headers } = await provoke(underTest);
  expect({ status, code: body.error.code }).toEqual({ status: ERRORS[code as ErrorCode].status, code });
  expect(body.error).toMatchObject({ message: expect.any(String), fix: expect.any(String) });
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  expect(
    headers.has('retry-after'),
    'errors with 409, 429 and 503 need retry_after_s in shared/schema/openapi/error-example.ts',
  ).toBe([409, 429, 503].includes(status));
  expect('request_id' in body.error).toBe(code === 'internal_error');
});

test.each(Object.keys(ERRORS) as ErrorCode[])(
  'a forced error %s has the status, data and headers of the real error',
  async (code) => {
    await using underTest = await emulatorUnderTest();
    const real = await WAYS[code](underTest);
    const byForce = await forced(code)(underTest);
    expect(shapeOf(byForce)).toEqual(shapeOf(real));
  },
);

/** Returns the names and types of the fields in an error response, without the values that vary. */
function shapeOf({ status, body: { error }, headers }: Answered) {
  const { code, status_detail } = error;
  const fields = Object.keys(error).toSorted();
  return { status, code, fields, detail: typesOf(status_detail), retries: headers.has('retry-after') };
}

function typesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(typesOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, typesOf(each)]));
}

function named(label: string) {
  return ({ api }: EmulatorUnderTest) => api('POST /domains', { hostname: `${label}.acme.com` });
}

function forced(code: ErrorCode) {
  return async ({ api, emulator }: EmulatorUnderTest) => {
    emulator.failNext({ code });
    return api('GET /domains');
  };
}

function chaos(fault: 'rate_limited' | 'internal_error') {
  return async ({ api, emulator }: EmulatorUnderTest) => {
    emulator.chaos({ api: { [fault]: 1 } });
    return api('GET /domains');
  };
}

function liveKey({ api, emulator }: EmulatorUnderTest): Promise<Answered> {
  return api('POST /keys', { name: 'ci', mode: 'live' }, emulator.keys.live);
}

async function withIdempotencyKey(
  { url, keys }: EmulatorUnderTest['emulator'],
  hostname: string,
): Promise<Answered> {
  const response = await fetch(`${url}/v1/domains`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.test}`,
      'content-type': 'application/json',
      'idempotency-key': 'one',
    },
    body: JSON.stringify({ hostname }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Answered['body'],
    headers: response.headers,
  };
}
