import { expect, onTestFinished, test, vi } from 'vitest';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import { send, sentencesOf } from '../../shared/dashboard/browser/send.ts';

const SERVER = { base: '', name: 'The server', unreachableFix: '' };

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

test('the dashboard shows a fix that differs from the usual fix for the error code', async () => {
  expect(await told('forbidden', 'Ask an owner for an invitation.')).toBe(
    'That failed. Ask an owner for an invitation.',
  );
});
