import { expect, onTestFinished, test, vi } from 'vitest';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import { send, sentencesOf } from '../../shared/dashboard/browser/send.ts';

const SERVER = { base: '', name: 'The server', unreachableAdvice: '' };

/** Returns the text that the dashboard shows for an error response. */
async function told(code: string, fix: string, headers: Record<string, string> = {}): Promise<string> {
  const error = { code, message: 'That failed.', fix };
  vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 429, headers }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const thrown = await send(SERVER, 'GET /', {}).then(
    () => null,
    (problem: unknown) => problem,
  );
  return sentencesOf(thrown).join(' ');
}

test('no error that the dashboard shows to a person mentions headers, fields or keys', async () => {
  for (const [code, { fix }] of Object.entries(ERRORS) as [ErrorCode, { fix: string }][]) {
    expect(await told(code, fix)).not.toMatch(
      /Retry-After|Idempotency|Content-Type|Bearer|status_detail|request_id|JSON|KB|the path/,
    );
  }
});

test('an error of the dashboard with a delay says how many seconds to wait', async () => {
  expect(await told('rate_limited', ERRORS.rate_limited.fix, { 'retry-after': '12' })).toBe(
    'That failed. Try again in 12 s.',
  );
});

test('the dashboard never shows the fix of a response, because programs read it', async () => {
  for (const code of [...Object.keys(ERRORS), 'hostname_is_nameplate', 'seed_invalid']) {
    expect(await told(code, 'Send POST /v1/domains.')).not.toContain('POST');
  }
  expect(await told('forbidden', 'Send POST /v1/domains.')).toBe('That failed.');
  expect(await told('domain_limit_reached', 'Read status_detail.plans.')).toBe(
    'That failed. Remove a domain, or choose a larger plan.',
  );
  expect(await told('role_required', 'Send the key of an owner.')).toBe(
    'That failed. Ask an owner of the account.',
  );
});

test('an error of the dashboard has the id of its request', async () => {
  const headers = { 'x-request-id': 'req_1' };
  vi.stubGlobal('fetch', async () => new Response('', { status: 500, headers }));
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(send(SERVER, 'GET /', {})).rejects.toMatchObject({ requestId: 'req_1' });
});
