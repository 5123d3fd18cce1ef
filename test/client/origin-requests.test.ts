import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyOriginRequest } from '../../shared/client/webhooks.ts';
import { makeSigningSecret, signOriginRequest } from '../../shared/core/webhooks/signature.ts';
import { failure } from './signature-failure.ts';

const NOW_S = 1_800_000_000;
const now = new Date(NOW_S * 1000);
const secret = makeSigningSecret(randomBytes);
const other = makeSigningSecret(randomBytes);

describe('verifyOriginRequest verifies the signature of a request to an origin', () => {
  const request = { method: 'GET', host: 'careers.acme.com', path: '/jobs?page=2' };
  const domainId = 'dom_1';
  const signed = signOriginRequest({
    ...request,
    secret,
    timestampS: NOW_S,
    pathAndQuery: request.path,
    domain_id: domainId,
  });
  const headers = {
    host: request.host,
    'x-service-timestamp': String(NOW_S),
    'x-service-signature': signed,
    'x-service-domain-id': domainId,
  };
  const verified = { domain_id: domainId, timestamp: now };

  test('accepts headers from Node, from the Fetch API, or as three values', async () => {
    expect(await verifyOriginRequest({ ...request, headers, secret, now })).toEqual(verified);
    expect(await verifyOriginRequest({ ...request, headers: new Headers(headers), secret, now })).toEqual(
      verified,
    );
    const values = { timestamp: String(NOW_S), signature: signed, domain_id: domainId };
    expect(await verifyOriginRequest({ ...request, ...values, secret, now })).toEqual(verified);
  });

  test("uses the service's name in header names", async () => {
    const named = {
      'X-Nameplate-Timestamp': String(NOW_S),
      'X-Nameplate-Signature': signed,
      'X-Nameplate-Domain-Id': domainId,
    };
    expect(
      await verifyOriginRequest({ ...request, headers: named, serviceName: 'Nameplate', secret, now }),
    ).toEqual(verified);
    expect((await failure(verifyOriginRequest({ ...request, headers: named, secret, now }))).reason).toBe(
      'malformed_header',
    );
  });

  test('accepts either secret during a rotation', async () => {
    expect(await verifyOriginRequest({ ...request, headers, secret: [other, secret], now })).toEqual(
      verified,
    );
  });

  test.each([
    { method: 'POST' },
    { host: 'evil.example' },
    { path: '/jobs' },
    { path: '/jobs?page=3' },
    { headers: { ...headers, 'x-service-domain-id': 'dom_2' } },
    { headers: { ...headers, 'x-service-timestamp': String(NOW_S + 1) } },
    { secret: other },
  ])('refuses a request changed by %j', async (change) => {
    const error = await failure(verifyOriginRequest({ ...request, headers, secret, now, ...change }));
    expect(error.reason).toBe('no_match');
  });

  test.each([
    { method: undefined },
    { host: undefined },
    { host: new Headers().get('host') },
    { path: undefined },
  ])('refuses a request with a missing part: %j', async (change) => {
    const error = await failure(verifyOriginRequest({ ...request, headers, secret, now, ...change }));
    expect(error.reason).toBe('malformed_header');
  });

  test.each([
    { 'x-service-timestamp': 'soon' },
    { 'x-service-timestamp': '1234567890123' },
    { 'x-service-signature': signed.slice(3) },
    { 'x-service-signature': `${signed},${signed}` },
    { 'x-service-signature': [signed, signed] },
    { 'X-Service-Signature': signed },
    { 'x-service-domain-id': undefined },
  ])('reports %j as malformed', async (change) => {
    const error = await failure(
      verifyOriginRequest({ ...request, headers: { ...headers, ...change }, secret, now }),
    );
    expect(error.reason).toBe('malformed_header');
  });

  test('accepts up to 300 seconds in either direction', async () => {
    const at = (offsetS: number) => new Date((NOW_S + offsetS) * 1000);
    expect(await verifyOriginRequest({ ...request, headers, secret, now: at(-300) })).toEqual(verified);
    expect((await failure(verifyOriginRequest({ ...request, headers, secret, now: at(301) }))).reason).toBe(
      'timestamp_too_old',
    );
    expect((await failure(verifyOriginRequest({ ...request, headers, secret, now: at(-301) }))).reason).toBe(
      'timestamp_in_future',
    );
  });
});
