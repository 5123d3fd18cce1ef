import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  makeSigningSecret,
  signOriginRequest,
  signWebhook,
  standardWebhookSignature,
} from '../../../shared/core/webhooks/signature.ts';

const hex = (key: string, content: string) => createHmac('sha256', key).update(content).digest('hex');

test('a signing secret is whsec_ followed by 32 bytes in base64', () => {
  expect(makeSigningSecret((bytes) => new Uint8Array(bytes))).toBe(`whsec_${'A'.repeat(43)}=`);
  const secret = makeSigningSecret(randomBytes);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
});

test('a webhook signature covers the time and the raw body, keyed with the whole secret', () => {
  const body = '{"id":"evt_1","name":"Zoë"}';
  expect(signWebhook({ secrets: ['whsec_a'], timestampS: 1_700_000_000, body })).toBe(
    `t=1700000000,v1=${hex('whsec_a', `1700000000.${body}`)}`,
  );
});

test('during a rotation, a webhook signature has one v1 for each secret, in order', () => {
  const header = signWebhook({ secrets: ['whsec_new', 'whsec_old'], timestampS: 1, body: '{}' });
  expect(header).toBe(`t=1,v1=${hex('whsec_new', '1.{}')},v1=${hex('whsec_old', '1.{}')}`);
});

test('the Standard Webhooks signature matches the example in its specification', () => {
  // A test vector from the libraries at https://github.com/standard-webhooks/standard-webhooks.
  const signature = standardWebhookSignature({
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampS: 1_614_265_330,
    body: '{"test": 2432232314}',
  });
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the Standard Webhooks signature has a value for every secret, separated by spaces', () => {
  const secrets = [makeSigningSecret(randomBytes), makeSigningSecret(randomBytes)];
  const both = standardWebhookSignature({ secrets, id: 'evt_1', timestampS: 1, body: '{}' });
  const each = secrets.map((secret) =>
    standardWebhookSignature({ secrets: [secret], id: 'evt_1', timestampS: 1, body: '{}' }),
  );
  expect(both).toBe(each.join(' '));
});

test('the signature of an origin request covers time, method, host, path, query and domain', () => {
  const signature = signOriginRequest({
    secret: 'whsec_a',
    timestampS: 1_700_000_000,
    method: 'GET',
    host: 'careers.acme.com',
    pathAndQuery: '/jobs?page=2',
    domain_id: 'dom_1',
  });
  expect(signature).toBe(`v1=${hex('whsec_a', '1700000000.GET.careers.acme.com./jobs?page=2.dom_1')}`);
});

test('signing throws if there is no secret', () => {
  const request = {
    secret: '',
    timestampS: 1,
    method: 'GET',
    host: 'a.com',
    pathAndQuery: '/',
    domain_id: 'dom_1',
  };
  expect(() => signWebhook({ secrets: [], timestampS: 1, body: '' })).toThrow(RangeError);
  expect(() => signWebhook({ secrets: [''], timestampS: 1, body: '' })).toThrow(RangeError);
  expect(() => standardWebhookSignature({ secrets: ['whsec_'], id: 'a', timestampS: 1, body: '' })).toThrow(
    RangeError,
  );
  expect(() => signOriginRequest(request)).toThrow(RangeError);
});
