import { afterEach, beforeEach, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../shared/core/errors.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { errorExample } from '../../../shared/schema/openapi/error-example.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

let underTest: EmulatorUnderTest;

beforeEach(async () => {
  underTest = await emulatorUnderTest();
});
afterEach(() => underTest[Symbol.asyncDispose]());

function force(body: object) {
  return underTest.control('PUT /errors', body);
}

async function codeOf(call: string, body?: unknown): Promise<string | number> {
  const answer = await underTest.api(call, body);
  return answer.body?.error?.code ?? answer.status;
}

test.each(Object.entries(ERRORS))(
  'the emulator can be forced to respond with %s, with its status and its envelope',
  async (code, row) => {
    expect((await force({ code, times: 1 })).status).toBe(200);
    const { status, body, headers } = await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
    expect(status).toBe(row.status);
    const settings = { names: serviceNames('Service'), docsUrl: `${underTest.emulator.url}/docs` };
    const { error } = errorExample(code as ErrorCode, settings);
    expect(body.error).toEqual({ ...error, ...(error.request_id && { request_id: expect.any(String) }) });
    expect(headers.has('retry-after')).toBe([409, 429, 503].includes(row.status));
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect((await underTest.api('GET /domains')).body.data).toEqual([]);
  },
);

test('the emulator forces an error as often as requested, and once by default', async () => {
  await force({ code: 'card_declined', times: 3 });
  expect(await Promise.all([1, 2, 3, 4].map(() => codeOf('GET /domains')))).toEqual([
    'card_declined',
    'card_declined',
    'card_declined',
    200,
  ]);
  await force({ code: 'card_declined' });
  expect([await codeOf('GET /domains'), await codeOf('GET /domains')]).toEqual(['card_declined', 200]);
});

test.each([
  ['/v1/domains', ['GET /domains', 'POST /domains', 'GET /domains/dom_1', 'POST /domains/dom_1/verify']],
  ['/v1/domains/', ['GET /domains', 'GET /domains?limit=1', 'DELETE /domains/dom_1']],
  ['/v1/domains/dom_1', ['GET /domains/dom_1', 'PATCH /domains/dom_1']],
  ['/v1', ['GET /apps/current', 'GET /keys']],
  ['/', ['GET /apps/current', 'GET /keys']],
])(
  'an error that is forced at the path %s applies to the path itself and the paths below',
  async (path, calls) => {
    await force({ code: 'billing_unavailable' satisfies ErrorCode, path, times: calls.length });
    for (const call of calls) {
      const body = /^(POST|PATCH)/.test(call) ? {} : undefined;
      expect([call, await codeOf(call, body)]).toEqual([call, 'billing_unavailable']);
    }
  },
);

test('an error that is forced at a path does not apply to another path that begins with the same text', async () => {
  await force({ code: 'internal_error', path: '/v1/domains/dom_1', times: 5 });
  await force({ code: 'internal_error', path: '/v1/key', times: 5 });
  await force({ code: 'internal_error', path: '/V1/EVENTS', times: 5 });
  for (const call of [
    'GET /domains',
    'GET /domains/dom_12',
    'GET /keys',
    'GET /events',
    'GET /apps/current',
  ]) {
    expect([call, await codeOf(call)]).not.toContain('internal_error');
  }
});

test('several forced errors apply in the order in which they were requested', async () => {
  await force({ code: 'rate_limited', path: '/v1/domains' });
  const { body } = await force({ code: 'card_declined' });
  expect(body.data).toMatchObject([
    { code: 'rate_limited', times: 1 },
    { code: 'card_declined', times: 1 },
  ]);
  expect(await codeOf('GET /events')).toBe('card_declined');
  expect(await codeOf('GET /domains')).toBe('rate_limited');
  expect(await codeOf('GET /domains')).toBe(200);
});

test('a forced error stores no idempotency record, so that a retry is processed', async () => {
  await force({ code: 'internal_error' });
  const post = () =>
    fetch(`${underTest.emulator.url}/v1/domains`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${underTest.emulator.keys.test}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
      },
      body: '{"hostname":"careers.acme.com"}',
    });
  expect([(await post()).status, (await post()).status]).toEqual([500, 201]);
});

test.each([
  {},
  { code: 'no_such_code' },
  { code: 'rate_limited', times: 0 },
  { code: 'rate_limited', times: 1.5 },
  { code: 'rate_limited', times: 1e9 },
  { code: 'rate_limited', path: 'v1/domains' },
  { code: 'rate_limited', method: 'GET' },
])('a request for a forced error with the body %j gets 422', async (body) => {
  expect((await force(body)).status).toBe(422);
  expect(await codeOf('GET /domains')).toBe(200);
});
