import { expect, test } from 'vitest';
import { checkSignature } from '../../../../cli/events/commands/event-request.ts';
import { verifyWebhook } from '../../../../shared/client/webhooks.ts';

const BODY = '{"id":"evt_1","type":"domain.active","data":{}}';
const NOW = new Date('2026-11-20T12:00:00.000Z');

test('the signature check of the event view shows a header that only a receiver with the same secret accepts', async () => {
  const check = await checkSignature(BODY, 'whsec_one', NOW);
  if (!check.ok) throw new Error(check.problem);
  expect(check).toMatchObject({ header: 'Service-Signature', isGood: true });
  const verify = (secret: string) => verifyWebhook({ body: BODY, signature: check.value, secret, now: NOW });
  await expect(verify('whsec_one')).resolves.toMatchObject({ id: 'evt_1' });
  await expect(verify('whsec_other')).rejects.toMatchObject({ reason: 'no_match' });
});

test('the signature check of the event view reports a body that is not JSON', async () => {
  expect(await checkSignature('not json', 'whsec_one', NOW)).toMatchObject({ isGood: false });
});

test('the signature check of the event view asks for --secret if it has no secret, and reports a missing body', async () => {
  for (const secret of [null, '']) {
    expect(await checkSignature(BODY, secret, NOW)).toEqual({
      ok: false,
      problem: expect.stringContaining('--secret'),
    });
  }
  expect(await checkSignature(null, 'whsec_one', NOW)).toEqual({
    ok: false,
    problem: expect.stringContaining('body'),
  });
});
